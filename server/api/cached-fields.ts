/** Fields of a request that are cached, so that the parameters of its operation are decoded once. */

import type { Operation } from './operation.ts'
import { decodeParams, type Params, type ValuesOf } from './params.ts'

/** The fields of a query or a path, with the decoded parameters of its operation. */
export class CachedFields extends Map<string, string> {
  #operation: Operation | undefined
  #params: ValuesOf<Params> | undefined

  /** Like `decodeParams`, but always returns the same frozen object. */
  paramsOf(operation: Operation): ValuesOf<Params> {
    if (this.#params && this.#operation === operation) return this.#params
    const params = decodeParams(operation.params, this)
    // Values that come once, such as a poll's, are not worth freezing.
    this.#params = this.#operation === operation ? freeze(params) : undefined
    this.#operation = operation
    return params
  }
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}
