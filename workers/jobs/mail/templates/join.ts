/** The mails to somebody who wants to join by a link: one to confirm the address, one if it has an account. */

import type { MailContent } from '../mail-layout.ts'

/** The name is a plain one. */
interface JoinMail {
  readonly organization: string
  readonly email: string
  readonly url: string
}

/** Confirms an address. */
export function confirmJoiningMail({ organization, email, url }: JoinMail): MailContent {
  return {
    subject: `Your account at ${organization}`,
    paragraphs: [
      'Hello,',
      `Somebody wants to join the team chat of ${organization} with the address ${email}.`,
    ],
    action: { label: 'Make my account', url },
    notes: [
      'The link works once, within a day. A newer mail replaces it.',
      'If that was not you, ignore this mail: without you no account is made.',
    ],
  }
}

/** Reminds of an account. */
export function accountExistsMail({
  organization,
  email,
  isActive,
  url,
}: JoinMail & { readonly isActive: boolean }): MailContent {
  return {
    subject: `Your account at ${organization}`,
    paragraphs: [
      'Hello,',
      `Somebody wants to join the team chat of ${organization} with the address ${email}.`,
      isActive
        ? 'It has an account there already. You can log in, or choose a new password if you forgot yours.'
        : 'It had an account there, which was deactivated. Ask an administrator to reactivate it.',
    ],
    action: { label: 'Log in', url },
    notes: ['If that was not you, ignore this mail: nothing was changed.'],
  }
}
