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
    subject: `A new password for ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `Somebody asked for a new password for your account ${email} at ${organization}.`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      'The link works once, within an hour. A new password logs you out on all devices.',
      'If that was not you, ignore this mail: your password stays as it is.',
    ],
  }
}
