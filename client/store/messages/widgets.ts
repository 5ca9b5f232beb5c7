/** Polls and to-do lists: the state that the submessages of a message add up to. */

import type { Message } from '../../../packages/client/src/wire-types.ts'

/** The sender in the keys of entries that the message itself begins with. */
const CANNED = 'canned'

export interface PollOption {
  readonly key: string
  readonly text: string
  /** The users who vote for it, in the order of their votes. */
  readonly voterIds: readonly number[]
}

export interface Task {
  readonly key: string
  readonly text: string
  readonly description: string
  readonly isDone: boolean
}

export type Widget =
  | { readonly type: 'poll'; readonly question: string; readonly options: readonly PollOption[] }
  | { readonly type: 'todo'; readonly title: string; readonly tasks: readonly Task[] }

type Submessages = Pick<Message, 'sender_id' | 'submessages'>

/** Undefined if the message is neither, or of a kind that this client does not know. Unknown entries have no effect. */
export function widgetOf({ sender_id: authorId, submessages }: Submessages): Widget | undefined {
  const [first, ...entries] = submessages
  let widget = first && open(readObject(first.content))
  for (const { sender_id: senderId, content } of entries) {
    if (!widget) return undefined
    const entry = { senderId, isAuthor: senderId === authorId, data: readObject(content) }
    widget = widget.type === 'poll' ? changePoll(widget, entry) : changeTodo(widget, entry)
  }
  return widget
}

interface Entry {
  readonly senderId: number
  readonly isAuthor: boolean
  readonly data: Fields
}

type Fields = Readonly<Record<string, unknown>>
type Poll = Extract<Widget, { type: 'poll' }>
type Todo = Extract<Widget, { type: 'todo' }>

function open({ widget_type: type, extra_data }: Fields): Widget | undefined {
  const data = asFields(extra_data)
  if (type === 'poll')
    return {
      type,
      question: asText(data.question),
      options: asList(data.options).map((text, index) => ({
        key: `${CANNED},${index}`,
        text: asText(text),
        voterIds: [],
      })),
    }
  if (type !== 'todo') return undefined
  return {
    type,
    title: asText(data.task_list_title),
    tasks: asList(data.tasks).map((one, index) => {
      const { task, desc } = asFields(one)
      return { key: `${index},${CANNED}`, text: asText(task), description: asText(desc), isDone: false }
    }),
  }
}

function changePoll(poll: Poll, { senderId, isAuthor, data }: Entry): Poll {
  switch (data.type) {
    case 'question':
      return isAuthor ? { ...poll, question: asText(data.question) } : poll
    case 'new_option': {
      const option = { key: `${senderId},${String(data.idx)}`, text: asText(data.option), voterIds: [] }
      const isThere = poll.options.some(({ key, text }) => key === option.key || text === option.text)
      return isThere || option.text === '' ? poll : { ...poll, options: [...poll.options, option] }
    }
    case 'vote': {
      const options = poll.options.map((option) => {
        if (option.key !== data.key) return option
        const others = option.voterIds.filter((id) => id !== senderId)
        return { ...option, voterIds: data.vote === 1 ? [...others, senderId] : others }
      })
      return { ...poll, options }
    }
    default:
      return poll
  }
}

function changeTodo(todo: Todo, { senderId, isAuthor, data }: Entry): Todo {
  switch (data.type) {
    case 'new_task_list_title':
      return isAuthor ? { ...todo, title: asText(data.title) } : todo
    case 'new_task': {
      const task: Task = {
        key: `${String(data.key)},${senderId}`,
        text: asText(data.task),
        description: asText(data.desc),
        isDone: data.completed === true,
      }
      const isThere = todo.tasks.some(({ key, text }) => key === task.key || text === task.text)
      return isThere || task.text === '' ? todo : { ...todo, tasks: [...todo.tasks, task] }
    }
    case 'strike': {
      const tasks = todo.tasks.map((task) =>
        task.key === data.key ? { ...task, isDone: !task.isDone } : task,
      )
      return { ...todo, tasks }
    }
    default:
      return todo
  }
}

/** The number for a new option or task of a user: no other entry of theirs has it. */
export function nextNumber({ submessages }: Submessages, senderId: number): number {
  const numbers = submessages
    .filter((one) => one.sender_id === senderId)
    .map(({ content }) => readObject(content))
    .flatMap(({ idx, key }) => [idx, key])
    .filter((value) => typeof value === 'number')
  return Math.max(0, ...numbers) + 1
}

/** Only the opening is sure to be well formed: other programs may write entries. */
function readObject(content: string): Fields {
  try {
    return asFields(JSON.parse(content))
  } catch {
    return {}
  }
}

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
