/** Opens the composer of a message's conversation. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { mayReply } from '../../../store/derived/message-permissions.ts'
import type { ActionWithEffect } from '../../../ui/action.ts'
import { conversationOf } from '../quote-of.ts'
import { writeIn } from '../write-in.ts'
import { t } from '../../../texts/texts.ts'

export const reply: ActionWithEffect<Message> = {
  name: 'reply',
  label: t('Reply'),
  icon: 'reply',
  key: ['r', t('Reply')],
  may: (app, message) => mayReply(app.state.peek(), message),
  run: (app, message) => writeIn(app, conversationOf(app, message), '', message.id),
}
