/** The second page of a log-in: the code of the authenticator app. */

import { WORDS } from '../../../packages/look/log-in-form.ts'
import { StaleProofError } from '../../../db/accounts/login-proofs.ts'
import { checkSecondFactor, proofOf } from '../../api/check-password.ts'
import { logInApp } from '../../api/log-in-app.ts'
import { noteRefusal } from '../../api/door/note-refusal.ts'
import { openCheckedSession } from '../../api/log-in-session.ts'
import { endSecondStep, findSecondStep, type SecondStep } from '../../api/second-step.ts'
import { readLocalPath } from '../../domain/text/local-path.ts'
import { CODE_LENGTH_MAX } from '../../domain/accounts/second-factors.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { html, htmlPage, redirectPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { codeField } from './account-fields.ts'
import { problemOf } from './explain-error.ts'
import { type Field, form, lead, links, type Problem } from './parts.ts'
import { FRONT_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = '/accounts/login/code'

/** Whether a path is this page. */
export function isLogInCodePath(path: string): boolean {
  return path === PATH || path === `${PATH}/`
}

/** The address of the page, for a log-in that goes on to another. */
export function logInCodePath(next: string | undefined): string {
  return next === undefined ? PATH : `${PATH}?next=${encodeURIComponent(next)}`
}

/** Shows the form to the browser that did the first step, and handles its submission. */
export const serveLogInCode: ServeForm = async ({ method, fields, exchange, userAgent, texts }, services) => {
  const next = readLocalPath(fields.get('next') ?? '')
  const step = await findSecondStep(services, exchange)
  if (!step) return redirectPage(LOG_IN_PATH)
  if (method !== 'POST') return codePage(200, texts, { step, next })
  try {
    await checkSecondFactor(services, step, (fields.get('code') ?? '').slice(0, CODE_LENGTH_MAX), fail)
    if (!(await endSecondStep(services, exchange))) return redirectPage(LOG_IN_PATH)
    const { user, app } = step
    const proof = proofOf(step.credentials)
    if (app) return redirectPage(await logInApp(services, exchange, { user, proof, app, userAgent }, fail))
    await openCheckedSession(services, exchange, { ...step, userAgent }, fail)
    return redirectPage(next ?? FRONT_PATH)
  } catch (error) {
    if (error instanceof StaleProofError) return redirectPage(LOG_IN_PATH)
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    exchange.claimed = step.user.id
    noteRefusal(services, exchange, error.errorName)
    // Browsers would cover a 401 of their own with a dialog for Basic credentials.
    const status = error.status === 401 ? 403 : error.status
    return codePage(status, texts, { step, next, wrong: wrongOf(error, texts) })
  }
}

/** The limit of a minute has admitted the request, so this is that of wrong codes. */
function wrongOf(error: ApiError, texts: PageTexts): Problem {
  const { t } = texts
  return error.errorName === 'RATE_LIMIT_HIT'
    ? { text: t('Too many wrong codes. Wait an hour, or use a recovery code.'), fieldId: 'code' }
    : problemOf(error, [codeField(texts)], texts)
}

/** The answer to the form of an app leads out of the browser, so browsers must let it. */
function codePage(
  status: number,
  texts: PageTexts,
  {
    step: { user, app },
    next,
    wrong,
  }: { readonly step: SecondStep; readonly next: string | undefined; readonly wrong?: Problem },
) {
  const { t } = texts
  const fields: readonly Field[] = [{ ...codeField(texts), hasFocus: true }]
  const content = html`${lead(t('Logging in as {email}', { email: user.email }))}
${form(fields, t(WORDS.logIn), { action: PATH, unseen: { next }, wrong })}
${links([t(WORDS.otherAccount), LOG_IN_PATH])}`
  return htmlPage(status, t('Enter your code'), content, app ? { leadsToApp: true } : {})
}
