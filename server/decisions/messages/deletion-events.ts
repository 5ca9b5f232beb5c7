/** The events of deleted messages, and their recipients. */

import type { Decided } from '../decision.ts'
import type { MessageDeletion } from '../../../db/messages/message-deletion.ts'
import type { LinkedUploadId } from '../../../db/files/message-uploads.ts'
import { clientsOf } from '../../audience/channel-clients.ts'
import type { Audience, Fact, NewEvent } from '../../domain/events.ts'
import { canReadChannel } from '../../../packages/rules/channels.ts'
import type { ChannelId, MessageId, UploadId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { pinsOfDeleted } from '../channels/change-pins.ts'
import { removeUploads } from '../uploads/remove-uploads.ts'

/** Messages of a topic to delete, with their dependent data. */
export interface ChannelDeletion {
  readonly channel: ChannelState
  readonly topic: string
  readonly deletion: MessageDeletion
}

/** Direct messages of one conversation to delete, with their dependent data. */
export interface DirectDeletion {
  /** Ascending. */
  readonly messageIds: readonly MessageId[]
  readonly userIds: readonly UserId[]
  readonly uploads: readonly LinkedUploadId[]
}

/** The scope of a deletion by a user, or by the server itself. */
type Deleter = ServerScope & Partial<Pick<Scope, 'caller'>>

/** The events of deleted messages of a topic. */
export function deleteFromChannel(scope: Deleter, gone: ChannelDeletion): Decided[] {
  const { state } = scope
  const { channel, topic } = gone
  const { receiverIds: _, markerIds: __, uploads, ...deletion } = gone.deletion
  const { id: channelId, name } = channel.channel
  const audience = audienceOf(scope, channel, gone.deletion)
  const events: Decided[] = [
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
    ...singleDeletions({ channelId, topic, messageIds: deletion.messageIds }, audience),
    ...removeLost(state, uploads),
  ]
  events.push(...pinsOfDeleted(channel, deletion.messageIds))
  const { firstMessageId } = deletion
  if (firstMessageId !== channel.firstMessageId) {
    const change = { kind: 'firstMessage', firstMessageId } as const
    events.push({
      event: { type: 'stream/update_shown', channelId, name, change, ...clientsOf(channel.channel) },
      audience: { kind: 'users', users: channel.subscribers.intersection(state.rights.activeUsers) },
    })
  }
  return events
}

/** The events of deleted messages of a conversation. */
export function deleteFromConversation(
  { state }: ServerScope,
  { messageIds, userIds, uploads }: DirectDeletion,
): Decided[] {
  const audience: Audience = {
    kind: 'users',
    users: UserSet.of(userIds).intersection(state.rights.activeUsers),
  }
  const place = { channelId: null, topic: '' } as const
  const deletion = { messageIds, countsByDay: [], firstMessageId: null, ...lostOf(uploads) }
  return [
    { event: { type: 'delete_message', ...place, ...deletion, clients: 'with_bulk_deletion' }, audience },
    ...singleDeletions({ ...place, messageIds }, audience),
    ...removeLost(state, uploads),
  ]
}

/** Removes the files that only the deleted messages link; their owners get these events. */
function removeLost(state: OrganizationState, uploads: readonly LinkedUploadId[]): Fact[] {
  return removeUploads(
    state.uploadSpaceUsed,
    uploads.filter(({ isLast }) => isLast),
  )
}

function lostOf(uploads: readonly LinkedUploadId[]): { readonly uploadIds?: readonly UploadId[] } {
  const uploadIds = uploads.filter(({ isLast }) => isLast).map(({ id }) => id)
  return uploadIds.length > 0 ? { uploadIds } : {}
}

interface GoneMessages {
  /** Null for a direct message. */
  readonly channelId: ChannelId | null
  readonly topic: string
  readonly messageIds: readonly MessageId[]
}

/** Deletes messages for users who may not read their new place. */
export function hiddenEvents({
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
    ...singleDeletions({ channelId, topic, messageIds }, audience),
  ]
}

function singleDeletions({ channelId, topic, messageIds }: GoneMessages, audience: Audience): NewEvent[] {
  return messageIds.map((messageId) => ({
    event: { type: 'delete_message/single', channelId, topic, messageId, clients: 'without_bulk_deletion' },
    audience,
  }))
}

/**
 * The caller, if any, and recipients of one of the messages who may still read the channel. If its history is shared, also all
 * subscribers, and users who flagged one of the messages and may still read it. Without shared history, users who
 * joined later get no event.
 */
function audienceOf(
  { state, caller }: Deleter,
  channel: ChannelState,
  { receiverIds, markerIds }: MessageDeletion,
): Audience {
  const { isHistoryPublic } = channel.channel
  const readers = [...receiverIds, ...(isHistoryPublic ? markerIds : [])].filter((one) =>
    canReadChannel(state.getUser(one), channel, state.rights),
  )
  const concerned = UserSet.of([...(caller ? [caller.id] : []), ...readers])
  const users = isHistoryPublic ? concerned.union(channel.subscribers) : concerned
  return { kind: 'users', users: users.intersection(state.rights.activeUsers) }
}
