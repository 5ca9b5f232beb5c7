/** Checks the allowed actions in polls and to-do lists: each kind has exact fields. */

import type { WidgetType } from '../../../domain/messages/widgets.ts'
import type { ErrorName, Fail } from '../../../errors/api-error.ts'
import { oneOfValues } from '../../one-of-values.ts'
import { boolean, integer, object, oneOf, type Params, required, type Type, text } from '../../params.ts'

/** The errors of an action in a poll or to-do list. */
export const SUBMESSAGE_ERRORS = [
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
export function checkSubmessage(
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
