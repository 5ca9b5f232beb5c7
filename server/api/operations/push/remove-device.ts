/** `POST /remove_client_device`: removes a device of the caller. */

import { MissingDeviceError } from '../../../../db/personal/push-devices.ts'
import { decideDeviceRemoval } from '../../../decisions/push/change-devices.ts'
import type { DeviceId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const removeDevice = change({
  method: 'POST',
  path: '/remove_client_device',
  summary: 'Remove a device',
  description: 'Removes a device of the caller; it gets no more notifications.',
  access: 'user',
  params: { device_id: required(id<DeviceId>(), 'The device.') },
  reply: {},
  errors: ['BOT_REFUSED', 'DEVICE_UNKNOWN'],
  events: ['device/remove'],
  prepare: ({ params }) => ({ deviceId: params.device_id }),
  decide: decideDeviceRemoval,
  explain: (error, { fail }) => (error instanceof MissingDeviceError ? fail('DEVICE_UNKNOWN') : undefined),
})
