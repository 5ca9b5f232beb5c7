/** Edits a message in its place. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { mayEdit } from '../../../store/derived/message-permissions.ts'
import type { Action } from '../../../ui/action.ts'
import { MessageParts } from '../message-parts.ts'
import { t } from '../../../texts/texts.ts'

export const edit: Action<Message> = {
  name: 'edit',
  label: t('Edit'),
  icon: 'pen',
  key: ['e', t('Edit')],
  may: (app, message) => mayEdit(app.state.peek(), message, Math.floor(Date.now() / 1_000)),
  run: (app, { id }) => void (app.part(MessageParts).editingId.value = id),
}
