/** The mail by which an administrator tests that mails arrive. */

import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function testMail({
  organization,
  name,
  url,
}: {
  readonly organization: string
  readonly name: string
  readonly url: string
}): MailContent {
  return {
    organization,
    subject: `Test email from ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `This server can send email: invitations, links for new passwords and warnings reach people.`,
    ],
    action: { label: `Open ${organization}`, url },
    notes: ['You asked for this email in the settings of the organization.'],
  }
}
