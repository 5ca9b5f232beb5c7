/** The mail that says why a mail did not become a message. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** The names and the subject are plain ones. */
export function mailRefusedMail(
  texts: ServerTexts,
  {
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
  },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Your email was not posted'),
    paragraphs: [
      t('Hello {name},', { name }),
      subject === ''
        ? t('An email to {organization} was not posted.', { organization })
        : t('Your email “{subject}” to {organization} was not posted.', { subject, organization }),
      reason,
    ],
    action: { label: t('Open {organization}', { organization }), url },
    notes: [t('If you did not write to us, someone else has an address that was meant for you.')],
  }
}
