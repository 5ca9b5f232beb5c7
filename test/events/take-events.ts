/** Waits for the events that a stream received; a failure about a missing one says which came. */

import type { List, WireEvent } from '../harness/client/wire-types.ts'
import { pollUntil } from '../services/poll-until.ts'

/** All events but heartbeats, once there are `count` of them; the stream adds to the list meanwhile. */
export async function takeEvents(events: readonly WireEvent[], count: number): Promise<List<WireEvent>> {
  const news = () => events.filter(({ type }) => type !== 'heartbeat') as List<WireEvent>
  await pollUntil(
    () => `${count} events, of which came ${describeEvents(news())}`,
    () => news().length >= count,
    () => events.length,
  )
  return news()
}

/** Each event's id and type, and the beginning of a message's content. */
function describeEvents(events: readonly WireEvent[]): string {
  const described = events.map(({ id, type, op, message }) =>
    [id, type, op, message?.content?.slice(0, 40)].filter((part) => part !== undefined).join(' '),
  )
  return described.length === 0 ? 'none' : described.join('; ')
}
