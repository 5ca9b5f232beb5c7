/** Opens a message in its conversation; there, answers it. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { term } from '../../../store/narrows/narrow.ts'
import { isSame } from '../../../store/narrows/is-same.ts'
import { type Action, always } from '../../../ui/action.ts'
import { conversationOf } from '../quote-of.ts'
import { reply } from './reply.ts'
import { t } from '../../../texts/texts.ts'

export const open: Action<Message> = {
  name: 'open',
  label: t('Open in conversation'),
  key: ['Enter', t('Open in conversation; there, reply')],
  may: always,
  run: (app, message) => {
    const narrow = [...conversationOf(app, message), term('near', message.id)]
    const route = { view: 'narrow', narrow } as const
    if (!isSame(app.router.route.peek(), route)) return app.router.go(route)
    return reply.run(app, message)
  },
}
