/** Queries that clients send again and again, as fields and parameters: they are decoded once. */

import type { Operation } from './operation.ts'
import { decodeParams, type Params, type ValuesOf } from './params.ts'

/** Queries known at a time: what many clients ask alike. */
const COUNT_MAX = 256
/** Characters of a query that is worth remembering. */
const LENGTH_MAX = 500
/** With what they come to: some objects, and the same characters once more. */
export const QUERIES_BYTES_MAX = COUNT_MAX * (4_000 + 4 * LENGTH_MAX)

/** The fields of a query, with what they come to for the operation that was asked. */
export class QueryFields extends Map<string, string> {
  #operation: Operation | undefined
  #params: ValuesOf<Params> | undefined

  /** As `decodeParams`; the same object each time, which nobody can change. */
  paramsOf(operation: Operation): ValuesOf<Params> {
    if (this.#params && this.#operation === operation) return this.#params
    const params = decodeParams(operation.params, this)
    // A query that comes once, as that of a poll, is not worth freezing.
    this.#params = this.#operation === operation ? freeze(params) : undefined
    this.#operation = operation
    return params
  }
}

/** The queries of one server. */
export class KnownQueries {
  readonly #known = new Map<string, QueryFields>()

  /** The fields of a query, which `decode` fills in. */
  fieldsOf(query: string, decode: (query: string, fields: Map<string, string>) => void): QueryFields {
    const known = this.#known.get(query)
    if (known) return known
    const fields = new QueryFields()
    decode(query, fields)
    if (query.length > LENGTH_MAX) return fields
    if (this.#known.size >= COUNT_MAX) this.#known.clear()
    this.#known.set(query, fields)
    return fields
  }
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}
