/** Events without their ids, for complete comparison. */

// biome-ignore lint: events are JSON; the tests check the shapes.
type Json = any

/** The events without their ids; an empty list without events. */
export function withoutIds(events: readonly Json[] = []): Json[] {
  return events.map((event) => {
    const { id: _, ...rest } = event
    return rest
  })
}
