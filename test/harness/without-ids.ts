/** Events but for their place in the log, for comparing them whole. */

// biome-ignore lint: events are JSON; the tests check the shapes.
type Json = any

/** The events without their ids; none where nothing was told. */
export function withoutIds(events: readonly Json[] = []): Json[] {
  return events.map((event) => {
    const { id: _, ...rest } = event
    return rest
  })
}
