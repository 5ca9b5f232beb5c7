/** Changes of one message take turns. */

import { StaleMessageError } from '../../../../db/messages/stale-message.ts'
import type { MessageId } from '../../../domain/ids.ts'

/** The turn for a change of a message. */
export function turnOfMessage({ params }: { readonly params: { readonly message_id: MessageId } }) {
  return { object: `message ${params.message_id}`, Stale: StaleMessageError }
}
