/** Changing what hangs on a message: who may, who is told, and again where something came between. */

import { readReceivers, type SingleMessage } from '../../../db/single-message.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import type { Destination, Message } from '../../domain/entities.ts'
import type { LogEvent } from '../../domain/events.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { findMessage } from '../../changes/messages/find-message.ts'
import { canReadMessage } from '../../decisions/messages/message-access.ts'
import type { Call } from '../operation.ts'
import type { Params } from '../params.ts'

/** Commits the event that `choose` makes of a message, and answers where that is; throws what the caller shall be told when it may not be. */
export async function changeMessage(
  messageId: MessageId,
  { user, services, fail }: Omit<Call<Params, 'MESSAGE_UNKNOWN'>, 'params'>,
  choose: (message: Message, channelId: ChannelId | null) => LogEvent,
): Promise<Destination> {
  const { sql, state, committer } = services
  return committer.turns.change(`message ${messageId}`, StaleMessageError, async () => {
    const found = await findMessage(messageId, user, services)
    if (!found || isClosed(found, state)) throw fail('MESSAGE_UNKNOWN')
    const { destination } = found.message
    const channelId = destination.kind === 'channel' ? destination.channelId : null
    const event = choose(found.message, channelId)
    const receiverIds =
      channelId !== null && !state.getChannel(channelId).channel.isHistoryPublic
        ? await readReceivers(sql, channelId, messageId)
        : undefined
    await committer.submit({
      kind: 'structure',
      decide(now) {
        const own = now.getUser(user.id)
        if (!canReadMessage(own, found, now) || isClosed(found, now)) throw fail('MESSAGE_UNKNOWN')
        const users = listenersOf(found, receiverIds, now).union(UserSet.of([user.id]))
        const audience = { kind: 'users', users: users.intersection(now.rights.activeUsers) } as const
        return { events: [{ event, audience }], reply: () => undefined }
      },
    })
    return destination
  })
}

/** Whether the message is in an archived channel, where nothing changes any more. */
export function isClosed({ message: { destination } }: SingleMessage, state: OrganizationState): boolean {
  return destination.kind === 'channel' && state.getChannel(destination.channelId).channel.isArchived
}

/** Those who are subscribed and may read the message: where the past is closed, only who was when it was sent. */
export function listenersOf(
  { message: { destination } }: SingleMessage,
  receiverIds: readonly UserId[] | undefined,
  state: OrganizationState,
): UserSet {
  if (destination.kind === 'direct') return UserSet.of(destination.userIds)
  const { channel, subscribers } = state.getChannel(destination.channelId)
  if (channel.isHistoryPublic) return subscribers
  // The past was open when the receivers were not asked for.
  if (!receiverIds) throw new StaleMessageError()
  return subscribers.intersection(UserSet.of(receiverIds))
}
