/** Describes the received events, for failures about a missing one. */

import type { WireEvent } from '../harness/client/wire-types.ts'

/** Each event's id and type, and the beginning of a message's content. */
export function describeEvents(events: readonly WireEvent[]): string {
  const described = events.map(({ id, type, op, message }) =>
    [id, type, op, message?.content?.slice(0, 40)].filter((part) => part !== undefined).join(' '),
  )
  return described.length === 0 ? 'none' : described.join('; ')
}
