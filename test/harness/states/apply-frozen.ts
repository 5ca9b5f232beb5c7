/** Applies events to a registered state with the reducer of the browser client, which must not change its arguments. */

import { apply } from '../../../client/store/apply.ts'
import type { Event, InitialState } from '../../../packages/client/src/wire-types.ts'
import type { WireState } from '../client/wire-types.ts'

/** The state after the events. All arguments of the reducer are frozen, so an assignment to them throws. */
export function applyFrozen(registered: WireState | InitialState, events: readonly object[]): WireState {
  let state = freezeDeeply(registered) as InitialState
  for (const event of events)
    state = freezeDeeply(apply(state, freezeDeeply(structuredClone(event) as Event)))
  return state as unknown as WireState
}

/** Frozen parts are frozen to their ends, so parts that states share are visited once. */
export function freezeDeeply<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) freezeDeeply(part)
  return Object.freeze(value)
}
