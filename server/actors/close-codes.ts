/** The reasons why the server closes a stream, as WebSocket close codes. */

import type { SessionSocket } from './session.ts'

/** Streams of one user in a process: for each, up to a mebibyte may wait for its client. */
export const STREAMS_PER_USER_MAX = 100

/** WebSocket close codes of this API; a client may reconnect after each but `gone`. */
export const CLOSE_CODES = {
  /** Another poll or socket uses the queue. */
  taken: 4001,
  /** The queue no longer exists: register again. */
  gone: 4002,
  /** The socket did not keep up: resume by `last_event_id`. */
  slow: 4003,
  /** The API key is no longer valid, or the ticket is not: reconnect with another. */
  unauthorized: 4004,
  /** The user has too many streams, which is the client's mistake. */
  crowded: 1008,
  /** The server restarts: resume at once. */
  restart: 1012,
} as const

const CLOSE_REASONS: Readonly<Record<number, string>> = {
  [CLOSE_CODES.taken]: 'the queue is used elsewhere',
  [CLOSE_CODES.gone]: 'the queue is no more',
  [CLOSE_CODES.unauthorized]: 'the API key is no longer valid',
  [CLOSE_CODES.crowded]: `a user has at most ${STREAMS_PER_USER_MAX} streams`,
  [CLOSE_CODES.restart]: 'the server restarts',
}

/** Closes a stream with the reason of a code. */
export function closeSocket(socket: SessionSocket, code: number): void {
  socket.close(code, CLOSE_REASONS[code] ?? '')
}
