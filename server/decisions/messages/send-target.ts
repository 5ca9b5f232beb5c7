/** Where a message may go: finding the channel or the people that a sender names. */

import { canReadChannel, canSendToChannel } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { CONVERSATION_SIZE_MAX } from '../../domain/limits.ts'
import { findUnseenCharacter } from '../../domain/unseen-characters.ts'
import { SYSTEM_GROUPS } from '../../domain/system-groups.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'

/** What can be wrong with a channel or with people, by their ids, as where something is sent. */
export const TARGET_ERRORS = [
  'CHANNEL_ID_UNKNOWN',
  'CHANNEL_CLOSED',
  'POSTING_FORBIDDEN',
  'RECIPIENT_ID_UNKNOWN',
  'RECIPIENT_DEACTIVATED',
  'TOO_MANY_RECIPIENTS',
  'DIRECT_MESSAGES_DISABLED',
  'DIRECT_MESSAGE_UNAUTHORIZED',
  'NEW_CONVERSATION_FORBIDDEN',
] as const satisfies readonly ErrorName[]

/** What can be wrong with where a message goes, and with what it says. */
export const SEND_ERRORS = [
  ...TARGET_ERRORS,
  'TOPIC_CHARACTER',
  'EMPTY_TOPIC_FORBIDDEN',
  'EMPTY_TOPIC_REQUIRED',
  'NEW_TOPIC_FORBIDDEN',
  'RECIPIENTS_MISSING',
  'MESSAGE_EMPTY',
  'MESSAGE_RENDERING_FAILED',
  'GROUP_MENTION_FORBIDDEN',
  'CHANNEL_WILDCARD_FORBIDDEN',
  'TOPIC_WILDCARD_FORBIDDEN',
] as const satisfies readonly ErrorName[]

/** The failures of a target that a sender names. */
export type SendFail = Fail<
  | (typeof TARGET_ERRORS)[number]
  | 'CHANNEL_NAMED_UNKNOWN'
  | 'SINGLE_CHANNEL_EXPECTED'
  | 'EMPTY_TOPIC_FORBIDDEN'
  | 'EMPTY_TOPIC_REQUIRED'
  | 'NEW_TOPIC_FORBIDDEN'
  | 'RECIPIENTS_MISSING'
  | 'RECIPIENT_EMAIL_UNKNOWN'
>

/** The one channel that is named, if the sender may send there; absent and forbidden look alike. */
export function findTargetChannel(
  to: readonly (string | number)[],
  sender: User,
  state: OrganizationState,
  fail: SendFail,
): ChannelState {
  const [target] = to
  if (target === undefined || to.length > 1) throw fail('SINGLE_CHANNEL_EXPECTED')
  const channel =
    typeof target === 'number'
      ? state.channels.get(target as ChannelId)
      : state.findChannelByName(target.trim())
  if (!channel || !canReadChannel(sender, channel, state.rights)) {
    throw typeof target === 'number'
      ? fail('CHANNEL_ID_UNKNOWN', { id: target })
      : fail('CHANNEL_NAMED_UNKNOWN', { name: target.trim() })
  }
  checkPosting(sender, channel, state, fail)
  return channel
}

/** Throws where a sender who reads a channel may not send there. */
export function checkPosting(
  sender: User,
  channel: ChannelState,
  state: OrganizationState,
  fail: Fail<'CHANNEL_CLOSED' | 'POSTING_FORBIDDEN'>,
): void {
  if (channel.channel.isArchived) throw fail('CHANNEL_CLOSED', { name: channel.channel.name })
  if (!canSendToChannel(sender, channel, state.rights)) throw fail('POSTING_FORBIDDEN')
}

/** Whether only a topic that is there already is open to the sender. */
export function needsKnownTopic(sender: User, { channel }: ChannelState, state: OrganizationState): boolean {
  return !state.rights.holds(sender, channel.permissions.canCreateTopic)
}

/** Throws where a topic could not be told from another by its looks; those there already stay as they are. */
export function checkTopicName(topic: string, fail: Fail<'TOPIC_CHARACTER'>): void {
  const position = findUnseenCharacter(topic)
  if (position !== undefined) throw fail('TOPIC_CHARACTER', { position })
}

