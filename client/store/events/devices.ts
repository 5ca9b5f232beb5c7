/** Events of the user's devices, applied to the state. */

import type { Device } from '../../../packages/client/src/wire-types.ts'
import { omit } from './lists.ts'
import { assign, type Reducers, type State, UnknownObjectError } from './reducer.ts'

/** A device without a key. */
export const BLANK_DEVICE: Device = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

export const DEVICE_REDUCERS = {
  'device/add': (state, { device_id }) => withDevice(state, device_id, BLANK_DEVICE),
  'device/update': (state, { type: _type, op: _op, id: _id, device_id, ...changes }) =>
    withDevice(state, device_id, { ...getDevice(state, device_id), ...changes }),
  'device/remove': (state, { device_id }) => {
    getDevice(state, device_id)
    return assign(state, { devices: omit(state.devices, device_id) })
  },
} satisfies Partial<Reducers>

function withDevice(state: State, id: number, device: Device): State {
  return assign(state, { devices: state.devices && { ...state.devices, [id]: device } })
}

/** Without registered devices, the result is a blank one, which `withDevice` ignores. */
function getDevice({ devices }: State, id: number): Device {
  if (!devices) return BLANK_DEVICE
  const device = devices[id]
  if (!device) throw new UnknownObjectError('device', id)
  return device
}
