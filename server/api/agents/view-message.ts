/** Messages as agents get them: short, with the text as its author wrote it. */

import { AGENT_CLIENT } from './agent-caller.ts'
import type { JsonObject } from './versions.ts'

/** Characters of a message's text: longer ones are seldom read whole, and fifty of them fill the memory of a model. */
const CONTENT_LENGTH_MAX = 4_000

/** The fields of a message of the API that are read here. */
interface WireMessage {
  readonly id: number
  readonly timestamp: number
  readonly sender_id: number
  readonly sender_full_name: string
  readonly stream_id?: number
  readonly display_recipient: string | readonly { readonly id: number; readonly full_name: string }[]
  readonly subject: string
  readonly content: string
  readonly client: string
  readonly last_edit_timestamp?: number
  readonly reactions: readonly { readonly emoji_name: string }[]
}

/** A page of `GET /messages`. */
interface WirePage {
  readonly messages: readonly WireMessage[]
  readonly found_oldest?: boolean
  readonly found_newest?: boolean
}

/** The messages of a page, the oldest first, and whether there are others around them. */
export function viewPage(reply: JsonObject): JsonObject {
  const { messages, found_oldest: isOldest, found_newest: isNewest } = reply as unknown as WirePage
  return {
    messages: messages.map(viewMessage),
    has_older: isOldest !== true,
    has_newer: isNewest !== true,
  }
}

function viewMessage(message: WireMessage): JsonObject {
  const { id, timestamp, sender_id, sender_full_name, content, client, last_edit_timestamp, reactions } =
    message
  return {
    id,
    sent_at: new Date(timestamp * 1000).toISOString(),
    sender: { id: sender_id, name: sender_full_name },
    ...placeOf(message),
    content:
      content.length > CONTENT_LENGTH_MAX ? content.slice(0, CONTENT_LENGTH_MAX).toWellFormed() : content,
    ...(content.length > CONTENT_LENGTH_MAX ? { is_cut: true } : {}),
    ...(last_edit_timestamp === undefined ? {} : { is_edited: true }),
    ...(client === AGENT_CLIENT ? { sent_by_agent: true } : {}),
    ...(reactions.length === 0 ? {} : { reactions: countReactions(reactions) }),
  }
}

function placeOf({ stream_id, display_recipient: recipient, subject }: WireMessage): JsonObject {
  if (typeof recipient === 'string') return { channel: { id: stream_id, name: recipient }, topic: subject }
  return { people: recipient.map(({ id, full_name }) => ({ id, name: full_name })) }
}

function countReactions(reactions: WireMessage['reactions']): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { emoji_name: name } of reactions) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}
