/** The mail by which an administrator tests that mails arrive. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function testMail(
  texts: ServerTexts,
  {
    organization,
    name,
    url,
  }: {
    readonly organization: string
    readonly name: string
    readonly url: string
  },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Test email from {organization}', { organization }),
    paragraphs: [
      t('Hello {name},', { name }),
      t('This server can send email: invitations, links for new passwords and warnings reach people.'),
    ],
    action: { label: t('Open {organization}', { organization }), url },
    notes: [t('You asked for this email in the settings of the organization.')],
  }
}
