/** `POST /register_client_device`: adds a device of the caller, to set up push notifications. */

import { TooManyDevicesError } from '../../../../db/personal/push-devices.ts'
import { decideNewDevice } from '../../../decisions/push/change-devices.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { DEVICES_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'

export const registerDevice = change({
  method: 'POST',
  path: '/register_client_device',
  summary: 'Register a device',
  description:
    'Creates a device of the caller, which can then be set up for push notifications. The clients of the caller get an event.',
  access: 'user',
  params: {},
  reply: { device_id: { schema: INTEGER, description: 'Its id.' } },
  errors: ['BOT_REFUSED', 'TOO_MANY_DEVICES'],
  events: ['device/add'],
  prepare: () => undefined,
  decide: decideNewDevice,
  explain: (error, { fail }) =>
    error instanceof TooManyDevicesError ? fail('TOO_MANY_DEVICES', { countMax: DEVICES_MAX }) : undefined,
  answer: (id) => ({ device_id: id }),
})
