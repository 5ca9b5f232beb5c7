/** Loads the data for a change of a reaction or a submessage. */

import type { MessageChange } from '../../decisions/messages/change-message.ts'
import type { Scope } from '../../decisions/scope.ts'
import type { Message } from '../../domain/entities.ts'
import type { LogEvent } from '../../domain/events.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import type { Sending } from '../sending.ts'
import { findOpenMessage, readReceiversOfClosed } from './find-message.ts'

/** The change of a message that `choose` returns; it throws the caller's error if no change is possible. */
export async function prepareMessageChange(
  services: Pick<Sending, 'sql' | 'state'>,
  scope: Pick<Scope<'MESSAGE_UNKNOWN'>, 'caller' | 'fail'>,
  id: MessageId,
  choose: (message: Message, channelId: ChannelId | null) => LogEvent,
): Promise<MessageChange> {
  const found = await findOpenMessage(services, scope, id)
  const { message } = found
  const { destination } = message
  const event = choose(message, destination.kind === 'channel' ? destination.channelId : null)
  return { found, event, receiverIds: await readReceiversOfClosed(services, message) }
}
