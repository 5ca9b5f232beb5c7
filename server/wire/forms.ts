/** Pages with a form, for people whose browser is not logged in here. */

import { WORDS } from '../../packages/look/log-in-form.ts'
import { CALL_LOGIN_PATH } from '../api/operations/calls.ts'
import { FORM_POLICY, PARTNER_FORM_POLICY, type Policy, SENT_FORM_POLICY } from '../api/door/policies.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import { isAllowAgentPath, serveAllowAgent } from './forms/allow-agent.ts'
import { serveCallLogin } from './forms/call-login.ts'
import { isConfirmedJoinPath, serveConfirmedJoin } from './forms/confirmed-join.ts'
import { isJoinPath, serveJoin } from './forms/join.ts'
import { isLogInPath, serveLogIn } from './forms/log-in.ts'
import { isLogInCodePath, serveLogInCode } from './forms/log-in-code.ts'
import { isDesktopTokenPath, serveDesktopToken } from './forms/desktop-token.ts'
import { serveSamlLogin } from './forms/saml-login.ts'
import { serveProviderLogin } from './forms/provider-login.ts'
import { readProviderPath, readSamlPath } from '../api/provider-paths.ts'
import { isJoinMeetingPath, serveJoinMeeting } from './forms/join-meeting.ts'
import { isLogOutPath, serveLogOut } from './forms/log-out.ts'
import { isAskResetPath, serveAskReset } from './forms/ask-reset.ts'
import { isSecurityPath, serveSecurity } from './forms/security.ts'
import { isNewAddressPath, serveNewAddress } from './forms/new-address.ts'
import { isResetPath, serveReset } from './forms/reset.ts'
import { isSetUpPath, serveSetUp } from './forms/set-up.ts'
import { isStopMailsPath, serveStopMails } from './forms/stop-mails.ts'
import type { ServeForm } from './forms/serve-form.ts'
import { explainError } from './forms/explain-error.ts'
import { links, problem } from './forms/parts.ts'
import { FRONT_PATH, LOG_IN_PATH } from './forms/paths.ts'
import { html, htmlPage, type PeoplesPage } from './html.ts'
import type { PageTexts } from './page-texts.ts'

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST']

/** A kind of form: the paths that it has, and its function. */
interface FormRoute {
  readonly name: string
  readonly isAt: (path: string) => boolean
  readonly serve: ServeForm
}

/** All forms; `test/api/accounts/account-walk.test.ts` attacks each by its name. */
export const FORMS: readonly FormRoute[] = [
  { name: 'call-login', isAt: (path) => path === CALL_LOGIN_PATH, serve: serveCallLogin },
  { name: 'allow-agent', isAt: isAllowAgentPath, serve: serveAllowAgent },
  { name: 'join-meeting', isAt: isJoinMeetingPath, serve: serveJoinMeeting },
  { name: 'join', isAt: isJoinPath, serve: serveJoin },
  { name: 'confirmed-join', isAt: isConfirmedJoinPath, serve: serveConfirmedJoin },
  { name: 'log-in', isAt: isLogInPath, serve: serveLogIn },
  { name: 'log-in-code', isAt: isLogInCodePath, serve: serveLogInCode },
  { name: 'desktop-token', isAt: isDesktopTokenPath, serve: serveDesktopToken },
  {
    name: 'provider-login',
    isAt: (path) => readProviderPath(path) !== undefined,
    serve: serveProviderLogin,
  },
  { name: 'saml-login', isAt: (path) => readSamlPath(path) !== undefined, serve: serveSamlLogin },
  { name: 'log-out', isAt: isLogOutPath, serve: serveLogOut },
  { name: 'ask-reset', isAt: isAskResetPath, serve: serveAskReset },
  { name: 'security', isAt: isSecurityPath, serve: serveSecurity },
  { name: 'reset', isAt: isResetPath, serve: serveReset },
  { name: 'new-address', isAt: isNewAddressPath, serve: serveNewAddress },
  { name: 'set-up', isAt: isSetUpPath, serve: serveSetUp },
  { name: 'stop-mails', isAt: isStopMailsPath, serve: serveStopMails },
]

/** The form at a path, if there is one. */
export function findForm(path: string): ServeForm | undefined {
  return FORMS.find(({ isAt }) => isAt(path))?.serve
}

/** Refuses submitted values that are no text: NUL, and bytes that are not UTF-8, which would make different passwords equal. */
export function checkSubmitted(fields: ReadonlyMap<string, string>): void {
  for (const value of fields.values()) if (/[\0\ufffd]/.test(value)) throw fail('BODY_MALFORMED')
}

/** The policy of a form. Throws if no form takes the method. */
export function formPolicy(method: string, path: string): Policy {
  if (!METHODS.includes(method)) throw fail('METHOD_NOT_ALLOWED', { allowed: [...METHODS] })
  if (method === 'POST' && readSamlPath(path)?.part === 'answer') return PARTNER_FORM_POLICY
  const policy = method === 'POST' ? SENT_FORM_POLICY : FORM_POLICY
  return isSetUpPath(path) ? { ...policy, needsNoOrganization: true } : policy
}

function titleOf(status: number, { t }: PageTexts): string {
  switch (status) {
    case 401:
      return t('Log in first')
    case 404:
      return t('Not found')
    case 429:
      return t('Too many requests')
    default:
      return t('Something went wrong')
  }
}

/** An error at a path as a page for people; a log-in leads back there. */
export function failurePage(error: ApiError, path: string, texts: PageTexts): PeoplesPage {
  const { t } = texts
  const { status } = error
  const way =
    status === 401
      ? links([t(WORDS.logIn), `${LOG_IN_PATH}?next=${encodeURIComponent(path)}`])
      : links([t('Go to the home page'), FRONT_PATH])
  return htmlPage(
    status,
    titleOf(status, texts),
    html`${problem({ text: explainError(error, texts) })}
${way}`,
  )
}
