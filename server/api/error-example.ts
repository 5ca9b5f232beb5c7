/** Example errors for the reference: bodies with the names of details instead of values. */

import { type ApiError, type ErrorName, fail } from '../errors/api-error.ts'

/** The body of an error, with any further fields. */
export interface ExampleBody {
  readonly msg: string
  readonly code?: string
  readonly [field: string]: unknown
}

/** The named error, with `{detail}` for each detail of its message and each extra field. */
export function exampleError(name: ErrorName): { status: number; body: ExampleBody } {
  const make = fail as (name: ErrorName, details: unknown) => ApiError
  const { status, body } = make(name, placeholder(''))
  const plain = JSON.parse(JSON.stringify(body)) as ExampleBody
  return { status, body: { ...plain, msg: plain.msg.replaceAll('NaN', '{number}') } }
}

/** Reads as `{path}` in text and as a list of one in a list; its properties are placeholders too. */
function placeholder(path: string): unknown {
  const text = `{${path}}`
  return new Proxy(Object.assign([text], { toString: () => text, toJSON: () => text }), {
    get(list, key) {
      if (key in list) return Reflect.get(list, key) as unknown
      if (typeof key === 'symbol') return undefined
      return placeholder(path === '' ? key : `${path}.${key}`)
    },
  })
}
