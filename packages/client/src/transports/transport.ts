/** A transport for events. */

import type { Connection } from '../http.ts'
import type { Event } from '../wire-types.ts'

/** The client's position in a queue. */
export interface Position {
  readonly queueId: string
  lastEventId: number
}

/**
 * Follows a queue from its position until the connection ends; events arrive in order, in batches. Throws
 * `QueueGoneError` if the queue cannot be followed from there, and other errors if the connection failed. Calls `onOpen`
 * when the server has accepted the connection.
 */
export type Transport = (
  connection: Connection,
  position: Readonly<Position>,
  onOpen: () => void,
  signal: AbortSignal | undefined,
) => AsyncGenerator<readonly Event[], void, void>

/** The queue or its events from that position are gone: register again. */
export class QueueGoneError extends Error {
  override readonly name = 'QueueGoneError'
}

/** The close code of a stream whose queue is gone. */
const QUEUE_GONE = 4002
/** Close codes for a client's mistake, which a retry would repeat. */
const MISTAKES = [1003, 1008, 1009]

/** The error of a stream that the server closed permanently; undefined if the client should reconnect. */
export function closeError(code: number, reason: string): Error | undefined {
  if (code === QUEUE_GONE) return new QueueGoneError(reason)
  return MISTAKES.includes(code) ? new Error(`the server closed the stream: ${reason} (${code})`) : undefined
}
