/** Events by long poll: each request is answered as soon as there is an event. */

import { ApiError } from '../errors.ts'
import { type Connection, sendRequest } from '../http.ts'
import type { Event } from '../wire-types.ts'
import { type Position, QueueGoneError } from './transport.ts'

export async function* followByPolling(
  connection: Connection,
  position: Readonly<Position>,
  onOpen: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Event[], void, void> {
  // Answered at once, to learn whether the server can be reached.
  const first = await poll(connection, { ...position, dont_block: true }, signal)
  onOpen()
  yield first
  for (;;) yield await poll(connection, position, signal)
}

async function poll(
  connection: Connection,
  { queueId, lastEventId, ...more }: Readonly<Position> & { readonly dont_block?: boolean },
  signal: AbortSignal | undefined,
): Promise<readonly Event[]> {
  try {
    const fields = { queue_id: queueId, last_event_id: lastEventId, ...more }
    const { events } = await sendRequest(connection, 'GET /events', fields, signal)
    return events as readonly Event[]
  } catch (error) {
    // A queue that cannot be read from this event on is useless, like a deleted one.
    if (error instanceof ApiError && error.status === 400)
      throw new QueueGoneError(error.message, { cause: error })
    throw error
  }
}
