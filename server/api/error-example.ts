/** What an error looks like, for the reference: its body with the names of details in place of their values. */

import { type ApiError, type ErrorName, fail } from '../errors/api-error.ts'

/** The body of a failure, with whatever fields it has beside these. */
export interface ExampleBody {
  readonly msg: string
  readonly code?: string
  readonly [field: string]: unknown
}

/** The failure of that name with `{detail}` for each detail of its message and its extra fields. */
export function exampleError(name: ErrorName): { status: number; body: ExampleBody } {
  const make = fail as (name: ErrorName, details: unknown) => ApiError
  const { status, body } = make(name, placeholder(''))
  const plain = JSON.parse(JSON.stringify(body)) as ExampleBody
  return { status, body: { ...plain, msg: plain.msg.replaceAll('NaN', '{number}') } }
}

/** Reads as `{path}` in a text, as a list of one in a list's place, and its parts are placeholders again. */
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
