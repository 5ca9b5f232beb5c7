/** Caches frequent queries as fields and parameters, so that they are decoded once. */

import { CachedFields } from './cached-fields.ts'

/** Cached queries: the ones that many clients send alike. */
const COUNT_MAX = 256
/** Characters of a query that may be cached. */
const LENGTH_MAX = 500
/** Including their decoded values: some objects, and the same characters again. */
const BYTES_PER_QUERY = 4_000 + 4 * LENGTH_MAX
export const QUERIES_BYTES_MAX = COUNT_MAX * BYTES_PER_QUERY

/** The cached queries of one server. */
export class CachedQueries {
  readonly #known = new Map<string, CachedFields>()

  /** The most bytes that the cached queries take. */
  get bytes(): number {
    return this.#known.size * BYTES_PER_QUERY
  }

  /** The fields of a query; `decode` fills them in. */
  fieldsOf(query: string, decode: (query: string, fields: Map<string, string>) => void): CachedFields {
    const known = this.#known.get(query)
    if (known) return known
    const fields = new CachedFields()
    decode(query, fields)
    if (query.length > LENGTH_MAX) return fields
    if (this.#known.size >= COUNT_MAX) this.#known.clear()
    this.#known.set(query, fields)
    return fields
  }
}
