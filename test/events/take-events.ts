/** Waits for the events of a stream. */

import type { List, WireEvent } from '../harness/client/wire-types.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Waits until a stream has received this many events without heartbeats, and returns them. */
export async function takeEvents(received: readonly WireEvent[], count: number): Promise<List<WireEvent>> {
  const news = () => received.filter(({ type }) => type !== 'heartbeat') as List<WireEvent>
  await pollUntil(
    () => `${count} events, of which came ${describe(news())}`,
    () => news().length >= count,
    () => received.length,
  )
  return news()
}

/** Each event's id and type, and the beginning of a message's content. */
function describe(events: readonly WireEvent[]): string {
  const described = events.map(({ id, type, op, message }) =>
    [id, type, op, message?.content?.slice(0, 40)].filter((part) => part !== undefined).join(' '),
  )
  return described.length === 0 ? 'none' : described.join('; ')
}
