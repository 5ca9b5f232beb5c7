/** A message as others are shown it: its conversation, its address, its text, and a quote of it. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import { otherIdsOf } from '../../store/messages/match-narrow.ts'
import { type Narrow, ofDirect, ofTopic, term } from '../../store/narrows/narrow.ts'

/** The conversation of a message. */
export function conversationOf(app: App, message: Message): Narrow {
  return message.stream_id === undefined
    ? ofDirect(otherIdsOf(message, app.ownId) ?? [])
    : ofTopic(message.stream_id, message.subject)
}

/** The address of a message in its conversation, for others: it leads there also when its topic has another name. */
export function hrefOf(app: App, message: Message): string {
  const linked = message.stream_id === undefined ? [] : [term('with', message.id)]
  const narrow = [...conversationOf(app, message), ...linked, term('near', message.id)]
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

/** A message as a quote with its author and a link, in Markdown. */
export async function quoteOf(app: App, message: Message): Promise<string> {
  const text = await loadText(app, message)
  const name = app.users.peek().get(message.sender_id)?.full_name ?? message.sender_full_name
  const fence = fenceAround(text)
  return `@_**${name}|${message.sender_id}** [said](${hrefOf(app, message)}):\n${fence}quote\n${text}\n${fence}\n`
}

/** A fence that is longer than each run of backticks in the text. */
function fenceAround(text: string): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
}
