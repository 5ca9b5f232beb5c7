/** Marks a message and the later ones of its conversation as unread. */

import { MESSAGES_PER_PAGE_MAX } from '../../../../packages/rules/limits.ts'
import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { mayMarkUnread } from '../../../store/derived/message-permissions.ts'
import type { Action } from '../../../ui/action.ts'
import { showToast, showError } from '../../../ui/toasts.tsx'
import { conversationOf } from '../quote-of.ts'
import { t } from '../../../texts/texts.ts'

export const markUnread: Action<Message> = {
  name: 'mark-unread',
  label: t('Mark as unread from here'),
  key: ['u', t('Mark as unread from here')],
  may: (app, message) => mayMarkUnread(app.state.peek(), message),
  run: async (app, message) => {
    const place = { anchor: String(message.id), num_before: 0, num_after: MESSAGES_PER_PAGE_MAX }
    const narrow = conversationOf(app, message).map(({ operator, operand }) => ({ operator, operand }))
    const mark = (op: 'add' | 'remove') =>
      app.api.call('POST /messages/flags/narrow', { ...place, narrow, op, flag: 'read' })
    // Messages on the screen would be read again at once.
    await app.reader.pause()
    const { updated_count: count } = await mark('remove')
    const text = t('{count, plural, one {One message} other {# messages}} marked as unread', { count })
    showToast(text, { text: t('Undo'), run: () => void mark('add').catch(showError) })
  },
}
