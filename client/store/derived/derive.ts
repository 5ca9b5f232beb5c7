/** Values derived from the state, computed again only when a part that they read is another object. */

import type { State } from '../apply.ts'

/** A function of the state that reads `parts` of it, and holds its last value. */
export function derive<const Parts extends readonly unknown[], Value>(
  read: (state: State) => Parts,
  compute: (parts: Parts) => Value,
): (state: State) => Value {
  let last: { readonly parts: Parts; readonly value: Value } | undefined
  return (state) => {
    const parts = read(state)
    const former = last
    if (former && parts.every((part, index) => part === former.parts[index])) return former.value
    const value = compute(parts)
    last = { parts, value }
    return value
  }
}
