/** `POST /mobile_push/e2ee/test_notification`: sends an encrypted notification to the caller's devices. */

import { findActiveDeviceIds } from '../../../../db/personal/push-devices.ts'
import type { DeviceId } from '../../../domain/ids.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { id, optional } from '../../params.ts'
import { PUSH_TEST_ERRORS, sendPushTest } from './send-push-test.ts'

export const sendE2eeTest = operation({
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  summary: 'Send an end-to-end encrypted test notification',
  description: `Sends a test notification to one device of the caller or to all, encrypted with the key of each.
The reply follows once the relay has accepted it. Devices that the relay does not know yet are ignored.`,
  access: 'user',
  params: { device_id: optional(id<DeviceId>(), 'The device; all devices by default.') },
  reply: {},
  errors: ['BOT_REFUSED', ...PUSH_TEST_ERRORS],
  events: [],
  async run({ params, user, services, requestId, fail }) {
    checkPerson({ caller: user, fail })
    const active = await findActiveDeviceIds(services.sql, user.id)
    const deviceIds = active.filter((one) => params.device_id === undefined || one === params.device_id)
    if (deviceIds.length === 0) throw fail('NO_ACTIVE_PUSH_DEVICE')
    await sendPushTest({ services, user, requestId, fail }, { kind: 'devices', deviceIds })
    return {}
  },
})
