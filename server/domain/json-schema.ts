/**
 * JSON Schemas of the wire, each with the TypeScript type of its values. A view is typed by its schema, so the
 * reference, the tests and the compiler read one text. A schema is a plain object: a schema library took 90 ms and 19
 * MB of a web process for the work of these few functions.
 */

declare const described: unique symbol

/** A JSON Schema of values of a type. */
export type Schema<Value = unknown> = Readonly<Record<string, unknown>> & { readonly [described]?: Value }

/** The values that a schema describes. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never

type Fields = Readonly<Record<string, Schema>>
type Flat<Type> = { readonly [Name in keyof Type]: Type[Name] }
type RecordOf<Required extends Fields, Optional extends Fields> = Flat<
  { readonly [Name in keyof Required]: ValueOf<Required[Name]> } & {
    readonly [Name in keyof Optional]?: ValueOf<Optional[Name]>
  }
>

export const INTEGER: Schema<number> = { type: 'integer' }
export const STRING: Schema<string> = { type: 'string' }
export const NUMBER: Schema<number> = { type: 'number' }
export const BOOLEAN: Schema<boolean> = { type: 'boolean' }

/** A list of things that this server does not have. */
export const EMPTY_LIST: Schema<readonly never[]> = { type: 'array', maxItems: 0 }

/** A schema with a description, for the reference. */
export function describe<Value>(schema: Schema<Value>, description: string): Schema<Value> {
  return { ...schema, description }
}

/** A list. */
export function arrayOf<Item>(items: Schema<Item>): Schema<readonly Item[]> {
  return { type: 'array', items }
}

/** A value that matches one of several schemas. */
export function anyOf<Options extends readonly Schema[]>(
  ...options: Options
): Schema<ValueOf<Options[number]>> {
  return { anyOf: options }
}

/** A value, or null. */
export function orNull<Value>(schema: Schema<Value>): Schema<Value | null> {
  return { anyOf: [schema, { type: 'null' }] }
}

/** One of these texts. */
export function oneOf<const Text extends string>(...texts: readonly Text[]): Schema<Text> {
  return { type: 'string', enum: texts }
}

/** One of these integers. */
export function oneOfIntegers<const Value extends number>(...values: readonly Value[]): Schema<Value> {
  return { type: 'integer', enum: values }
}

/** An object whose keys are data, such as ids. */
export function mapOf<Value>(values: Schema<Value>): Schema<Readonly<Record<string, Value>>> {
  return { type: 'object', additionalProperties: values }
}

/** An object with these fields and no others; the optional ones may be missing. */
export function record<
  const Required extends Fields,
  const Optional extends Fields = Readonly<Record<never, never>>,
>(required: Required, optional: Optional = {} as Optional): Schema<RecordOf<Required, Optional>> {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }
}
