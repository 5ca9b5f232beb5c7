/** The pages that say why a log-in by a provider did not work. None repeats a text of the provider. */

import { byProvider } from '../../../packages/look/log-in-form.ts'
import type { FoundAccount } from '../../changes/sign-on/found-account.ts'
import type { LoginProvider } from '../../changes/sign-on/login-provider.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import { linkButton, problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'

/** A problem, with the status of its page. */
interface Problem {
  readonly status: number
  readonly text: string
}

/** Problems before the provider has identified the person. */
export const PROBLEMS = {
  expired: {
    status: 400,
    text: 'This log-in has expired or began in another browser. Start again.',
  },
  malformed: { status: 400, text: 'The app sent a wrong request. Please update it.' },
  refused: { status: 403, text: 'The provider did not log you in.' },
  failed: { status: 502, text: 'The provider does not respond as expected. Try again later.' },
} as const satisfies Record<string, Problem>

/** A page with a problem, and the way back. */
export function problemPage(
  { settings: { displayName } }: LoginProvider,
  { status, text }: Problem,
): PeoplesPage {
  return htmlPage(
    status,
    byProvider(displayName),
    html`${problem({ text })}
${linkButton('Back to log-in', LOG_IN_PATH)}`,
  )
}

/** The page for a person without an account that they may use. */
export function noAccountPage(
  provider: LoginProvider,
  account: Exclude<FoundAccount, { kind: 'found' }>,
): PeoplesPage {
  return problemPage(provider, { status: 403, text: reasonOf(provider, account) })
}

function reasonOf(
  { settings: { displayName } }: LoginProvider,
  account: Exclude<FoundAccount, { kind: 'found' }>,
): string {
  switch (account.kind) {
    case 'deactivated':
      return 'Account is deactivated'
    case 'unverified':
      return `${displayName} has not confirmed your email address, so we cannot tell which account is yours.`
    case 'taken':
      return `Your address is linked to another account at ${displayName}. Ask an administrator.`
    case 'other_address':
      return `Your account at ${displayName} has another address than your invitation. Log in there with the invited address, or open the invitation again and choose a password.`
    case 'absent':
      return 'You have no account here yet. Ask for an invitation, and open its link first.'
    case 'refused':
      return account.reason
  }
}
