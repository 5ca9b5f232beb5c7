/** The text that moderators get when a user reports a message. */

import { readableHistory } from '../../../packages/rules/channels.ts'
import type { Channel, Destination, Message, User } from '../../domain/entities.ts'
import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { cut, linkTopic, mentionUser, quote } from '../notice-wording.ts'

/** The reasons of a report, in the words of clients. */
export const REPORT_REASONS = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const

const REASONS: Readonly<Record<(typeof REPORT_REASONS)[number], string>> = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates the norms of the community',
  other: 'Other',
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
export function reportTopic({ fullName }: User, { topicsPolicy }: Channel): string {
  return topicsPolicy === 'empty_topic_only' ? '' : cut(`${fullName}'s moderation requests`, TOPIC_LENGTH_MAX)
}

/** The report as a message of that channel: no quoted text can pass for a part of the report. */
export function wordReport(
  { message, reporter, reason, description, isQuoting }: Report,
  moderators: ChannelState,
  state: OrganizationState,
): string {
  const sender = mentionUser(state.getUser(message.senderId))
  const head = [
    `${mentionUser(reporter)} reported ${describeMessage(message, sender, moderators, state)}.`,
    `**Reason:** ${REASONS[reason]}`,
    ...(description === '' ? [] : [`**Explanation:**\n\n${quote(description)}`]),
    isQuoting ? '**Message:**\n\n' : '**Message:** not shown here.',
  ].join('\n\n')
  if (!isQuoting) return head
  return head + cut(quote(message.content), MESSAGE_LENGTH_MAX - countCodePoints(head))
}

/** A message by its sender, and by its place if all readers of the report may know that. */
function describeMessage(
  { id, destination }: Message,
  sender: string,
  moderators: ChannelState,
  state: OrganizationState,
): string {
  if (destination.kind === 'direct') return `a direct message from ${sender}`
  if (!isReadableBy(moderators, destination, state)) return `a message from ${sender} in a private channel`
  const { channel } = state.getChannel(destination.channelId)
  const link = `[a message](/#narrow/channel/${channel.id}/near/${id})`
  return `${link} from ${sender} in ${linkTopic(channel, destination.topic)}`
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
