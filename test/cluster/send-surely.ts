/** Sending while servers may die: once, however many attempts it takes. */

import type { Client } from '../harness/client/client.ts'

const ATTEMPTS_MAX = 200

/** The outcome of a send. */
export interface Sent {
  readonly id: number
  /** Attempts without an answer; any of them may have stored the message. */
  readonly doubtful: number
}

/**
 * Sends one message to a channel, with another client if one gets no answer; the local id keeps it one
 * message.
 */
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
      // The local id shows at the next attempt if it was stored.
    }
  }
  throw new Error(`${content} could not be sent`)
}
