/** Opens parts of a message's tools from elsewhere, as by a key, where the user may use them. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import { isOpen, mayEdit } from '../../store/derived/message-permissions.ts'
import { activeId, editingId, reactingId } from './shown-message.ts'

export function edit(app: App, message: Message): void {
  if (mayEdit(app.state.peek(), message, Math.floor(Date.now() / 1_000))) editingId.value = message.id
}

export function openReactions(app: App, message: Message): void {
  if (!isOpen(app.state.peek(), message)) return
  activeId.value = message.id
  reactingId.value = message.id
}
