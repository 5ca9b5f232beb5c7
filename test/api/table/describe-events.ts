/** The page docs/events.md, from the schemas of the events. */

import type { Schema } from '../../../server/domain/json-schema.ts'
import { WIRE_EVENTS } from '../../../server/events/wire-events.ts'

const HEAD = `# Events

The events of \`GET /events\` and \`/events/stream\`, from the schemas that the server and its tests hold them against;
\`UPDATE_DOCS=1 npm test -- test/api/table/event-schemas.test.ts\` writes this page anew. Each event has an \`id\`, its position
in the log of the organization: ids rise, with gaps where events were for others. A \`?\` marks a field that may be
missing. With \`CLIENT_ALIASES\` on, some fields come under a second name too.
`

export function describeEvents(): string {
  const kinds = WIRE_EVENTS.map(({ name, forms }) => {
    const described = forms.map((form) => `${String(form.description)}\n\n${listFields(form, 0)}`)
    return `\n## ${name.replace('/', ' / ')}\n\n${described.join('\n')}`
  })
  return HEAD + kinds.join('')
}

function listFields(schema: Schema, depth: number): string {
  const fields = (schema.properties ?? {}) as Record<string, Schema>
  const required = (schema.required ?? []) as readonly string[]
  const hidden = depth === 0 ? ['id', 'type', 'op'] : []
  return Object.entries(fields)
    .filter(([name, field]) => !hidden.includes(name) || (field.enum as unknown[] | undefined)?.length === 2)
    .map(([name, field]) => {
      const mark = required.includes(name) ? '' : '?'
      const nested = objectsIn(field).map((one) => listFields(one, depth + 1))
      return `${'  '.repeat(depth)}- \`${name}${mark}\`: ${typeOf(field)}\n${nested.join('')}`
    })
    .join('')
}

/** Objects whose fields get a list of their own, below the field. */
function objectsIn(schema: Schema): readonly Schema[] {
  const { properties, items, anyOf, additionalProperties } = schema
  if (properties) return [schema]
  if (items) return objectsIn(items as Schema)
  if (anyOf) return (anyOf as readonly Schema[]).flatMap(objectsIn)
  return typeof additionalProperties === 'object' ? objectsIn(additionalProperties as Schema) : []
}

function typeOf({ type, enum: options, items, anyOf, additionalProperties }: Schema): string {
  if (anyOf) return (anyOf as readonly Schema[]).map(typeOf).join(' or ')
  if (options) return (options as readonly unknown[]).map((one) => `\`${JSON.stringify(one)}\``).join(' or ')
  if (items) return `list of ${typeOf(items as Schema)}`
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties as Schema)}`
  return String(type)
}
