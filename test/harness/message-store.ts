/** Messages that a client fetched once, updated by later events. */

// biome-ignore lint: messages and events are JSON; the comparison checks the shapes.
type Json = any

/** A client's messages by id. */
export class MessageStore {
  readonly #messages: Map<number, Json>
  /** The channels that a message was in while the client had it. */
  readonly #channelIds = new Map<number, Set<number>>()

  constructor(fetched: readonly Json[]) {
    this.#messages = new Map()
    for (const message of fetched) this.#put(message)
  }

  get messages(): readonly Json[] {
    return [...this.#messages.values()]
  }

  has(id: number): boolean {
    return this.#messages.has(id)
  }

  /** The places of a message so far; empty for a direct one. */
  channelsOf(id: number): ReadonlySet<number> {
    return this.#channelIds.get(id) ?? new Set()
  }

  apply(event: Json): void {
    switch (event.type) {
      case 'message':
        return this.#put({ ...event.message, flags: event.flags })
      case 'update_message':
        return this.#update(event)
      case 'delete_message':
        for (const id of event.message_ids ?? [event.message_id]) this.#messages.delete(id)
        return
      case 'update_message_flags': {
        for (const { id } of event.all ? this.messages : event.messages.map((id: number) => ({ id }))) {
          const message = this.#messages.get(id)
          if (!message) continue
          const others = message.flags.filter((flag: string) => flag !== event.flag)
          message.flags = event.op === 'add' ? [...others, event.flag] : others
        }
        return
      }
      case 'reaction':
        return this.#react(event)
      case 'submessage': {
        const { submessage_id: id, message_id, sender_id, msg_type, content } = event
        this.#messages.get(message_id)?.submessages.push({ id, message_id, sender_id, msg_type, content })
      }
    }
  }

  #put(message: Json): void {
    this.#messages.set(message.id, structuredClone(message))
    this.#channelIds.set(message.id, new Set(message.type === 'stream' ? [message.stream_id] : []))
  }

  #update({ message_id, message_ids, subject, new_stream_id, ...event }: Json): void {
    for (const id of message_ids) {
      const message = this.#messages.get(id)
      if (!message) continue
      if (subject !== undefined) message.subject = subject
      if (new_stream_id === undefined) continue
      message.stream_id = new_stream_id
      this.#channelIds.get(id)?.add(new_stream_id)
    }
    const edited = this.#messages.get(message_id)
    if (!edited || event.content === undefined) return
    edited.content = edited.content_type === 'text/html' ? event.rendered_content : event.content
    edited.is_me_message = event.is_me_message
    edited.flags = event.flags
  }

  #react({ op, message_id, emoji_name, emoji_code, reaction_type, user_id }: Json): void {
    const message = this.#messages.get(message_id)
    if (!message) return
    if (op === 'add') message.reactions.push({ emoji_name, emoji_code, reaction_type, user_id })
    else {
      message.reactions = message.reactions.filter(
        (one: Json) =>
          one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
      )
    }
  }
}

/** The fields of a message that events change, with unordered ones as sets. */
export function describeMessage({ id, content, subject, stream_id, is_me_message, ...message }: Json): Json {
  const { flags, submessages } = message
  const reactions = message.reactions.map(
    ({ emoji_name, emoji_code, reaction_type, user_id }: Json) =>
      `${reaction_type}/${emoji_code}/${emoji_name}/${user_id}`,
  )
  return {
    id,
    content,
    subject,
    stream_id,
    is_me_message,
    flags: new Set(flags),
    reactions: new Set(reactions),
    submessages,
  }
}
