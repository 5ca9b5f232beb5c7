/** The page to log in; a browser that is logged in goes on. */

import { WORDS } from '../../../packages/look/log-in-form.ts'
import { StaleProofError } from '../../../db/accounts/login-proofs.ts'
import { checkPassword, PASSWORD_LOGIN_PARAMS, proofOf } from '../../api/check-password.ts'
import { isExposedDemo } from '../../api/is-exposed-demo.ts'
import { noteRefusal } from '../../api/door/note-refusal.ts'
import { logInApp } from '../../api/log-in-app.ts'
import { openCheckedSession } from '../../api/log-in-session.ts'
import { decodeParams } from '../../api/params.ts'
import { beginSecondStep } from '../../api/second-step.ts'
import type { Services } from '../../api/services.ts'
import { DirectoryError } from '../../changes/sign-on/directory/directory-error.ts'
import { readRelyingParty } from '../../domain/accounts/passkeys.ts'
import {
  APP_FIELDS,
  fieldsOfApp,
  readWaitingApp,
  type WaitingApp,
} from '../../domain/accounts/waiting-apps.ts'
import { readLocalPath } from '../../domain/text/local-path.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { type Html, html, htmlPage, NOTHING, PASSKEYS_SCRIPT_PATH, redirectPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { emailField, passwordField, userNameField } from './account-fields.ts'
import { passkeyWords } from './passkey-words.ts'
import { explainError, problemOf } from './explain-error.ts'
import { logInCodePath } from './log-in-code.ts'
import { type Field, form, lead, links, type Problem, problem } from './parts.ts'
import { ASK_RESET_PATH, FRONT_PATH, LOG_IN_PATH } from './paths.ts'
import { providerLinks } from './provider-links.ts'
import type { ServeForm } from './serve-form.ts'

/** Whether a path is this page; existing clients add a slash. */
export function isLogInPath(path: string): boolean {
  return path === LOG_IN_PATH || path === `${LOG_IN_PATH}/`
}

/** Shows the form and handles its submission. A `next` outside this server is ignored. */
export const serveLogIn: ServeForm = async ({ method, fields, exchange, userAgent, texts }, services) => {
  const app = readWaitingApp(fields)
  if (app === 'malformed') return malformedPage(texts)
  const aim = { next: readLocalPath(fields.get('next') ?? ''), app }
  const { next } = aim
  if (method !== 'POST') {
    // A link of anybody may name an app, so a person logs in anew for it.
    if (exchange.cookies.findSession() && !app) return redirectPage(next ?? FRONT_PATH)
    return logInPage(200, services, texts, { aim, given: fields })
  }
  try {
    const login = decodeParams(PASSWORD_LOGIN_PARAMS, fields)
    const checked = await checkPassword(services, exchange, login, fail)
    if (checked.credentials.totp) {
      await beginSecondStep(services, exchange, checked, app)
      return redirectPage(logInCodePath(next))
    }
    const { user } = checked
    const proof = proofOf(checked.credentials)
    if (app) return redirectPage(await logInApp(services, exchange, { user, proof, app, userAgent }, fail))
    await openCheckedSession(services, exchange, { ...checked, userAgent }, fail)
    return redirectPage(next ?? FRONT_PATH)
  } catch (error) {
    if (error instanceof StaleProofError) return redirectPage(LOG_IN_PATH)
    if (error instanceof DirectoryError) {
      services.onError(error)
      return logInPage(503, services, texts, { aim, given: fields, wrong: unavailable(texts) })
    }
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    noteRefusal(services, exchange, error.errorName)
    // Browsers would cover a 401 of their own with a dialog for Basic credentials.
    const status = error.status === 401 ? 403 : error.status
    const wrong = problemIn(error, services, texts)
    return logInPage(status, services, texts, { aim, given: fields, wrong })
  }
}

/** The place, or the app, to which a log-in leads. */
interface Aim {
  readonly next: string | undefined
  readonly app: WaitingApp | undefined
}

/** The app that waits, for the script. */
function appData(app: WaitingApp | undefined): Html {
  return app ? html` data-app="${APP_FIELDS[app.kind]}" data-pad="${app.pad}"` : NOTHING
}

function malformedPage({ t }: PageTexts) {
  const text = t('The app sent a wrong request. Please update it.')
  return htmlPage(
    400,
    t(WORDS.logIn),
    html`${problem({ text })}
${links([t('Log in without the app'), LOG_IN_PATH])}`,
  )
}

function fieldsIn({ directory }: Services, texts: PageTexts): readonly Field[] {
  const name = directory ? userNameField(texts) : emailField(texts)
  return [{ ...name, name: 'username', hasFocus: true }, passwordField(texts)]
}

function problemIn(error: ApiError, services: Services, texts: PageTexts): Problem {
  if (services.directory && error.errorName === 'PASSWORD_INCORRECT')
    return { text: texts.t(WORDS.wrongUserName) }
  return problemOf(error, fieldsIn(services, texts), texts)
}

function unavailable(texts: PageTexts): Problem {
  return { text: explainError(fail('DIRECTORY_UNAVAILABLE'), texts) }
}

/** Between the password and the other ways. */
function or({ t }: PageTexts): Html {
  return html`<p class="or">${t('or')}</p>`
}

/** The state of the page: where it leads, what was entered, and what is wrong with it. */
interface Shown {
  readonly aim: Aim
  readonly given: ReadonlyMap<string, string>
  readonly wrong?: Problem
}

/** The page with a form and, if the server has passkeys, a button for them, which the script shows. */
function logInPage(status: number, services: Services, texts: PageTexts, shown: Shown) {
  const { t } = texts
  const { publicUrl, loginProviders, samlProviders } = services
  const { next, app } = shown.aim
  const content = logInForm(services, texts, shown)
  const traits = app ? ({ leadsToApp: true } as const) : {}
  if (!readRelyingParty(publicUrl)) return htmlPage(status, t(WORDS.logIn), content, traits)
  const passkey = html`${content}
<div data-passkey="log-in" data-next="${next ?? FRONT_PATH}"${appData(app)}${passkeyWords(texts)} hidden>
${loginProviders.length + samlProviders.length === 0 ? or(texts) : NOTHING}
<p class="problem" role="alert" hidden></p>
<button type="button" class="quiet">${t(WORDS.byPasskey)}</button>
</div>`
  return htmlPage(status, t(WORDS.logIn), passkey, { ...traits, script: PASSKEYS_SCRIPT_PATH })
}

/** The form with the address that was entered; the password must be entered again. */
function logInForm(services: Services, texts: PageTexts, { aim: { next, app }, given, wrong }: Shown): Html {
  const { t } = texts
  const unseen = { ...(next === undefined ? {} : { next }), ...fieldsOfApp(app) }
  return html`${isExposedDemo(services) ? problem({ text: t(WORDS.exposedDemo) }) : NOTHING}
${app ? lead(t('Log in here to continue in the app.')) : NOTHING}
${form(fieldsIn(services, texts), t(WORDS.logIn), { action: LOG_IN_PATH, given, unseen, wrong })}
${links([t(WORDS.forgot), ASK_RESET_PATH])}
${services.loginProviders.length + services.samlProviders.length === 0 ? NOTHING : or(texts)}
${providerLinks(services, texts, unseen)}`
}
