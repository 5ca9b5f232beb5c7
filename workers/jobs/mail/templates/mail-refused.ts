/** The mail that says why a mail did not become a message. */

import type { MailContent } from '../mail-layout.ts'

/** The names and the subject are plain ones. */
export function mailRefusedMail({
  organization,
  name,
  subject,
  reason,
  url,
}: {
  readonly organization: string
  readonly name: string
  readonly subject: string
  readonly reason: string
  readonly url: string
}): MailContent {
  return {
    organization,
    subject: 'Your email was not posted',
    paragraphs: [
      `Hello ${name},`,
      subject === ''
        ? `An email to ${organization} was not posted.`
        : `Your email “${subject}” to ${organization} was not posted.`,
      reason,
    ],
    action: { label: `Open ${organization}`, url },
    notes: ['If you did not write to us, someone else has an address that was meant for you.'],
  }
}
