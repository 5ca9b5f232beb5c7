/** A way in which events come. */

import type { Connection } from '../http.ts'
import type { Event } from '../wire-types.ts'

/** How far a queue was followed. */
export interface Position {
  readonly queueId: string
  lastEventId: number
}

/**
 * Follows a queue from its position until the connection ends; events come in order, in batches. Throws
 * `QueueGoneError` where the queue cannot be followed from there, and other errors where the connection failed.
 */
export type Transport = (
  connection: Connection,
  position: Readonly<Position>,
  signal: AbortSignal | undefined,
) => AsyncGenerator<readonly Event[], void, void>

/** The queue is gone, or its events from there are: register again. */
export class QueueGoneError extends Error {
  override readonly name = 'QueueGoneError'
}

/** The close code of a stream whose queue is gone. */
const QUEUE_GONE = 4002
/** Close codes that say that this client does something wrong, which another try would do again. */
const MISTAKES = [1003, 1008, 1009]

/** The error of a stream that the server closed for good; undefined where to come back. */
export function closeError(code: number, reason: string): Error | undefined {
  if (code === QUEUE_GONE) return new QueueGoneError(reason)
  return MISTAKES.includes(code) ? new Error(`the server closed the stream: ${reason} (${code})`) : undefined
}
