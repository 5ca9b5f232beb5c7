/** The mail about messages of a conversation. */

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

export function messagesMail(mail: MessagesMail): MailContent {
  const { organization, namesOrganization, shown, count, earlierCount, url, isAnswerable, stopUrl } = mail
  const subject = shown?.title ?? (count === 1 ? 'New message' : `${count} new messages`)
  const earlier =
    earlierCount === 1
      ? 'One earlier message is not shown here.'
      : `${earlierCount} earlier messages are not shown here.`
  return {
    organization,
    subject: namesOrganization ? `${subject} [${organization}]` : subject,
    paragraphs: shown
      ? earlierCount > 0
        ? [earlier]
        : []
      : [`You have ${count === 1 ? 'a new message' : `${count} new messages`} at ${organization}.`],
    messages: shown?.messages ?? [],
    action: { label: shown ? 'Open conversation' : 'Open conversations', url },
    notes: [
      ...(isAnswerable ? ['Reply to this email to post in the conversation.'] : []),
      ...(shown
        ? []
        : ['This email leaves out the text, because of your settings or those of the organization.']),
      'You get this email because you were away. You can choose in your settings what we email you about.',
    ],
    stopUrl,
  }
}
