/** The mail about messages of a conversation. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent, MailedMessage } from '../mail-layout.ts'

/** The names are plain ones. */
export interface MessagesMail {
  readonly organization: string
  /** Whether the subject names the organization. */
  readonly namesOrganization: boolean
  /** The title of the conversation; undefined if the mail must not say what was written, and where. */
  readonly shown: { readonly title: string; readonly messages: readonly MailedMessage[] } | undefined
  /** The messages that the reader has not seen. */
  readonly count: number
  /** Unread messages before the shown ones. */
  readonly earlierCount: number
  readonly url: string
  /** Whether an answer to the mail becomes a message. */
  readonly isAnswerable: boolean
  readonly stopUrl: string
}

export function messagesMail(texts: ServerTexts, mail: MessagesMail): MailContent {
  const { t } = texts
  const { organization, namesOrganization, shown, count, earlierCount, url, isAnswerable, stopUrl } = mail
  const subject = shown?.title ?? t('{count, plural, =1 {New message} other {# new messages}}', { count })
  const earlier = t(
    '{count, plural, =1 {One earlier message is} other {# earlier messages are}} not shown here.',
    { count: earlierCount },
  )
  const hidden = t('You have {count, plural, =1 {a new message} other {# new messages}} at {organization}.', {
    count,
    organization,
  })
  return {
    texts,
    organization,
    subject: namesOrganization ? `${subject} [${organization}]` : subject,
    paragraphs: shown ? (earlierCount > 0 ? [earlier] : []) : [hidden],
    messages: shown?.messages ?? [],
    action: { label: t(shown ? 'Open conversation' : 'Open conversations'), url },
    notes: [
      ...(isAnswerable ? [t('Reply to this email to post in the conversation.')] : []),
      ...(shown
        ? []
        : [t('This email leaves out the text, because of your settings or those of the organization.')]),
      t('You get this email because you were away. You can choose in your settings what we email you about.'),
    ],
    stopUrl,
  }
}
