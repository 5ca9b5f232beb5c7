/** The types of reducers: the state of a client, and one pure function for each event type and `op`. */

import type { Event, InitialState } from '../../../packages/client/src/wire-types.ts'

/** The state of a registration, changed by its events. */
export type State = InitialState

type KeyOf<One extends Event> = One extends { readonly op: infer Op extends string }
  ? `${One['type']}/${Op}`
  : One['type']

/** An event type, with its `op` after a slash if it has one. */
export type EventKey = KeyOf<Event>

type Select<One, Key> = One extends Event ? (Key extends KeyOf<One> ? One : never) : never

/** The events with a key. */
export type EventOf<Key extends EventKey> = Select<Event, Key>

/**
 * Returns the state after an event, and never changes its arguments. Parts that the event does not concern are the same
 * objects afterwards. Parts that were not registered stay absent.
 */
export type Reducer<Key extends EventKey = EventKey> = (
  state: State,
  event: EventOf<Key>,
  ownId: number,
) => State

/** Reducers by event. */
export type Reducers = { readonly [Key in EventKey]: Reducer<Key> }

/** For events about objects outside the state. */
export const unchanged = (state: State): State => state

/** An event is about an object that the state does not have: the state is not that of the server. */
export class UnknownObjectError extends Error {
  override readonly name = 'UnknownObjectError'

  constructor(kind: string, id: number | string) {
    super(`an event is about ${kind} ${id}, which the state does not have`)
  }
}

/** The event has a type that this client does not know, for example from a newer server. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError'
}

type Changes = { readonly [Name in keyof State]?: State[Name] | undefined }

/** The state with some fields replaced; undefined ones stay. Without a difference it is the same object. */
export function assign(state: State, changes: Changes): State {
  const made = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && state[name as keyof State] !== value,
  )
  return made.length === 0 ? state : { ...state, ...Object.fromEntries(made) }
}
