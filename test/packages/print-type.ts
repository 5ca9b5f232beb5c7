/** JSON Schemas as TypeScript types. */

import type { Schema } from '../../server/domain/json-schema.ts'

/** Named schemas, which types of others refer to. */
export type NamedSchemas = ReadonlyMap<Schema, string>

/** The type of the values of a schema. */
export function printType(schema: Schema, named: NamedSchemas): string {
  const name = named.get(schema)
  if (name !== undefined) return name
  const { type, enum: options, anyOf, items, properties, $ref: reference } = schema
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1)
  if (Array.isArray(anyOf)) {
    const types = new Set((anyOf as readonly Schema[]).map((one) => printType(one, named)))
    return [...types].join(' | ')
  }
  if (Array.isArray(options))
    return options.map((one) => JSON.stringify(one).replaceAll('"', "'")).join(' | ')
  if (items !== undefined) return printList(schema, named)
  if (properties !== undefined) return printFields(schema, named)
  if (Array.isArray(type)) return type.map((one: string) => printType({ type: one }, named)).join(' | ')
  return typeof type === 'string' ? printPlain(type, schema, named) : 'unknown'
}

/** The fields of an object as a type literal. */
export function printFields(schema: Schema, named: NamedSchemas): string {
  const { properties, required = [], additionalProperties } = schema
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, field]) => {
    const mark = (required as readonly string[]).includes(name) ? '' : '?'
    return `readonly ${quote(name)}${mark}: ${printType(field, named)}`
  })
  const isOpen = typeof additionalProperties === 'object'
  return `{ ${[...fields, ...(isOpen ? ['readonly [name: string]: unknown'] : [])].join('; ')} }`
}

function printList({ items }: Schema, named: NamedSchemas): string {
  const item = printType(items as Schema, named)
  return /[|{ ]/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`
}

function printPlain(type: string, { additionalProperties, maxItems }: Schema, named: NamedSchemas): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return maxItems === 0 ? 'readonly never[]' : 'readonly unknown[]'
  if (type !== 'object') return type
  const isMap = typeof additionalProperties === 'object' && additionalProperties !== null
  return `Readonly<Record<string, ${isMap ? printType(additionalProperties as Schema, named) : 'unknown'}>>`
}

function quote(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
}
