/** Applies events to a registered state, as clients do: one reducer for all tests. */

import { CALL_REDUCERS } from './wire-events/calls.ts'
import { ATTACHMENT_REDUCERS } from './wire-events/attachments.ts'
import { CHANNEL_REDUCERS } from './wire-events/channels.ts'
import { DEVICE_REDUCERS } from './wire-events/devices.ts'
import { GROUP_REDUCERS } from './wire-events/groups.ts'
import { INVITE_REDUCERS } from './wire-events/invites.ts'
import { MESSAGE_REDUCERS } from './wire-events/messages.ts'
import { ORGANIZATION_REDUCERS } from './wire-events/organization.ts'
import { PERSONAL_REDUCERS } from './wire-events/personal.ts'
import { PRESENCE_REDUCERS } from './wire-events/presence.ts'
import { SCHEDULED_REDUCERS } from './wire-events/scheduled-messages.ts'
import { USER_REDUCERS } from './wire-events/users.ts'
import type { Json, WireReducers } from './wire-events/wire-reducer.ts'

const REDUCERS: WireReducers = {
  ...CALL_REDUCERS,
  ...INVITE_REDUCERS,
  ...CHANNEL_REDUCERS,
  ...DEVICE_REDUCERS,
  ...GROUP_REDUCERS,
  ...MESSAGE_REDUCERS,
  ...ORGANIZATION_REDUCERS,
  ...PERSONAL_REDUCERS,
  ...ATTACHMENT_REDUCERS,
  ...PRESENCE_REDUCERS,
  ...SCHEDULED_REDUCERS,
  ...USER_REDUCERS,
}

/** Applies an event to `state`, which it changes and returns. */
export function applyWireEvent(state: Json, event: Json, ownId: number): Json {
  const reduce = REDUCERS[`${event.type}/${event.op ?? ''}`]
  if (!reduce) throw new Error(`the reducer has no ${event.type}/${event.op}`)
  reduce(state, event, ownId)
  return state
}
