/** Single messages for lists that show only the start of one: loaded by id, some at a time. */

import { signal } from '@preact/signals'
import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { Event, Message } from '../../packages/client/src/wire-types.ts'
import type { EventOf } from '../store/events/reducer.ts'
import { updateMessage } from '../store/messages/change-message.ts'

/** Messages in one request. */
const BATCH_MAX = 100
/** Loaded messages that are held; the oldest go first. */
const HELD_MAX = 500

export class Previews {
  readonly #api: ParleyClient
  readonly #messages = signal<ReadonlyMap<number, Message>>(new Map())
  readonly #asked = new Set<number>()

  constructor(api: ParleyClient) {
    this.#api = api
  }

  /** A loaded message; views that ask are drawn again when it comes. */
  find(id: number): Message | undefined {
    return this.#messages.value.get(id)
  }

  /** Whether a message is loaded, or on its way. */
  has(id: number): boolean {
    return this.#messages.peek().has(id) || this.#asked.has(id)
  }

  /** Loads messages that are not there yet. */
  want(ids: readonly number[]): void {
    const missing = ids.filter((id) => !this.#messages.peek().has(id) && !this.#asked.has(id))
    for (let start = 0; start < missing.length; start += BATCH_MAX)
      void this.#load(missing.slice(start, start + BATCH_MAX))
  }

  /** Messages arrive with their events, and change. */
  apply(event: Event): void {
    if (event.type === 'message') this.hold([{ ...event.message, flags: event.flags } as Message])
    if (event.type === 'update_message') this.#change(event)
    if (event.type === 'delete_message') {
      const ids = 'message_ids' in event ? event.message_ids : [event.message_id]
      const left = new Map(this.#messages.peek())
      for (const id of ids) left.delete(id)
      this.#messages.value = left
    }
  }

  #change(event: EventOf<'update_message'>): void {
    const changed = new Map(this.#messages.peek())
    for (const id of [event.message_id, ...event.message_ids]) {
      const message = changed.get(id)
      if (message) changed.set(id, updateMessage(message, event))
    }
    this.#messages.value = changed
  }

  async #load(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.#asked.add(id)
    try {
      const { messages } = await this.#api.call('GET /messages', {
        message_ids: ids,
        apply_markdown: true,
        allow_empty_topic_name: true,
      })
      this.hold(messages)
    } catch {
      // A list without the starts of messages is still a list; the next view asks again.
    } finally {
      for (const id of ids) this.#asked.delete(id)
    }
  }

  /** Takes messages that are loaded already. */
  hold(messages: readonly Message[]): void {
    const all = [...this.#messages.peek(), ...messages.map((one) => [one.id, one] as const)]
    this.#messages.value = new Map(all.slice(-HELD_MAX))
  }
}
