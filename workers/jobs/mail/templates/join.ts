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
      `Someone wants to join the team chat of ${organization} with the address ${email}.`,
    ],
    action: { label: 'Create my account', url },
    notes: [
      'The link works once, within a day. A newer email replaces it.',
      'If this wasn’t you, ignore this email. No account will be created.',
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
      `Someone wants to join the team chat of ${organization} with the address ${email}.`,
      isActive
        ? 'This address already has an account. You can log in, or choose a new password if you forgot yours.'
        : 'This address has a deactivated account. Ask an administrator to reactivate it.',
    ],
    action: { label: 'Log in', url },
    notes: ['If this wasn’t you, ignore this email. Nothing was changed.'],
  }
}
