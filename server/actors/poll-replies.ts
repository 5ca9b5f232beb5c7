/** The replies of polls that one fan-out ends: most have the same events and differ only in the queue. */

import type { QueueId } from '../domain/ids.ts'
import { pollReply } from './session.ts'

/** Encodes a reply once for all queues with the same events, and then inserts each queue's id. */
export class PollReplies {
  #events: readonly string[] = []
  #idLength = 0
  #bytes: Buffer | undefined

  /** The bytes are lent: the next reply may overwrite them. */
  encode(queueId: QueueId, events: readonly string[]): Buffer {
    if (this.#bytes && this.#idLength === queueId.length && isSame(events, this.#events)) {
      this.#bytes.write(queueId, this.#bytes.length - END_LENGTH - queueId.length, 'latin1')
      return this.#bytes
    }
    this.#events = events
    this.#idLength = queueId.length
    this.#bytes = Buffer.from(pollReply(queueId, events))
    return this.#bytes
  }
}

/** The text after the queue's id in a reply. */
const END_LENGTH = '"}'.length

function isSame(events: readonly string[], others: readonly string[]): boolean {
  return events.length === others.length && events.every((event, index) => event === others[index])
}
