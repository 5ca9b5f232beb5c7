/** Changes of lists and records that copy only what differs. An undefined list was not registered, and stays undefined. */

import { UnknownObjectError } from './reducer.ts'

type Registered<Value> = Value | undefined

/** Changes the matching items; without any, the list is the same object. */
export function changeWhere<One>(
  list: Registered<readonly One[]>,
  matches: (one: One) => boolean,
  change: (one: One) => One,
): Registered<readonly One[]> {
  let result: One[] | undefined
  for (const [index, one] of (list ?? []).entries()) {
    if (!matches(one)) continue
    const changed = change(one)
    if (changed === one) continue
    result ??= [...(list ?? [])]
    result[index] = changed
  }
  return result ?? list
}

/** Changes the item with a key, which must be there. */
export function changeOne<One, Name extends keyof One>(
  list: Registered<readonly One[]>,
  [name, value]: readonly [Name, One[Name] & (number | string)],
  changes: Partial<One>,
): Registered<readonly One[]> {
  if (!list) return undefined
  const index = list.findIndex((one) => one[name] === value)
  if (index < 0) throw new UnknownObjectError(String(name), value)
  return list.with(index, { ...(list[index] as One), ...changes })
}

/** Removes the item with a key, which must be there. */
export function removeOne<One, Name extends keyof One>(
  list: Registered<readonly One[]>,
  [name, value]: readonly [Name, One[Name] & (number | string)],
): Registered<readonly One[]> {
  if (!list) return undefined
  const left = removeWhere(list, (one) => one[name] === value)
  if (left === list) throw new UnknownObjectError(String(name), value)
  return left
}

/** Removes the matching items; without any, the list is the same object. */
export function removeWhere<List extends Registered<readonly unknown[]>>(
  list: List,
  matches: (one: NonNullable<List>[number]) => boolean,
): List {
  return (list?.some(matches) ? list.filter((one) => !matches(one)) : list) as List
}

/** Adds items at the end. */
export function append<One>(
  list: Registered<readonly One[]>,
  ...added: readonly One[]
): Registered<readonly One[]> {
  return list && added.length > 0 ? [...list, ...added] : list
}

/** A record without a name; if it lacks the name, it is the same object. */
export function omit<Value>(
  record: Registered<Readonly<Record<string, Value>>>,
  name: number | string,
): Registered<Readonly<Record<string, Value>>> {
  if (!record || !Object.hasOwn(record, name)) return record
  const { [String(name)]: _, ...left } = record
  return left
}

/** Ascending ids with some added or removed. */
export function changeIds<Ids extends Registered<readonly number[]>>(
  ids: Ids,
  changed: readonly number[],
  isAdding: boolean,
): Ids | readonly number[] {
  if (!ids) return ids
  const set = new Set(changed)
  const others = ids.filter((id) => !set.has(id))
  if (isAdding) return [...others, ...set].sort((a, b) => a - b)
  return others.length === ids.length ? ids : others
}