/** Throws where the sender may not write in this topic; `isKnown` tells whether the topic is there, where that matters. */
export function checkTopic(
  topic: string,
  isKnown: boolean,
  sender: User,
  channel: ChannelState,
  state: OrganizationState,
  fail: SendFail,
): void {
  const { topicsPolicy } = channel.channel
  const policy = topicsPolicy === 'inherit' ? state.settings.topicsPolicy : topicsPolicy
  if (topic === '' && policy === 'disable_empty_topic') throw fail('EMPTY_TOPIC_FORBIDDEN')
  if (topic !== '' && policy === 'empty_topic_only') throw fail('EMPTY_TOPIC_REQUIRED')
  if (!isKnown && needsKnownTopic(sender, channel, state)) throw fail('NEW_TOPIC_FORBIDDEN')
}

/** The people that are named, and the sender, if they may talk. */
export function findRecipients(
  to: readonly (string | number)[],
  senderId: UserId,
  state: OrganizationState,
  fail: SendFail,
): User[] {
  const sender = state.getUser(senderId)
  const partners = new Map<UserId, User>([[senderId, sender]])
  // A lone text may be several addresses, as older clients write them.
  const given = to.length === 1 && typeof to[0] === 'string' ? to[0].split(',') : to
  const wanted = given.map((one) => (typeof one === 'string' ? one.trim() : one)).filter((one) => one !== '')
  if (wanted.length === 0) throw fail('RECIPIENTS_MISSING')
  for (const one of wanted) {
    const user =
      typeof one === 'number'
        ? state.findKnownUser(sender, one as UserId)
        : state.findUserByApiEmail(one, sender)
    if (!user) {
      throw typeof one === 'number'
        ? fail('RECIPIENT_ID_UNKNOWN', { id: one })
        : fail('RECIPIENT_EMAIL_UNKNOWN', { email: one })
    }
    partners.set(user.id, user)
  }
  const recipients = [...partners.values()]
  checkRecipients(recipients, senderId, state, fail)
  return recipients
}

/** Throws where these people, the sender included, may not talk. */
export function checkRecipients(
  recipients: readonly User[],
  senderId: UserId,
  state: OrganizationState,
  fail: Fail<
    | 'RECIPIENT_ID_UNKNOWN'
    | 'TOO_MANY_RECIPIENTS'
    | 'RECIPIENT_DEACTIVATED'
    | 'DIRECT_MESSAGES_DISABLED'
    | 'DIRECT_MESSAGE_UNAUTHORIZED'
  >,
): void {
  if (recipients.length > CONVERSATION_SIZE_MAX)
    throw fail('TOO_MANY_RECIPIENTS', { countMax: CONVERSATION_SIZE_MAX })
  for (const user of recipients) {
    if (!state.sight.knows(senderId, user.id)) throw fail('RECIPIENT_ID_UNKNOWN', { id: user.id })
    if (user.isActive || user.id === senderId) continue
    throw fail('RECIPIENT_DEACTIVATED', { email: state.apiEmailOf(user) })
  }
  const permission = state.permissions.directMessagePermission
  const isAuthorized = (user: User) => state.rights.holds(user, permission)
  // The sender mostly holds it themself.
  if (isAuthorized(state.getUser(senderId)) || isWithBotsOnly(recipients, senderId)) return
  if (recipients.some(isAuthorized)) return
  throw permission === SYSTEM_GROUPS.nobody
    ? fail('DIRECT_MESSAGES_DISABLED')
    : fail('DIRECT_MESSAGE_UNAUTHORIZED')
}

/** Whether only a conversation that is there already is open to the sender. */
export function needsKnownConversation(
  recipients: readonly User[],
  senderId: UserId,
  state: OrganizationState,
): boolean {
  const { directMessageInitiator } = state.permissions
  if (state.rights.holds(state.getUser(senderId), directMessageInitiator)) return false
  return !isWithBotsOnly(recipients, senderId)
}

/** Whether nobody else is a person: one's own notes, and what one asks of bots, are nobody's to permit. */
function isWithBotsOnly(recipients: readonly User[], senderId: UserId): boolean {
  return recipients.every(({ id, botType }) => id === senderId || botType !== null)
}
