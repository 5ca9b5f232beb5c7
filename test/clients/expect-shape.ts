/** The fields and types that clients in strict languages need of a reply. */

import type { Named } from '../harness/client/wire-types.ts'

/** A type by name; with `?` also null, with `[]` a list; or the fields of an object. */
export type Shape =
  | 'integer'
  | 'string'
  | 'boolean'
  | 'object'
  | 'list'
  | 'integer?'
  | 'string?'
  | 'boolean?'
  | 'integer[]'
  | 'string[]'
  | { readonly [field: string]: Shape }

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: Array.isArray,
}

/** The paths at which a value does not fit a shape, with the value there. */
export function findMisshapen(value: unknown, shape: Shape, place = ''): string[] {
  if (typeof shape === 'object') {
    if (!CHECKS.object?.(value)) return [`${place}: ${JSON.stringify(value)}`]
    return Object.entries(shape).flatMap(([field, inner]) =>
      findMisshapen((value as Named)[field], inner, `${place}.${field}`),
    )
  }
  if (shape.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${place}: ${JSON.stringify(value)}`]
    return value.flatMap((item, index) =>
      findMisshapen(item, shape.slice(0, -2) as Shape, `${place}[${index}]`),
    )
  }
  const isRight = shape.endsWith('?')
    ? value === null || CHECKS[shape.slice(0, -1)]?.(value)
    : CHECKS[shape]?.(value)
  return isRight ? [] : [`${place}: ${JSON.stringify(value)}`]
}

/** The same for each item of a list, which must not be empty. */
export function findMisshapenOf(values: Iterable<unknown>, shape: Shape, place: string): string[] {
  const all = [...values]
  if (all.length === 0) return [`${place}: there is none`]
  return all.flatMap((value, index) => findMisshapen(value, shape, `${place}[${index}]`))
}
