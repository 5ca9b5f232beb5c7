/** Deleting messages: who may, who is told, and how. */

import type { MessageDeletion } from '../../../db/message-deletion.ts'
import type { LinkedOne } from '../../../db/message-uploads.ts'
import type { SingleMessage } from '../../../db/single-message.ts'
import type { TopicDeletion } from '../../../db/topics.ts'
import { clientsOf } from '../../audience/tell-visibility.ts'
import { canReadChannel } from '../../domain/channel-access.ts'
import { type Message, ROLES } from '../../domain/entities.ts'
import type { Audience, NewEvent } from '../../domain/events.ts'
import type { ChannelId, MessageId, UploadId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { removeUploads } from '../uploads/remove-uploads.ts'
import { checkOpenMessage } from './message-access.ts'

/** Messages of a topic that are to go; without a plan there is nothing to delete. */
export interface TopicDeletionRequest {
  readonly channelId: ChannelId
  readonly plan: TopicDeletion | undefined
}

/** Deletes them, and answers how many they are. */
export function decideTopicDeletion(
  scope: Scope<'CHANNEL_UNKNOWN' | 'PERMISSION_MISSING'>,
  { channelId, plan }: TopicDeletionRequest,
): Decision<number> {
  const { state, caller, fail } = scope
  const channel = state.findReadableChannel(caller, channelId)
  if (!channel) throw fail('CHANNEL_UNKNOWN')
  if (!mayDeleteAnyMessage(scope, channel)) throw fail('PERMISSION_MISSING')
  if (!plan) return answering(0, [])
  return answering(
    plan.messageIds.length,
    deleteFromChannel(scope, { channel, topic: plan.topic, deletion: plan }),
  )
}

/** How deleting a message can fail where it may be read. */
export const DELETION_ERRORS = ['MESSAGE_DELETION_FORBIDDEN', 'MESSAGE_DELETION_TOO_LATE'] as const

/** A message that is to go, and what goes with it. */
export interface DeletionRequest {
  readonly found: SingleMessage
  readonly plan:
    | { readonly kind: 'direct'; readonly userIds: readonly UserId[]; readonly uploads: readonly LinkedOne[] }
    | {
        readonly kind: 'channel'
        readonly channelId: ChannelId
        readonly topic: string
        readonly deletion: MessageDeletion
      }
}

/** Deletes a message for good. */
export function decideDeletion(
  scope: Scope<'MESSAGE_UNKNOWN' | (typeof DELETION_ERRORS)[number]>,
  { found, plan }: DeletionRequest,
): Decision<void> {
  checkOpenMessage(scope, found)
  checkDeletion(scope, found.message)
  if (plan.kind === 'direct') return done(deleteDirectMessage(scope, found.message.id, plan))
  const { channelId, topic, deletion } = plan
  return done(deleteFromChannel(scope, { channel: scope.state.getChannel(channelId), topic, deletion }))
}

/** Throws where the caller, who reads a message, may not delete it now. */
export function checkDeletion(
  scope: Scope<(typeof DELETION_ERRORS)[number]>,
  { destination, senderId, sentAt }: Message,
): void {
  const { state, caller, now, fail } = scope
  const channel = destination.kind === 'channel' ? state.getChannel(destination.channelId) : undefined
  if (mayDeleteAnyMessage(scope, channel)) return
  const isOwn = senderId === caller.id || state.getUser(senderId).botOwnerId === caller.id
  const settings = [
    state.permissions.canDeleteOwnMessage,
    ...(channel ? [channel.channel.permissions.canDeleteOwnMessage] : []),
  ]
  if (!isOwn || !settings.some((setting) => state.rights.holds(caller, setting)))
    throw fail('MESSAGE_DELETION_FORBIDDEN')
  const limitSeconds = state.settings.contentDeleteLimitSeconds
  if (limitSeconds !== null && now - sentAt > limitSeconds) throw fail('MESSAGE_DELETION_TOO_LATE')
}

function mayDeleteAnyMessage(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  channel: ChannelState | undefined,
): boolean {
  if (caller.role === ROLES.guest) return false // In spite of any setting that they hold.
  const settings = [
    state.permissions.canDeleteAnyMessage,
    ...(channel ? [channel.channel.permissions.canDeleteAnyMessage] : []),
  ]
  return settings.some((setting) => state.rights.holds(caller, setting))
}

interface ChannelDeletion {
  readonly channel: ChannelState
  readonly topic: string
  readonly deletion: MessageDeletion
}

/** The events by which messages of a topic go for good. */
function deleteFromChannel(scope: Scope, gone: ChannelDeletion): NewEvent[] {
  const { state } = scope
  const { channel, topic } = gone
  const { receiverIds: _, markerIds: __, uploads, ...deletion } = gone.deletion
  const { id: channelId, name } = channel.channel
  const audience = audienceOf(scope, channel, gone.deletion)
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
    ...tellEach({ channelId, topic, messageIds: deletion.messageIds }, audience),
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
function deleteDirectMessage(
  { state }: Scope,
  messageId: MessageId,
  { userIds, uploads }: Extract<DeletionRequest['plan'], { kind: 'direct' }>,
): NewEvent[] {
  const audience: Audience = {
    kind: 'users',
    users: UserSet.of(userIds).intersection(state.rights.activeUsers),
  }
  const place = { channelId: null, topic: '' } as const
  const deletion = { messageIds: [messageId], countsByDay: [], firstMessageId: null, ...lostOf(uploads) }
  return [
    { event: { type: 'delete_message', ...place, ...deletion, clients: 'with_bulk_deletion' }, audience },
    ...tellEach({ ...place, messageIds: [messageId] }, audience),
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

interface GoneMessages {
  /** Null for a direct message. */
  readonly channelId: ChannelId | null
  readonly topic: string
  readonly messageIds: readonly MessageId[]
}

/** Tells users who may not read messages any more where these are now that they are gone from a topic. */
export function tellHidden({
  channelId,
  topic,
  messageIds,
  users,
}: GoneMessages & { readonly channelId: ChannelId; readonly users: UserSet }): NewEvent[] {
  const audience = { kind: 'users', users } as const
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
    ...tellEach({ channelId, topic, messageIds }, audience),
  ]
}

function tellEach({ channelId, topic, messageIds }: GoneMessages, audience: Audience): NewEvent[] {
  return messageIds.map((messageId) => ({
    event: { type: 'delete_message/single', channelId, topic, messageId, clients: 'without_bulk_deletion' },
    audience,
  }))
}

/**
 * The caller, and the users who received one of them and may still read the channel. Where its past is open, also all
 * subscribers, and the users who marked one of them and may still read it. Where it is closed, users who came later are
 * not told of messages from before.
 */
function audienceOf(
  { state, caller }: Scope,
  channel: ChannelState,
  { receiverIds, markerIds }: MessageDeletion,
): Audience {
  const { isHistoryPublic } = channel.channel
  const readers = [...receiverIds, ...(isHistoryPublic ? markerIds : [])].filter((one) =>
    canReadChannel(state.getUser(one), channel, state.rights),
  )
  const concerned = UserSet.of([caller.id, ...readers])
  const users = isHistoryPublic ? concerned.union(channel.subscribers) : concerned
  return { kind: 'users', users: users.intersection(state.rights.activeUsers) }
}
