/** Actions on a message that need no dialog. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import { otherIdsOf } from '../../store/messages/match-narrow.ts'
import { keyOf, type Narrow, ofDirect, ofTopic, splitNear, term } from '../../store/narrows/narrow.ts'
import { focusComposer, insertInComposer } from '../composer/focus-composer.ts'
import { copyText } from '../../ui/copy-text.ts'
import { sayDone, sayProblem } from '../../ui/toasts.tsx'

/** The conversation of a message. */
export function conversationOf(app: App, message: Message): Narrow {
  return message.stream_id === undefined
    ? ofDirect(otherIdsOf(message, app.ownId) ?? [])
    : ofTopic(message.stream_id, message.subject)
}

/** The address of a message, for other people. */
export function linkTo(app: App, message: Message): string {
  const narrow = [...conversationOf(app, message), term('near', message.id)]
  return new URL(app.router.hrefOf({ view: 'narrow', narrow }), location.href).href
}

/** The text as it was written. */
export async function loadText(app: App, { id }: Message): Promise<string> {
  const { raw_content } = await app.api.call('GET /messages/{message_id}', {
    message_id: id,
    apply_markdown: false,
  })
  return raw_content
}

export async function copyMessage(app: App, message: Message): Promise<void> {
  try {
    await copyText(await loadText(app, message), 'The text is copied.')
  } catch (error) {
    sayProblem(error)
  }
}

/** Opens the composer of a conversation, with a text. */
export async function writeIn(app: App, narrow: Narrow, text: string, nearId?: number): Promise<void> {
  const shown = app.router.route.peek()
  if (shown.view !== 'narrow' || keyOf(splitNear(shown.narrow).narrow) !== keyOf(narrow)) {
    const near = nearId === undefined ? [] : [term('near', nearId)]
    await app.router.open({ view: 'narrow', narrow: [...narrow, ...near] })
  }
  const area = await focusComposer()
  if (text !== '') insertInComposer(area, text)
}

export async function reply(app: App, message: Message): Promise<void> {
  try {
    await writeIn(app, conversationOf(app, message), '', message.id)
  } catch (error) {
    sayProblem(error)
  }
}

/** A message as a quote with its author and a link, in Markdown. */
export async function quoteOf(app: App, message: Message): Promise<string> {
  const text = await loadText(app, message)
  const name = app.users.peek().get(message.sender_id)?.full_name ?? message.sender_full_name
  const fence = fenceAround(text)
  return `@_**${name}|${message.sender_id}** [said](${linkTo(app, message)}):\n${fence}quote\n${text}\n${fence}\n`
}

export async function quote(app: App, message: Message): Promise<void> {
  try {
    await writeIn(app, conversationOf(app, message), await quoteOf(app, message), message.id)
  } catch (error) {
    sayProblem(error)
  }
}

/** A fence that is longer than each run of backticks in the text. */
function fenceAround(text: string): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
}

export async function toggleStar(app: App, message: Message): Promise<void> {
  const op = message.flags.includes('starred') ? 'remove' : 'add'
  const show = (shown: 'add' | 'remove') =>
    app.messages.apply({
      id: 0,
      type: 'update_message_flags',
      op: shown,
      operation: shown,
      flag: 'starred',
      messages: [message.id],
      all: false,
    })
  show(op)
  try {
    await app.api.call('POST /messages/flags', { messages: [message.id], op, flag: 'starred' })
  } catch (error) {
    show(op === 'add' ? 'remove' : 'add')
    sayProblem(error)
  }
}

/** Messages that one call marks as unread; the server has the same limit for a narrow. */
const MARKED_MAX = 5_000

/** Marks a message and the later ones of its conversation as unread. */
export async function markUnreadFrom(app: App, message: Message): Promise<void> {
  const place = { anchor: String(message.id), num_before: 0, num_after: MARKED_MAX }
  const narrow = conversationOf(app, message).map(({ operator, operand }) => ({ operator, operand }))
  const mark = (op: 'add' | 'remove') =>
    app.api.call('POST /messages/flags/narrow', { ...place, narrow, op, flag: 'read' })
  try {
    // Messages on the screen would be read again at once.
    await app.reader.pause()
    const { updated_count: count } = await mark('remove')
    const text = count === 1 ? 'One message is unread.' : `${count} messages are unread.`
    sayDone(text, { text: 'Undo', run: () => void mark('add').catch(sayProblem) })
  } catch (error) {
    sayProblem(error)
  }
}

/** Resolves the topic of a message, or opens it again. */
export async function renameTopic(app: App, messageId: number, topic: string): Promise<void> {
  try {
    await app.api.call('PATCH /messages/{message_id}', {
      message_id: messageId,
      topic,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: true,
    })
  } catch (error) {
    sayProblem(error)
  }
}
