/** Permissions on messages: who sends, edits, deletes and moves them, and until when. */

import { canReadChannel, type ChannelAccess } from './channels.ts'
import { type Account, holdsAny, type Organization, type Person, type Rights } from './organization.ts'
import { isGuest } from './roles.ts'

/** Whether a user may send to the channel, in topics that exist. */
export function canSendToChannel(user: Person, access: ChannelAccess, rights: Rights): boolean {
  const { channel } = access
  if (channel.isArchived || !canReadChannel(user, access, rights)) return false
  return rights.holds(user, channel.permissions.canSendMessage)
}

/** Whether a user may start topics, if they may send to the channel. */
export function canCreateTopic(user: Person, { channel }: ChannelAccess, rights: Rights): boolean {
  return rights.holds(user, channel.permissions.canCreateTopic)
}

/** The part of a message that the rules ask about; times are UNIX seconds. */
export interface JudgedMessage {
  readonly senderId: number
  readonly sentAt: number
}

/** Seconds after the sending of a message in which it may still change; null for no limit. */
type TimeLimit = number | null

/** The settings of an organization for changes of messages. */
export interface MessageSettings {
  readonly allowsEditing: boolean
  readonly contentEditLimitSeconds: TimeLimit
  readonly contentDeleteLimitSeconds: TimeLimit
}

/** Whether the time limit of a change is over; null is no limit. */
export function isLate(
  { sentAt }: Pick<JudgedMessage, 'sentAt'>,
  limitSeconds: TimeLimit,
  nowSeconds: number,
) {
  return limitSeconds !== null && nowSeconds - sentAt > limitSeconds
}

/** Why a user may not edit the content of a message that they may change. */
export function findEditRefusal(
  user: Person,
  message: JudgedMessage,
  settings: MessageSettings,
  nowSeconds: number,
): 'forbidden' | 'disabled' | 'late' | undefined {
  if (user.id !== message.senderId) return 'forbidden'
  if (!settings.allowsEditing) return 'disabled'
  return isLate(message, settings.contentEditLimitSeconds, nowSeconds) ? 'late' : undefined
}

/** Whether a user may move messages of anybody to other topics, in a channel where they can change something. */
export function canMoveWithinChannel(
  user: Person,
  { channel }: ChannelAccess,
  { rights, permissions }: Organization,
): boolean {
  const here = channel.permissions.canMoveMessagesWithinChannel
  return holdsAny(user, rights, permissions.canMoveMessagesBetweenTopics, here)
}

/** Whether a user may move messages of anybody from such a channel to others. */
export function canMoveOutOfChannel(
  user: Person,
  { channel }: ChannelAccess,
  { rights, permissions }: Organization,
): boolean {
  const here = channel.permissions.canMoveMessagesOutOfChannel
  return holdsAny(user, rights, permissions.canMoveMessagesBetweenChannels, here)
}

/** Whether a user may delete any message that they can change, in a channel or, without one, in a conversation. */
export function canDeleteAnyMessage(
  user: Person,
  access: ChannelAccess | undefined,
  { rights, permissions }: Organization,
): boolean {
  if (isGuest(user)) return false // Even if a setting allows it.
  const here = access?.channel.permissions.canDeleteAnyMessage
  return holdsAny(user, rights, permissions.canDeleteAnyMessage, here)
}

/** A message with its sender and its channel; it is direct without one. */
export interface PlacedMessage extends JudgedMessage {
  readonly sender: Pick<Account, 'botOwnerId'> | undefined
  readonly access: ChannelAccess | undefined
}

/** Why a user may not delete a message that they can change. */
export function findDeletionRefusal(
  user: Person,
  message: PlacedMessage,
  organization: Organization & { readonly settings: MessageSettings },
  nowSeconds: number,
): 'forbidden' | 'late' | undefined {
  const { senderId, sender, access } = message
  const { rights, permissions, settings } = organization
  if (canDeleteAnyMessage(user, access, organization)) return undefined
  const isOwn = senderId === user.id || sender?.botOwnerId === user.id
  const here = access?.channel.permissions.canDeleteOwnMessage
  const isAllowed = holdsAny(user, rights, permissions.canDeleteOwnMessage, here)
  if (!isOwn || !isAllowed) return 'forbidden'
  return isLate(message, settings.contentDeleteLimitSeconds, nowSeconds) ? 'late' : undefined
}

/** The most users that one wildcard mentions without a permission: the API family's limit. */
export const MENTIONED_TOGETHER_MAX = 15

/** Whether a user may mention so many people of a channel or topic at once. */
export function canMentionTogether(
  user: Person,
  count: number,
  { rights, permissions }: Organization,
): boolean {
  return count <= MENTIONED_TOGETHER_MAX || rights.holds(user, permissions.canMentionManyUsers)
}

/** Whether these people may talk, the writer included: one of them holds the permission, or there is no other person. */
export function canConverse(
  user: Person,
  recipients: readonly Pick<Account, 'id' | 'role' | 'botType'>[],
  { rights, permissions }: Organization,
): boolean {
  const permits = (one: Person) => rights.holds(one, permissions.directMessagePermission)
  // Checked first, since the writer often holds the permission.
  return permits(user) || isWithBotsOnly(user, recipients) || recipients.some(permits)
}

/** Whether there is no other person: notes to oneself, and messages to bots, need no permission. */
export function isWithBotsOnly(
  user: Person,
  recipients: readonly Pick<Account, 'id' | 'botType'>[],
): boolean {
  return recipients.every(({ id, botType }) => id === user.id || botType !== null)
}

/** Whether messages of a channel have no topic, need one, or may have one. */
export function topicRule(
  { topicsPolicy }: { readonly topicsPolicy: string },
  organization: { readonly settings: { readonly topicsPolicy: string } },
): 'none' | 'needed' | 'free' {
  const policy = topicsPolicy === 'inherit' ? organization.settings.topicsPolicy : topicsPolicy
  if (policy === 'empty_topic_only') return 'none'
  return policy === 'disable_empty_topic' ? 'needed' : 'free'
}
