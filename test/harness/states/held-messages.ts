/** Messages that a client fetched once, updated by later events: the window of all messages in the client's store. */

import { MessageStore } from '../../../client/store/messages/message-store.ts'
import type { Event, Message } from '../../../packages/client/src/wire-types.ts'
import { freezeDeeply } from './apply-frozen.ts'
import type { Read, WireEvent } from '../client/wire-types.ts'

/** A client's messages by id. */
export class HeldMessages {
  readonly #store: MessageStore
  /** The channels that a message was in while the client had it. */
  readonly #channelIds = new Map<number, Set<number>>()

  constructor(fetched: readonly Read<Message>[], ownId: number) {
    this.#store = new MessageStore(() => ownId, { windowMax: Number.POSITIVE_INFINITY })
    const messages = [...fetched].sort((a, b) => a.id - b.id) as unknown as Message[]
    this.#store.show([])
    const page = freezeDeeply({ messages, found_oldest: true, found_newest: true })
    this.#store.addPage(this.#store.beginLoad(), [], 'instead', page)
    this.#notePlaces()
  }

  get messages(): readonly Message[] {
    return this.#store.window([]).peek().messages
  }

  has(id: number): boolean {
    return this.#store.find(id) !== undefined
  }

  /** The places of a message so far; empty for a direct one. */
  channelsOf(id: number): ReadonlySet<number> {
    return this.#channelIds.get(id) ?? new Set()
  }

  apply(event: WireEvent): void {
    this.#store.apply(freezeDeeply(structuredClone(event) as unknown as Event))
    this.#notePlaces()
  }

  #notePlaces(): void {
    for (const { id, stream_id } of this.messages) {
      const places = this.#channelIds.get(id) ?? new Set()
      this.#channelIds.set(id, stream_id === undefined ? places : places.add(stream_id))
    }
  }
}

/** The fields of a message that events change, with unordered ones as sets. */
export function describeMessage({
  id,
  content,
  subject,
  stream_id,
  is_me_message,
  ...message
}: Read<Message> | Message) {
  const { flags, submessages } = message
  const reactions = message.reactions.map(
    ({ emoji_name, emoji_code, reaction_type, user_id }) =>
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
