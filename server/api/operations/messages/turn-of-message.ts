/** Changes of one message take turns. */

import { StaleMessageError } from '../../../../db/stale-message.ts'
import type { MessageId } from '../../../domain/ids.ts'

/** Whose turn a change of a message has to be. */
export function turnOfMessage({ params }: { readonly params: { readonly message_id: MessageId } }) {
  return { object: `message ${params.message_id}`, Stale: StaleMessageError }
}
