/** What a client does with an event that it is told. */

// biome-ignore lint: states and events are JSON; the comparison checks the shapes.
export type Json = any

/** Changes the state of a client by an event. */
export type WireReducer = (state: Json, event: Json, ownId: number) => void

/** Reducers by the event's type and `op`, with a stroke between them. */
export type WireReducers = Readonly<Record<string, WireReducer>>

/** Of what a registration does not tell. */
export const notRegistered = (): void => undefined

/** A reducer that puts a field of the event in the place of the state's. */
export function replacing(field: string, stateField = field): WireReducer {
  return (state, event) => {
    state[stateField] = event[field]
  }
}

/** What a list holds under a key. */
export function find(list: Json[], key: string, value: number | string): Json {
  const found = list.find((one) => one[key] === value)
  if (!found) throw new Error(`an event is about ${key} ${value}, of which the client was never told`)
  return found
}

/** Takes what a list holds under a key from the state's. */
export function remove(state: Json, list: string, key: string, value: number | string): void {
  const found = find(state[list], key, value)
  state[list] = state[list].filter((one: Json) => one !== found)
}

/** Sorted ids with others added or taken away. */
export function change(ids: number[], changed: number[], isAdding: boolean): number[] {
  const others = ids.filter((id) => !changed.includes(id))
  return isAdding ? [...others, ...changed].sort((a, b) => a - b) : others
}
