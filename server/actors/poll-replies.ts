/** The replies of the polls that one fan-out ends: most tell the same events, and differ in the queue alone. */

import type { QueueId } from '../domain/ids.ts'
import { pollReply } from './session.ts'

/** Encodes a reply once for all queues that are told the same, and then writes each queue's id into it. */
export class PollReplies {
  #events: readonly string[] = []
  #idLength = 0
  #bytes: Buffer | undefined

  /** The bytes are lent: the next reply may be written over them. */
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

/** What follows the queue's id in a reply. */
const END_LENGTH = '"}'.length

function isSame(events: readonly string[], others: readonly string[]): boolean {
  return events.length === others.length && events.every((event, index) => event === others[index])
}
