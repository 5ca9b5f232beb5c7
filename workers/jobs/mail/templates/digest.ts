/** The weekly digest of a user who was away. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent, MailedMessage } from '../mail-layout.ts'

export function digestMail(
  texts: ServerTexts,
  {
    organization,
    entries,
    url,
    stopUrl,
  }: {
    /** A plain name. */
    readonly organization: string
    readonly entries: readonly MailedMessage[]
    readonly url: string
    readonly stopUrl: string
  },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('This week at {organization}', { organization }),
    paragraphs: [t('You have been away for some days. These were the busiest conversations.')],
    messages: entries,
    action: { label: t('Open conversations'), url },
    notes: [t('You get this email once a week while you are away.')],
    stopUrl,
  }
}
