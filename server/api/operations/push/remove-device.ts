/** `POST /remove_client_device`: a device of the caller goes. */

import type { DeviceId } from '../../../domain/ids.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { submitDeviceChange } from './submit-device-change.ts'

export const removeDevice = operation({
  method: 'POST',
  path: '/remove_client_device',
  summary: 'Remove a device',
  description: 'Removes a device of the caller, which is sent nothing any more.',
  access: 'user',
  params: { device_id: required(id<DeviceId>(), 'The device.') },
  reply: {},
  errors: ['BOT_REFUSED', 'DEVICE_UNKNOWN'],
  events: ['device/remove'],
  async run({ params, user, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    await submitDeviceChange(services, {
      type: 'device/remove',
      userId: user.id,
      deviceId: params.device_id,
    })
    return {}
  },
})
