/** State and event to state: the one reducer of the client, and of the server's own tests. */

import type { Event } from '../../packages/client/src/wire-types.ts'
import { CHANNEL_REDUCERS } from './events/channels.ts'
import { DEVICE_REDUCERS } from './events/devices.ts'
import { GROUP_REDUCERS } from './events/groups.ts'
import { MESSAGE_REDUCERS } from './events/messages.ts'
import { ORGANIZATION_REDUCERS } from './events/organization.ts'
import { PERSONAL_REDUCERS } from './events/personal.ts'
import { PIN_REDUCERS } from './events/pins.ts'
import { PRESENCE_REDUCERS } from './events/presence.ts'
import { type Reducers, type State, UnknownEventError } from './events/reducer.ts'
import { SCHEDULED_REDUCERS } from './events/scheduled-messages.ts'
import { SUBSCRIPTION_REDUCERS } from './events/subscriptions.ts'
import { USER_REDUCERS } from './events/users.ts'

export { type State, UnknownEventError, UnknownObjectError } from './events/reducer.ts'

/** An event without a reducer does not compile. */
const REDUCERS: Reducers = {
  ...CHANNEL_REDUCERS,
  ...DEVICE_REDUCERS,
  ...GROUP_REDUCERS,
  ...MESSAGE_REDUCERS,
  ...ORGANIZATION_REDUCERS,
  ...PERSONAL_REDUCERS,
  ...PIN_REDUCERS,
  ...PRESENCE_REDUCERS,
  ...SCHEDULED_REDUCERS,
  ...SUBSCRIPTION_REDUCERS,
  ...USER_REDUCERS,
}

type AnyReducer = (state: State, event: Event, ownId: number) => State

const BY_KEY: ReadonlyMap<string, AnyReducer> = new Map(
  Object.entries(REDUCERS) as (readonly [string, AnyReducer])[],
)

/** No user has this id. */
const NOBODY = 0

/**
 * Returns the state after an event. It changes neither argument, and copies only the parts that differ, so that a
 * comparison by identity shows which parts changed. Fields that were not registered stay absent.
 *
 * Throws an `UnknownObjectError` if the event is about an object that the state should have and lacks: then register
 * again. Throws an `UnknownEventError` for a type of event that is not in the reference.
 *
 * @param ownId the current user; needed only if the registration lacks `realm_user`.
 */
export function apply(state: State, event: Event, ownId = state.user_id ?? NOBODY): State {
  const key = 'op' in event ? `${event.type}/${event.op}` : event.type
  const reduce = BY_KEY.get(key)
  if (!reduce) throw new UnknownEventError(`no reducer for the event ${key}`)
  return reduce(state, event, ownId)
}
