/** The polls and lists that messages open by a command. */

/** What a message may open. */
export type WidgetType = 'poll' | 'todo'

/** What a poll or a list holds as it is opened. */
interface Opening {
  readonly widget_type: WidgetType
  readonly extra_data: Readonly<Record<string, unknown>>
}

/** What a text opens as a message, as the JSON of its first submessage: `/poll`, the question, and an option in each further line. */
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

/** What the first submessage of a message says it opens; undefined where there is none. */
export function widgetTypeOf(submessages: readonly { readonly content: string }[]): WidgetType | undefined {
  const [first] = submessages
  return first && (JSON.parse(first.content) as Opening).widget_type
}

/** A line without the mark of a list. */
function readItem(line: string): string {
  return line.trim().replace(/^[-*]\s*/, '')
}

/** Tasks with what is said of them after a colon, each task once. */
function readTasks(items: readonly string[]): { task: string; desc: string }[] {
  const tasks = new Map<string, string>()
  for (const item of items) {
    const colon = item.indexOf(':')
    const task = (colon < 0 ? item : item.slice(0, colon)).trim()
    if (task !== '' && !tasks.has(task)) tasks.set(task, colon < 0 ? '' : item.slice(colon + 1).trim())
  }
  return [...tasks].map(([task, desc]) => ({ task, desc }))
}
