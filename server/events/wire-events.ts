/** All events in the form for clients, by `type` and `op`: for the reference, and for tests that validate events. */

import { anyOf, INTEGER, oneOf, record, type Schema } from '../domain/json-schema.ts'
import { EVENTS } from './table.ts'
import type { View } from './view.ts'

/** An event without content: the connection is alive. */
const HEARTBEAT: Schema = {
  ...record({ type: oneOf('heartbeat') }),
  description: 'Nothing happened for a while. Queues get it whatever types they asked for.',
}

/** A kind of event: its name, such as `stream/update`, and its forms; most kinds have one. */
export interface WireEvent {
  readonly name: string
  readonly forms: readonly Schema[]
}

/** All kinds, sorted by name. */
export const WIRE_EVENTS: readonly WireEvent[] = groupForms([HEARTBEAT, ...listForms()])

/** The schema of a kind of event; of any form if it has several. */
export function schemaOf({ forms }: WireEvent): Schema {
  return forms.length === 1 ? (forms[0] as Schema) : anyOf(...forms)
}

/** The same with the aliases of its fields that existing clients know. */
export function withAliases(
  { name, forms }: WireEvent,
  addAliases: (fields: Record<string, unknown>) => Record<string, unknown>,
): WireEvent {
  const withAlias = (form: Schema): Schema => ({
    ...form,
    properties: addAliases(form.properties as Record<string, unknown>),
  })
  return { name, forms: forms.map(withAlias) }
}

/** Types may share a form. */
function listForms(): Schema[] {
  const kinds = Object.entries(EVENTS).flatMap(([type, { view }]) =>
    view ? [[view, view.kind ?? type] as const] : [],
  )
  return [...new Map<Pick<View<never>, 'schemaOf'>, string>(kinds)].map(([view, kind]) => view.schemaOf(kind))
}

function groupForms(schemas: readonly Schema[]): WireEvent[] {
  const flat = schemas.flatMap((schema) => (schema.anyOf as readonly Schema[] | undefined) ?? [schema])
  const byName = Map.groupBy(new Set(flat), nameOf)
  return [...byName]
    .map(([name, forms]) => ({ name, forms: forms.map(withId) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** `update_message_flags` has both ops in one form, so it is named by its type. */
function nameOf({ properties }: Schema): string {
  const { type, op } = properties as Record<string, { readonly enum: readonly string[] }>
  return op?.enum.length === 1 ? `${type?.enum[0]}/${op.enum[0]}` : String(type?.enum[0])
}

function withId({ properties, required, ...rest }: Schema): Schema {
  return {
    ...rest,
    properties: { id: INTEGER, ...(properties as object) },
    required: ['id', ...(required as readonly string[])],
  }
}
