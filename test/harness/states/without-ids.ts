/** Events without their ids, for complete comparison. */

import type { List, WireEvent } from '../client/wire-types.ts'

/** The events without their ids; an empty list without events. */
export function withoutIds(events: readonly WireEvent[] = []): List<Omit<WireEvent, 'id'>> {
  return events.map((event) => {
    const { id: _, ...rest } = event
    return rest
  }) as List<Omit<WireEvent, 'id'>>
}
