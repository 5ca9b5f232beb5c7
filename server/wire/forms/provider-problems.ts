/** The pages that say why a log-in by a provider did not work. None repeats a text of the provider. */

import type { FoundAccount } from '../../changes/sign-on/find-account.ts'
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
    text: 'This log-in is used or too old, or it began in another browser. Please start again.',
  },
  malformed: { status: 400, text: 'The app did not ask as it should. Please update it.' },
  refused: { status: 403, text: 'The provider did not log you in.' },
  failed: { status: 502, text: 'The provider does not answer as it should. Please try again later.' },
} as const satisfies Record<string, Problem>

/** A page with a problem, and the way back. */
export function problemPage(
  { settings: { displayName } }: LoginProvider,
  { status, text }: Problem,
): PeoplesPage {
  return htmlPage(
    status,
    `Log in with ${displayName}`,
    html`${problem({ text })}
${linkButton('Back to the log-in page', LOG_IN_PATH)}`,
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
      return `${displayName} has not confirmed your email address, so it cannot show which account is yours.`
    case 'taken':
      return `The account of your address here belongs to another account at ${displayName}. Ask an administrator.`
    case 'other_address':
      return `Your invitation is for another address than that of your account at ${displayName}. Log in there with the invited one, or open the invitation again and choose a password.`
    case 'absent':
      return 'You have no account here. Ask for an invitation, and open its link first.'
    case 'refused':
      return account.reason
  }
}
