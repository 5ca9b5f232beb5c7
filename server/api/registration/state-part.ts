/** The parts of the initial state: each has its fields, and a function that fetches them. */

import type { Schema } from '../../domain/json-schema.ts'
import type { RefuseUndeclared, ReplyField, ReplyFields, ReplyOf } from '../operation.ts'
import type { RegistrationContext } from './context.ts'

/** A part of the state. */
export interface StatePart<Fields extends ReplyFields = ReplyFields> {
  readonly fields: Fields
  fetch(context: RegistrationContext): ReplyOf<Fields> | Promise<ReplyOf<Fields>>
}

/** Declares a part; it can only return declared fields. */
export function statePart<const Fields extends ReplyFields, Answer extends ReplyOf<Fields>>(
  part: {
    readonly fields: Fields
    fetch(context: RegistrationContext): Answer | Promise<Answer>
  } & RefuseUndeclared<Answer, Fields>,
): StatePart<Fields> {
  return part
}

/** A field with the same value in every registration. */
interface ConstantField<Value = unknown> extends ReplyField {
  readonly schema: Schema<Value>
  readonly value: Value
}

type ConstantFields = Readonly<Record<string, ConstantField>>

/** Declares such a field with its value. */
export function constant<Value>(
  schema: Schema<Value>,
  value: NoInfer<Value>,
  description: string,
): ConstantField<Value> {
  return { schema, value, description }
}

/** The values of such fields. */
export function valuesOf<Fields extends ConstantFields>(
  fields: Fields,
): { readonly [Name in keyof Fields]: Fields[Name]['value'] } {
  return Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])) as {
    [Name in keyof Fields]: Fields[Name]['value']
  }
}

/** A part that is the same in every registration. */
export function constantPart<Fields extends ConstantFields>(fields: Fields): StatePart<Fields> {
  const values = valuesOf(fields) as ReplyOf<Fields>
  return { fields, fetch: () => values }
}

/** Fields from schemas with descriptions; `others` describes those without, by name. */
export function describedFields<Schemas extends Readonly<Record<string, Schema>>>(
  schemas: Schemas,
  others: Readonly<Record<string, string>> = {},
): DescribedFields<Schemas> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { schema, description: schema.description ?? others[name] },
    ]),
  ) as DescribedFields<Schemas>
}

type DescribedFields<Schemas> = {
  readonly [Name in keyof Schemas]: { readonly schema: Schemas[Name]; readonly description: string }
}

/** The same fields, which some replies lack; the note says which. */
export function optionalFields<Fields extends ReplyFields>(
  fields: Fields,
  note: string,
): OptionalFields<Fields> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { schema, description }]) => [
      name,
      { schema, description: `${description} ${note}`, isOptional: true },
    ]),
  ) as OptionalFields<Fields>
}

/** The same fields, each optional. */
export type OptionalFields<Fields extends ReplyFields> = {
  readonly [Name in keyof Fields]: Fields[Name] & { readonly isOptional: true }
}
