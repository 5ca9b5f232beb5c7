/** Edits a message in its place. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { mayEdit } from '../../../store/derived/message-permissions.ts'
import type { Action } from '../../../ui/action.ts'
import { MessageParts } from '../message-parts.ts'

export const edit: Action<Message> = {
  name: 'edit',
  label: 'Edit',
  icon: 'pen',
  key: ['e', 'Edit'],
  may: (app, message) => mayEdit(app.state.peek(), message, Math.floor(Date.now() / 1_000)),
  run: (app, { id }) => void (app.part(MessageParts).editingId.value = id),
}
