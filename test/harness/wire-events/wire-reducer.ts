/** Reducers for received events. */

// biome-ignore lint: states and events are JSON; the comparison checks the shapes.
export type Json = any

/** Changes the state of a client by an event. */
export type WireReducer = (state: Json, event: Json, ownId: number) => void

/** Reducers by event type and `op`, separated by a slash. */
export type WireReducers = Readonly<Record<string, WireReducer>>

/** Events of objects outside the registration. */
export const notRegistered = (): void => undefined

/** A reducer that replaces a field of the state by that of the event. */
export function replacing(field: string, stateField = field): WireReducer {
  return (state, event) => {
    state[stateField] = event[field]
  }
}

/** Adds an item to a list by key. */
export function find(list: Json[], key: string, value: number | string): Json {
  const found = list.find((one) => one[key] === value)
  if (!found) throw new Error(`an event is about ${key} ${value}, which the client does not have`)
  return found
}

/** Removes an item from a list of the state by key. */
export function remove(state: Json, list: string, key: string, value: number | string): void {
  const found = find(state[list], key, value)
  state[list] = state[list].filter((one: Json) => one !== found)
}

/** Sorted ids with some added or removed. */
export function change(ids: number[], changed: number[], isAdding: boolean): number[] {
  const others = ids.filter((id) => !changed.includes(id))
  return isAdding ? [...others, ...changed].sort((a, b) => a - b) : others
}
