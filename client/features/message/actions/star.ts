/** Stars a message, or removes the star: shown at once, and taken back if the server refuses. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { type Action, always } from '../../../ui/action.ts'
import { t } from '../../../texts/texts.ts'

export const star: Action<Message> = {
  name: 'star',
  label: (_, { flags }) => (flags.includes('starred') ? t('Unstar') : t('Star')),
  icon: 'star',
  key: ['*', t('Star or unstar')],
  may: always,
  run: async (app, { id, flags }) => {
    const op = flags.includes('starred') ? 'remove' : 'add'
    const show = (shown: 'add' | 'remove') =>
      app.messages.apply({
        id: 0,
        type: 'update_message_flags',
        op: shown,
        operation: shown,
        flag: 'starred',
        messages: [id],
        all: false,
      })
    show(op)
    try {
      await app.api.call('POST /messages/flags', { messages: [id], op, flag: 'starred' })
    } catch (error) {
      show(op === 'add' ? 'remove' : 'add')
      throw error
    }
  },
}
