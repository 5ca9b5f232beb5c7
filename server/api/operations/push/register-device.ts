/** `POST /register_client_device`: a device of the caller, to be set up for push notifications. */

import { INTEGER } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'
import { submitDeviceChange } from './submit-device-change.ts'

export const registerDevice = operation({
  method: 'POST',
  path: '/register_client_device',
  summary: 'Register a device',
  description:
    "Makes a device of the caller, which may then be set up for push notifications. The caller's clients are told.",
  access: 'user',
  params: {},
  reply: { device_id: { schema: INTEGER, description: 'Its id.' } },
  errors: ['BOT_REFUSED', 'TOO_MANY_DEVICES'],
  events: ['device/add'],
  async run({ user, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    return { device_id: await submitDeviceChange(services, { type: 'device/add', userId: user.id }) }
  },
})
