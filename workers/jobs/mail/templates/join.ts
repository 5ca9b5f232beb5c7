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
    organization,
    subject: `Your account at ${organization}`,
    paragraphs: ['Hello,', `Someone wants to join the team chat of ${organization} as ${email}.`],
    action: { label: 'Create account', url },
    notes: [
      'This link works once, for one day. A newer email replaces it.',
      'Not you? Ignore this email, and no account is created.',
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
    organization,
    subject: `Your account at ${organization}`,
    paragraphs: [
      'Hello,',
      `Someone wants to join the team chat of ${organization} as ${email}.`,
      isActive
        ? 'This address already has an account. Log in, or choose a new password if you forgot yours.'
        : 'The account of this address was deactivated. Ask an administrator to reactivate it.',
    ],
    action: { label: 'Log in', url },
    notes: ['Not you? Ignore this email: nothing was changed.'],
  }
}
