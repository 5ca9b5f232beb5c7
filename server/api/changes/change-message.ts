/** Changing what hangs on a message: who may, who is told, and again where something came between. */

import { readReceivers } from '../../../db/single-message.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import type { Destination, Message } from '../../domain/entities.ts'
import type { LogEvent } from '../../domain/events.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import { findMessage } from '../../changes/messages/find-message.ts'
import { canReadMessage, isClosed, listenersOf } from '../../decisions/messages/message-access.ts'
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
