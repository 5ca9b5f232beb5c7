/** Sending where servers may die: once, however many attempts it takes. */

import type { Client } from '../harness/client.ts'

const ATTEMPTS_MAX = 200

/** What became of a message that was sent. */
export interface Sent {
  readonly id: number
  /** Attempts without an answer; the message may have been stored by any of them. */
  readonly doubtful: number
}

/** Sends one message to a channel, by another client where one has no answer; the mark makes it one message. */
export async function sendSurely(
  clientOf: (attempt: number) => Client,
  channel: string,
  content: string,
  mark: { readonly queue_id: string; readonly local_id: string },
): Promise<Sent> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    try {
      return { id: await clientOf(attempt).send(channel, 'topic', content, mark), doubtful: attempt }
    } catch {
      // The mark tells at the next attempt whether it was stored.
    }
  }
  throw new Error(`${content} could not be sent`)
}
