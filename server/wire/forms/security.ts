/** The page on the security of an account: authenticator app, passkeys, and ways to log out. */

import { readPasskeys } from '../../../db/accounts/passkeys.ts'
import { readFactors } from '../../../db/accounts/second-factors.ts'
import { findFactorDeadline } from '../../api/door/factor-deadline.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { noteRefusal } from '../../api/door/note-refusal.ts'
import { isFresh } from '../../api/prove-caller.ts'
import { readRelyingParty } from '../../domain/accounts/passkeys.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { type Html, html, htmlPage, NOTHING, PASSKEYS_SCRIPT_PATH, redirectPage } from '../html.ts'
import { explainError } from './explain-error.ts'
import { hint, links, type Problem, problem } from './parts.ts'
import { CSRF_FIELD, FRONT_PATH, LOG_IN_PATH, SECURITY_PATH } from './paths.ts'
import { ACTIONS, findStartedTotp, type Outcome, press, type Press } from './security-actions.ts'
import {
  codesPart,
  confirmForm,
  dayIn,
  devicesPart,
  passkeysPart,
  secretPart,
  totpPart,
} from './security-parts.ts'
import type { ServeForm } from './serve-form.ts'

/** Whether a path is this page. */
export function isSecurityPath(path: string): boolean {
  return path === SECURITY_PATH || path === `${SECURITY_PATH}/`
}

/** Shows the page to a user who is logged in, and handles its buttons. */
export const serveSecurity: ServeForm = async (request, services) => {
  const { method, fields, exchange } = request
  const session = exchange.cookies.findSession()
  if (!session) return redirectPage(`${LOG_IN_PATH}?next=${encodeURIComponent(SECURITY_PATH)}`)
  const given: Press = { ...request, services, session, user: services.state.getUser(session.userId) }
  if (method !== 'POST') return drawSecurity(given, 200)
  if (!exchange.cookies.checkToken(fields.get(CSRF_FIELD) ?? '')) throw fail('CSRF_TOKEN_WRONG')
  const name = fields.get('action') ?? ''
  // The page has such buttons only in time: after that it asks for the password.
  if (ACTIONS.get(name)?.needsProof && !isFresh(services, session)) return drawSecurity(given, 403)
  try {
    return drawOutcome(given, await press(name, given))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    exchange.claimed = given.user.id
    noteRefusal(services, exchange, error.errorName)
    const status = error.status === 401 ? 403 : error.status
    const wrong = { text: explainError(error, request.texts), fieldId: FIELDS_OF_ERRORS.get(error.errorName) }
    // Only the session that began the set-up may see the secret, for as long as it may begin one.
    const isShown = name === 'totp-confirm' && isFresh(services, session)
    const totp = isShown ? await findStartedTotp(given) : undefined
    if (totp) return drawOutcome(given, { kind: 'secret', totp }, wrong)
    return drawSecurity(given, status, wrong)
  }
}

const FIELDS_OF_ERRORS: ReadonlyMap<string, string> = new Map([
  ['PASSWORD_INCORRECT', 'password'],
  ['SECOND_FACTOR_REQUIRED', 'code'],
  ['SECOND_FACTOR_WRONG', 'code'],
  ['OWN_CODE_WRONG', 'code'],
])

function drawOutcome({ services, user, exchange, texts }: Press, outcome: Outcome, wrong?: Problem) {
  const { t } = texts
  switch (outcome.kind) {
    case 'done':
      return redirectPage(SECURITY_PATH)
    case 'codes':
      return htmlPage(200, t('Your recovery codes'), codesPart(texts, outcome.codes))
    case 'secret': {
      const names = { organization: services.state.organization?.name ?? '', email: user.email }
      const part = secretPart({ token: exchange.cookies.formToken, texts }, outcome.totp, names, wrong)
      return htmlPage(wrong ? 400 : 200, t('Set up an authenticator app'), part)
    }
  }
}

/** The reason why the client leads here, if the organization requires an app that the user lacks. */
function requirement({ services: { state, clock }, user, session, texts }: Press): Html {
  const { t } = texts
  const deadline = findFactorDeadline(state, user, session)
  if (deadline === undefined) return NOTHING
  const organization = state.organization?.name ?? ''
  const isOver = nowSeconds(clock) >= deadline
  return isOver
    ? problem({
        text: t('{organization} requires an authenticator app. Set one up to continue.', { organization }),
      })
    : hint(
        t('{organization} requires an authenticator app from {day}. Set one up here.', {
          organization,
          day: dayIn(texts, deadline),
        }),
      )
}

async function drawSecurity(given: Press, status: number, wrong?: Problem) {
  const { services, user, session, exchange, texts } = given
  const { t } = texts
  const { sql, publicUrl, state } = services
  const form = { token: exchange.cookies.formToken, texts }
  const fresh = isFresh(services, session)
  const factors = await readFactors(sql, user.id)
  const passkeys = await readPasskeys(sql, user.id)
  const hasPasskeys = readRelyingParty(publicUrl) !== undefined
  const content = html`<p class="lead"><bdi>${user.fullName}</bdi> · ${user.email}</p>
${requirement(given)}
${wrong && fresh ? problem({ text: wrong.text }) : NOTHING}
${fresh ? NOTHING : confirmForm(form, factors.hasTotp, wrong)}
${totpPart(form, factors, fresh)}
${hasPasskeys ? passkeysPart(form, passkeys, fresh) : NOTHING}
${devicesPart(form, state.loginSessions.get(user.id)?.length ?? 1)}
${links([t('Back to conversations'), FRONT_PATH])}`
  return htmlPage(status, t('Account security'), content, hasPasskeys ? { script: PASSKEYS_SCRIPT_PATH } : {})
}
