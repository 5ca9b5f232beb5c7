/** Whether the current user may see the history of a message, by the same rules as on the server, which decides. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { isVisitor } from './visitor.ts'

/** Whether the message has versions that the user may see. */
export function maySeeHistory(state: State, message: Message): boolean {
  if (isVisitor(state)) return false
  const isMoved = message.last_moved_timestamp !== undefined
  const isEdited = message.last_edit_timestamp !== undefined
  const shown = state.realm_message_edit_history_visibility_policy
  return shown === 'moves' ? isMoved : shown === 'all' && (isMoved || isEdited)
}
