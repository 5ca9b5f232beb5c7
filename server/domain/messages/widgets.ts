/** Polls and to-do lists that messages open with a command. */

/** The kinds of widgets. */
export type WidgetType = 'poll' | 'todo'

/** The initial content of a widget. */
interface Opening {
  readonly widget_type: WidgetType
  readonly extra_data: Readonly<Record<string, unknown>>
}

/**
 * The widget that a text opens, as the JSON of its first submessage: `/poll`, the question, then one option per line.
 */
export function findOpening(text: string): string | undefined {
  const command = /^\/(poll|todo)(?=\s|$)/.exec(text)
  if (!command) return undefined
  const type = command[1] as WidgetType
  const [first = '', ...lines] = text.slice(command[0].length).split(/\r\n|\r|\n/)
  const items = [...new Set(lines.map(readItem))].filter((item) => item !== '')
  const title = first.trim()
  const opening: Opening =
    type === 'poll'
      ? { widget_type: type, extra_data: { question: title, options: items } }
      : { widget_type: type, extra_data: { task_list_title: title, tasks: readTasks(items) } }
  return JSON.stringify(opening)
}

/** The kind of widget that a message's first submessage opens, or undefined. */
export function widgetTypeOf(submessages: readonly { readonly content: string }[]): WidgetType | undefined {
  const [first] = submessages
  return first && (JSON.parse(first.content) as Opening).widget_type
}

/** A line without its list marker. */
function readItem(line: string): string {
  return line.trim().replace(/^[-*]\s*/, '')
}

/** Tasks with their descriptions after a colon, each task once. */
function readTasks(items: readonly string[]): { task: string; desc: string }[] {
  const tasks = new Map<string, string>()
  for (const item of items) {
    const colon = item.indexOf(':')
    const task = (colon < 0 ? item : item.slice(0, colon)).trim()
    if (task !== '' && !tasks.has(task)) tasks.set(task, colon < 0 ? '' : item.slice(colon + 1).trim())
  }
  return [...tasks].map(([task, desc]) => ({ task, desc }))
}
