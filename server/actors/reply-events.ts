/** The events of one reply, which is bounded: the client asks again at once for more. */

import type { EventId } from '../domain/ids.ts'

/** Events in one reply. */
const EVENTS_MAX = 1_000
/** Characters in one reply: it is built in memory. */
const REPLY_LENGTH_MAX = 4 * 1024 * 1024

/** Collects events until the reply is full. */
export class ReplyEvents {
  readonly events: string[] = []
  lastId: EventId | undefined
  #length = 0

  get isEmpty(): boolean {
    return this.events.length === 0
  }

  get isFull(): boolean {
    return this.events.length >= EVENTS_MAX || this.#length >= REPLY_LENGTH_MAX
  }

  add(id: EventId, event: string): void {
    this.events.push(event)
    this.lastId = id
    this.#length += event.length
  }

  /** The events; everything up to `scannedId` was checked. */
  asMissed(scannedId: EventId) {
    return { events: this.events, lastId: this.lastId, scannedId }
  }
}
