/** Caches frequent queries as fields and parameters, so that they are decoded once. */

import type { Operation } from './operation.ts'
import { decodeParams, type Params, type ValuesOf } from './params.ts'

/** Cached queries: the ones that many clients send alike. */
const COUNT_MAX = 256
/** Characters of a query that may be cached. */
const LENGTH_MAX = 500
/** Including their decoded values: some objects, and the same characters again. */
const BYTES_PER_QUERY = 4_000 + 4 * LENGTH_MAX
export const QUERIES_BYTES_MAX = COUNT_MAX * BYTES_PER_QUERY

/** The fields of a query, with the decoded parameters of its operation. */
export class QueryFields extends Map<string, string> {
  #operation: Operation | undefined
  #params: ValuesOf<Params> | undefined

  /** Like `decodeParams`, but always returns the same frozen object. */
  paramsOf(operation: Operation): ValuesOf<Params> {
    if (this.#params && this.#operation === operation) return this.#params
    const params = decodeParams(operation.params, this)
    // A query that is sent once, such as a poll's, is not worth freezing.
    this.#params = this.#operation === operation ? freeze(params) : undefined
    this.#operation = operation
    return params
  }
}

/** The cached queries of one server. */
export class CachedQueries {
  readonly #known = new Map<string, QueryFields>()

  /** The most bytes that the cached queries take. */
  get bytes(): number {
    return this.#known.size * BYTES_PER_QUERY
  }

  /** The fields of a query; `decode` fills them in. */
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
