/** Records an event of a client and checks it against its schema. */

import { WIRE_EVENTS, schemaOf, withAliases } from '../../../server/events/wire-events.ts'
import { createNames } from '../../../server/views/names.ts'
import type { Schema } from '../../../server/domain/json-schema.ts'
import { findProblems } from './check-reply.ts'
import { note } from './note.ts'

const NAMES = createNames(true)
const SCHEMAS = new Map<string, Schema>(
  WIRE_EVENTS.map((event) => [
    event.name,
    schemaOf(withAliases(event, (fields) => NAMES.addAliases(fields))),
  ]),
)

/** Throws if the event does not match its reference. */
export function noteEvent(event: { readonly type: string; readonly op?: string }): void {
  // Some kinds of events have an op that the log stores as a field.
  note(
    event.op === undefined ? `event ${event.type}` : `event ${event.type}\nevent ${event.type}/${event.op}`,
  )
  const type = NAMES.neutralEventType(event.type)
  const schema = SCHEMAS.get(`${type}/${event.op}`) ?? SCHEMAS.get(type)
  const problems = schema ? findProblems({ ...event, type }, schema, type) : [`there is no event ${type}`]
  if (problems.length > 0) throw new Error(`an event is not as declared: ${problems.join('; ')}`)
}
