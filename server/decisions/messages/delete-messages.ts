/** Deleting messages: who may, who is told, and how. */

import type { MessageDeletion } from '../../../db/message-deletion.ts'
import type { LinkedOne } from '../../../db/message-uploads.ts'
import type { TopicDeletion } from '../../../db/topics.ts'
import type { Decision } from '../decision.ts'
import { clientsOf } from '../../audience/tell-visibility.ts'
import { canReadChannel } from '../../domain/channel-access.ts'
import { type Message, ROLES, type User } from '../../domain/entities.ts'
import type { Audience, NewEvent } from '../../domain/events.ts'
import type { ChannelId, MessageId, UploadId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { removeUploads } from '../uploads/remove-uploads.ts'

/** What deleting messages of a topic comes to, and how many go; without a plan there is nothing to delete. */
export function decideTopicDeletion(
  state: OrganizationState,
  userId: UserId,
  channelId: ChannelId,
  plan: TopicDeletion | undefined,
  fail: Fail<'CHANNEL_UNKNOWN' | 'PERMISSION_MISSING'>,
): Decision<number> {
  const user = state.getUser(userId)
  const channel = state.findReadableChannel(user, channelId)
  if (!channel) throw fail('CHANNEL_UNKNOWN')
  if (!mayDeleteAnyMessage(user, channel, state)) throw fail('PERMISSION_MISSING')
  if (!plan) return { events: [], reply: () => 0 }
  return {
    events: deleteFromChannel(state, user, channel, plan.topic, plan),
    reply: () => plan.messageIds.length,
  }
}

/** Throws where a user who reads a message may not delete it now. */
export function checkDeletion(
  user: User,
  { destination, senderId, sentAt }: Message,
  state: OrganizationState,
  nowSeconds: number,
  fail: Fail<'MESSAGE_DELETION_FORBIDDEN' | 'MESSAGE_DELETION_TOO_LATE'>,
): void {
  const channel = destination.kind === 'channel' ? state.getChannel(destination.channelId) : undefined
  if (mayDeleteAnyMessage(user, channel, state)) return
  const isOwn = senderId === user.id || state.getUser(senderId).botOwnerId === user.id
  const settings = [
    state.permissions.canDeleteOwnMessage,
    ...(channel ? [channel.channel.permissions.canDeleteOwnMessage] : []),
  ]
  if (!isOwn || !settings.some((setting) => state.rights.holds(user, setting)))
    throw fail('MESSAGE_DELETION_FORBIDDEN')
  const limitSeconds = state.settings.contentDeleteLimitSeconds
  if (limitSeconds !== null && nowSeconds - sentAt > limitSeconds) throw fail('MESSAGE_DELETION_TOO_LATE')
}

function mayDeleteAnyMessage(
  user: User,
  channel: ChannelState | undefined,
  state: OrganizationState,
): boolean {
  if (user.role === ROLES.guest) return false // However they come to hold it.
  const settings = [
    state.permissions.canDeleteAnyMessage,
    ...(channel ? [channel.channel.permissions.canDeleteAnyMessage] : []),
  ]
  return settings.some((setting) => state.rights.holds(user, setting))
}

/** The events by which messages of a topic go for good. */
export function deleteFromChannel(
  state: OrganizationState,
  user: User,
  channel: ChannelState,
  topic: string,
  { receiverIds, markerIds, uploads, ...deletion }: MessageDeletion,
): NewEvent[] {
  const { id: channelId, name } = channel.channel
  const audience = audienceOf(state, user, channel, receiverIds, markerIds)
  const events: NewEvent[] = [
    {
      event: {
        type: 'delete_message',
        channelId,
        topic,
        ...deletion,
        ...lostOf(uploads),
        clients: 'with_bulk_deletion',
      },
      audience,
    },
    ...tellEach(channelId, topic, deletion.messageIds, audience),
    ...removeLost(state, uploads),
  ]
  const { firstMessageId } = deletion
  if (firstMessageId !== channel.firstMessageId) {
    const change = { kind: 'firstMessage', firstMessageId } as const
    events.push({
      event: { type: 'stream/update', channelId, name, change, ...clientsOf(channel.channel) },
      audience: { kind: 'users', users: channel.subscribers.intersection(state.rights.activeUsers) },
    })
  }
  return events
}

/** The events by which a direct message goes for good. */
export function deleteDirectMessage(
  state: OrganizationState,
  messageId: MessageId,
  partnerIds: readonly UserId[],
  uploads: readonly LinkedOne[],
): NewEvent[] {
  const audience: Audience = {
    kind: 'users',
    users: UserSet.of(partnerIds).intersection(state.rights.activeUsers),
  }
  const place = { channelId: null, topic: '' } as const
  const deletion = { messageIds: [messageId], countsByDay: [], firstMessageId: null, ...lostOf(uploads) }
  return [
    { event: { type: 'delete_message', ...place, ...deletion, clients: 'with_bulk_deletion' }, audience },
    ...tellEach(null, '', [messageId], audience),
    ...removeLost(state, uploads),
  ]
}

/** The files whose last message goes: their owners are told once nothing links them. */
function removeLost(state: OrganizationState, uploads: readonly LinkedOne[]): NewEvent[] {
  return removeUploads(
    state.uploadSpaceUsed,
    uploads.filter(({ isLast }) => isLast),
  )
}

function lostOf(uploads: readonly LinkedOne[]): { readonly uploadIds?: readonly UploadId[] } {
  const uploadIds = uploads.filter(({ isLast }) => isLast).map(({ id }) => id)
  return uploadIds.length > 0 ? { uploadIds } : {}
}

/** Tells those who may not read messages any more where these are now that they are gone from a topic. */
export function tellHidden(
  channelId: ChannelId,
  topic: string,
  messageIds: readonly MessageId[],
  audience: Audience,
): NewEvent[] {
  return [
    {
      event: {
        type: 'delete_message/hidden',
        channelId,
        topic,
        messageIds,
        clients: 'with_bulk_deletion',
      },
      audience,
    },
    ...tellEach(channelId, topic, messageIds, audience),
  ]
}

function tellEach(
  channelId: ChannelId | null,
  topic: string,
  messageIds: readonly MessageId[],
  audience: Audience,
): NewEvent[] {
  return messageIds.map((messageId) => ({
    event: { type: 'delete_message/single', channelId, topic, messageId, clients: 'without_bulk_deletion' },
    audience,
  }))
}

/**
 * Who deletes them; those who received one of them and may still read the channel; and where its past is open, all
 * subscribers, and whoever marked one of them and may still read it. Where it is not, who came later is not told of
 * what is from before.
 */
function audienceOf(
  state: OrganizationState,
  { id }: User,
  channel: ChannelState,
  receiverIds: readonly UserId[],
  markerIds: readonly UserId[],
): Audience {
  const { isHistoryPublic } = channel.channel
  const readers = [...receiverIds, ...(isHistoryPublic ? markerIds : [])].filter((one) =>
    canReadChannel(state.getUser(one), channel, state.rights),
  )
  const concerned = UserSet.of([id, ...readers])
  const users = isHistoryPublic ? concerned.union(channel.subscribers) : concerned
  return { kind: 'users', users: users.intersection(state.rights.activeUsers) }
}
