/** Adding a reaction and taking it back. */

import type { Destination, Reaction } from '../../domain/entities.ts'
import type { ReactionEvent } from '../../domain/events/messages.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Call } from '../operation.ts'
import type { Params } from '../params.ts'
import { changeMessage } from './change-message.ts'

/** Commits the reaction that `choose` finds among, or beside, those that the message has; answers where that is. */
export async function changeReaction(
  type: ReactionEvent['type'],
  messageId: MessageId,
  call: Omit<Call<Params, 'MESSAGE_UNKNOWN'>, 'params'>,
  choose: (reactions: readonly Reaction[]) => Reaction,
): Promise<Destination> {
  return changeMessage(messageId, call, ({ reactions }, channelId) => {
    return { type, messageId, channelId, ...choose(reactions) }
  })
}
