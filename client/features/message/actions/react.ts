/** Opens the emoji picker for a message. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { isOpen } from '../../../store/derived/message-permissions.ts'
import type { Action } from '../../../ui/action.ts'
import { MessageParts } from '../message-parts.ts'
import { t } from '../../../texts/texts.ts'

export const react: Action<Message> = {
  name: 'react',
  label: t('React'),
  icon: 'smile',
  key: ['+', t('React')],
  may: (app, message) => isOpen(app.state.peek(), message),
  run: (app, { id }) => {
    const parts = app.part(MessageParts)
    parts.activeId.value = id
    parts.reactingId.value = id
  },
}
