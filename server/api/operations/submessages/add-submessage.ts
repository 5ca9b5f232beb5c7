/** `POST /submessage`: takes part in a poll or to-do list. */

import type { MessageId } from '../../../domain/ids.ts'
import { SUBMESSAGE_LENGTH_MAX, SUBMESSAGES_LENGTH_MAX } from '../../../domain/limits.ts'
import { widgetTypeOf } from '../../../domain/messages/widgets.ts'
import { prepareMessageChange } from '../../../changes/messages/prepare-change.ts'
import { decideMessageChange } from '../../../decisions/messages/change-message.ts'
import { followByReacting } from '../../../changes/topics/follow-topics.ts'
import { change } from '../../change-operation.ts'
import { turnOfMessage } from '../messages/turn-of-message.ts'
import { id, oneOf, required, text } from '../../params.ts'
import { checkSubmessage, SUBMESSAGE_ERRORS } from './check-submessage.ts'

export const addSubmessage = change({
  method: 'POST',
  path: '/submessage',
  summary: 'Take part in a poll or to-do list',
  description:
    'Adds a vote, an option or a task to a message that began with `/poll` or `/todo`. All readers of the ' +
    'message can do this, but only its sender can change the question or the title.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    msg_type: required(oneOf('widget'), 'The kind: `widget`.'),
    content: required(
      text({ lengthMax: SUBMESSAGE_LENGTH_MAX }),
      'JSON. In a poll `{"type":"vote","key","vote"}`, `{"type":"new_option","idx","option"}` or ' +
        '`{"type":"question","question"}`; in a list `{"type":"new_task","key","task","desc","completed"}`, ' +
        '`{"type":"strike","key"}` or `{"type":"new_task_list_title","title"}`.',
    ),
  },
  reply: {},
  errors: ['MESSAGE_UNKNOWN', 'SUBMESSAGE_REFUSED', 'TOO_MANY_SUBMESSAGES', ...SUBMESSAGE_ERRORS],
  events: ['submessage', 'user_topic', 'muted_topics'],
  async prepare({ params, user, services, fail }) {
    const { message_id: messageId, content } = params
    const caller = { caller: user, fail }
    return prepareMessageChange(services, caller, messageId, ({ senderId, submessages }, channelId) => {
      const widget = widgetTypeOf(submessages)
      if (!widget) throw fail('SUBMESSAGE_REFUSED')
      checkSubmessage({ fail }, content, widget, senderId === user.id)
      const lengths = submessages.map((one) => one.content.length)
      if (lengths.reduce((sum, length) => sum + length, content.length) > SUBMESSAGES_LENGTH_MAX)
        throw fail('TOO_MANY_SUBMESSAGES')
      return { type: 'submessage', messageId, channelId, senderId: user.id, content }
    })
  },
  decide: decideMessageChange,
  turn: turnOfMessage,
  async answer(_, { user, services }, { found }) {
    await followByReacting(found.message.destination, user, services)
    return {}
  },
})
