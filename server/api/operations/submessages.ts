/** Submessages: the state of polls and to-do lists. */

import type { MessageId } from '../../domain/ids.ts'
import { SUBMESSAGE_LENGTH_MAX, SUBMESSAGES_LENGTH_MAX } from '../../domain/limits.ts'
import { type WidgetType, widgetTypeOf } from '../../domain/messages/widgets.ts'
import { prepareMessageChange } from '../../changes/messages/prepare-change.ts'
import { decideMessageChange } from '../../decisions/messages/change-message.ts'
import { followByReacting } from '../../changes/topics/follow-topics.ts'
import { change } from '../change-operation.ts'
import { turnOfMessage } from './messages/turn-of-message.ts'
import { boolean, id, integer, object, oneOf, type Params, required, text, type Type } from '../params.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import { oneOfValues } from '../one-of-values.ts'

/** The errors of an action in a poll or to-do list. */
const SUBMESSAGE_ERRORS = [
  'SUBMESSAGE_MALFORMED',
  'SUBMESSAGE_INVALID',
  'QUESTION_FORBIDDEN',
  'TASK_TITLE_FORBIDDEN',
] as const satisfies readonly ErrorName[]

const field = (type: Type<unknown>) => required(type, '')

/** By widget, then by type, the fields beside `type`. */
const SHAPES: Readonly<Record<WidgetType, Readonly<Record<string, Params>>>> = {
  poll: {
    vote: { key: field(text()), vote: field(oneOfValues([1, -1])) },
    new_option: { idx: field(integer()), option: field(text()) },
    question: { question: field(text()) },
  },
  todo: {
    new_task: {
      key: field(integer()),
      task: field(text()),
      desc: field(text()),
      completed: field(boolean()),
    },
    strike: { key: field(text()) },
    new_task_list_title: { title: field(text()) },
  },
}

/** Throws unless a text is an action that the user may take. */
function checkSubmessage(
  { fail }: { readonly fail: Fail<(typeof SUBMESSAGE_ERRORS)[number]> },
  content: string,
  widget: WidgetType,
  isAuthor: boolean,
): void {
  const value = parse(content, fail)
  const what = `${widget} data`
  const { type } = object({ type: required(text(), '') }).check(value, what)
  const shape = Object.hasOwn(SHAPES[widget], type) ? SHAPES[widget][type] : undefined
  if (!shape) throw fail('SUBMESSAGE_INVALID', { message: `Unknown type for ${what}: ${type}` })
  if (!isAuthor && type === 'question') throw fail('QUESTION_FORBIDDEN')
  if (!isAuthor && type === 'new_task_list_title') throw fail('TASK_TITLE_FORBIDDEN')
  const whole = { type: field(oneOf(type)), ...shape }
  object(whole).check(value, what)
  const others = Object.keys(value as object).filter((name) => !Object.hasOwn(whole, name))
  if (others.length > 0)
    throw fail('SUBMESSAGE_INVALID', { message: `Unexpected arguments: ${others.join(', ')}` })
}

function parse(content: string, fail: Fail<'SUBMESSAGE_MALFORMED'>): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw fail('SUBMESSAGE_MALFORMED')
  }
}

/** `POST /submessage`: takes part in a poll or to-do list. */
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
