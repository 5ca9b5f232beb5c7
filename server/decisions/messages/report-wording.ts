/** The text that moderators get when a user reports a message. */

import { readableHistory } from '../../../packages/rules/channels.ts'
import type { Channel, Destination, Message, User } from '../../domain/entities.ts'
import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { textId } from '../../../packages/texts/texts.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { cut, linkTopic, mentionUser, noticeTexts, quote } from '../notice-wording.ts'

/** The reasons of a report, in the words of clients. */
export const REPORT_REASONS = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const

const REASONS: Readonly<Record<(typeof REPORT_REASONS)[number], string>> = {
  spam: textId('Spam'),
  harassment: textId('Harassment'),
  inappropriate: textId('Inappropriate content'),
  norms: textId('Violates the norms of the community'),
  other: textId('Other'),
}

/** The same as clients offer it. */
export const REPORT_REASONS_VIEW = REPORT_REASONS.map((key) => ({ key, name: REASONS[key] }))

/** A report, as the request has it. */
export interface Report {
  readonly message: Message
  readonly reporter: User
  readonly reason: (typeof REPORT_REASONS)[number]
  /** Markdown; perhaps empty. */
  readonly description: string
  /** Whether the report quotes the message; it always names its place. */
  readonly isQuoting: boolean
}

/** The topic for reports about a user, in the moderators' channel. */
export function reportTopic({ t }: ServerTexts, { fullName: name }: User, { topicsPolicy }: Channel): string {
  if (topicsPolicy === 'empty_topic_only') return ''
  return cut(t("{name}''s moderation requests", { name }), TOPIC_LENGTH_MAX)
}

/** The report as a message of that channel: no quoted text can pass for a part of the report. */
export function wordReport(
  { message, reporter, reason, description, isQuoting }: Report,
  moderators: ChannelState,
  state: OrganizationState,
): string {
  const texts = noticeTexts(state)
  const { t } = texts
  const people = { reporter: mentionUser(reporter), sender: mentionUser(state.getUser(message.senderId)) }
  const head = [
    wordMessage(texts, message, people, { moderators, state }),
    `**${t('Reason:')}** ${t(REASONS[reason])}`,
    ...(description === '' ? [] : [`**${t('Explanation:')}**\n\n${quote(description)}`]),
    isQuoting ? `**${t('Message:')}**\n\n` : `**${t('Message:')}** ${t('not shown here.')}`,
  ].join('\n\n')
  if (!isQuoting) return head
  return head + cut(quote(message.content), MESSAGE_LENGTH_MAX - countCodePoints(head))
}

/** The message is named by its sender, and by its place if all readers of the report may know that. */
function wordMessage(
  { t }: ServerTexts,
  { id, destination }: Message,
  { reporter, sender }: { readonly reporter: string; readonly sender: string },
  { moderators, state }: { readonly moderators: ChannelState; readonly state: OrganizationState },
): string {
  if (destination.kind === 'direct')
    return t('{reporter} reported a direct message from {sender}.', { reporter, sender })
  if (!isReadableBy(moderators, destination, state))
    return t('{reporter} reported a message from {sender} in a private channel.', { reporter, sender })
  const { channel } = state.getChannel(destination.channelId)
  return t('{reporter} reported [a message]({address}) from {sender} in {topic}.', {
    reporter,
    address: `/#narrow/channel/${channel.id}/near/${id}`,
    sender,
    topic: linkTopic(channel, destination.topic),
  })
}

/** Whether every reader of the first channel may read everything in the second. */
function isReadableBy(
  moderators: ChannelState,
  { channelId }: Extract<Destination, { kind: 'channel' }>,
  state: OrganizationState,
): boolean {
  const channel = state.getChannel(channelId)
  return state
    .readersOf(moderators)
    .toArray()
    .every((id) => readableHistory(state.getUser(id), channel, state.rights) === 'all')
}
