/** The decision to delete messages of a topic. */

import type { TopicDeletion } from '../../../db/topics.ts'
import type { Decision } from '../../actors/committer.ts'
import { canReadChannel } from '../../domain/channel-access.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { Audience, NewEvent } from '../../domain/events.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ChannelState, OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../errors.ts'
import { clientsOf } from './tell-visibility.ts'

/** What deleting comes to, and how many messages go; without a plan there is nothing to delete. */
export function decideDeletion(
  state: OrganizationState,
  userId: UserId,
  channelId: ChannelId,
  topic: string,
  plan: TopicDeletion | undefined,
  fail: Fail<'CHANNEL_UNKNOWN' | 'PERMISSION_MISSING'>,
): Decision<number> {
  const user = state.getUser(userId)
  const channel = state.findReadableChannel(user, channelId)
  if (!channel) throw fail('CHANNEL_UNKNOWN')
  if (!mayDeleteAnyMessage(user, channel, state)) throw fail('PERMISSION_MISSING')
  if (!plan) return { events: [], reply: () => 0 }
  const { receiverIds, ...deletion } = plan
  const { messageIds, firstMessageId } = plan
  const audience = audienceOf(state, channel, receiverIds)
  const place = { channelId, topic } as const
  const events: NewEvent[] = [
    { event: { type: 'delete_message', ...place, ...deletion, clients: 'with_bulk_deletion' }, audience },
    ...messageIds.map(
      (messageId): NewEvent => ({
        event: { type: 'delete_message/single', ...place, messageId, clients: 'without_bulk_deletion' },
        audience,
      }),
    ),
  ]
  if (firstMessageId !== channel.firstMessageId) {
    const { name } = channel.channel
    const change = { kind: 'firstMessage', firstMessageId } as const
    events.push({
      event: { type: 'stream/update', channelId, name, change, ...clientsOf(channel.channel) },
      audience: { kind: 'users', users: channel.subscribers.intersection(state.rights.activeUsers) },
    })
  }
  return { events, reply: () => messageIds.length }
}

function mayDeleteAnyMessage(user: User, { channel }: ChannelState, state: OrganizationState): boolean {
  if (user.role === ROLES.guest) return false // However they come to hold it.
  const settings = [state.permissions.canDeleteAnyMessage, channel.permissions.canDeleteAnyMessage]
  return settings.some((setting) => state.rights.holds(user, setting))
}

/**
 * Those who received one of the messages and may still read the channel; and where its past is open, all
 * subscribers. Where it is not, who came later is not told of a topic from before.
 */
function audienceOf(
  state: OrganizationState,
  channel: ChannelState,
  receiverIds: readonly UserId[],
): Audience {
  const readers = receiverIds.filter((id) => canReadChannel(state.getUser(id), channel, state.rights))
  const received = UserSet.of(readers)
  const users = channel.channel.isHistoryPublic ? received.union(channel.subscribers) : received
  return { kind: 'users', users: users.intersection(state.rights.activeUsers) }
}
