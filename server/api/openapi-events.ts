/** The schemas of events in the OpenAPI document. */

import type { Schema } from '../domain/json-schema.ts'
import { schemaOf, WIRE_EVENTS, withAliases } from '../events/wire-events.ts'
import type { Names } from '../views/names.ts'

/** A reference to any event. */
export const ANY_EVENT: Schema<object> = { $ref: '#/components/schemas/Event' }

/** One schema per kind of event, such as `stream.update`, and `Event` for any of them. */
export function describeEvents(names: Names): Record<string, Schema> {
  const kinds = WIRE_EVENTS.map((event) => {
    const aliased = withAliases(event, (fields) => names.addAliases(fields))
    return [`event.${event.name.replace('/', '.')}`, schemaOf(aliased)] as const
  })
  const references = kinds.map(([name]) => ({ $ref: `#/components/schemas/${name}` }))
  return { Event: { oneOf: references }, ...Object.fromEntries(kinds) }
}
