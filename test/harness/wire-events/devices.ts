/** Events of the user's devices, applied to the state of a client. */

import type { WireReducers } from './wire-reducer.ts'

/** A device without a key. */
export const BLANK_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

export const DEVICE_REDUCERS: WireReducers = {
  'device/add': (state, { device_id }) => {
    state.devices[device_id] = { ...BLANK_DEVICE }
  },
  'device/update': (state, { type: _type, op: _op, id: _id, device_id, ...changes }) => {
    if (!state.devices[device_id])
      throw new Error(`an event is about device ${device_id}, which is not there`)
    Object.assign(state.devices[device_id], changes)
  },
  'device/remove': (state, { device_id }) => {
    if (!state.devices[device_id])
      throw new Error(`device ${device_id} is removed, but the client does not have it`)
    delete state.devices[device_id]
  },
}
