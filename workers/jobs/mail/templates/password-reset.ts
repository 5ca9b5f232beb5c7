/** The mail with a link for a new password. */

import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function passwordResetMail({
  organization,
  name,
  email,
  url,
}: {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly url: string
}): MailContent {
  return {
    organization,
    subject: `Reset your password for ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `Someone asked to reset the password of your account ${email} at ${organization}.`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      'This link works once, for one hour. A new password logs you out on all devices.',
      'Not you? Ignore this email, and your password stays the same.',
    ],
  }
}
