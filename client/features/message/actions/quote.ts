/** Takes a message as a quote into the composer of its conversation. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { mayReply } from '../../../store/derived/message-permissions.ts'
import type { Action } from '../../../ui/action.ts'
import { conversationOf, quoteOf } from '../quote-of.ts'
import { writeIn } from '../write-in.ts'
import { t } from '../../../texts/texts.ts'

export const quote: Action<Message> = {
  name: 'quote',
  label: t('Quote'),
  key: ['>', t('Quote and reply')],
  may: (app, message) => mayReply(app.state.peek(), message),
  run: async (app, message) =>
    writeIn(app, conversationOf(app, message), await quoteOf(app, message), message.id),
}
