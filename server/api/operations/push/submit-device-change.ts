/** Changes of the caller's own devices: what is missing, pending or too much turns out as it is stored. */

import { MissingDeviceError, PendingTokenError, TooManyDevicesError } from '../../../../db/push-devices.ts'
import type { DeviceEvent } from '../../../domain/events/devices.ts'
import type { EventId } from '../../../domain/ids.ts'
import { DEVICES_MAX } from '../../../domain/limits.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { fail } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'

/** Commits an event of a device and tells its user; answers the event's number. */
export async function submitDeviceChange(services: Services, event: DeviceEvent): Promise<EventId> {
  try {
    return await commitOwn(services, event)
  } catch (error) {
    if (error instanceof MissingDeviceError) throw fail('DEVICE_UNKNOWN')
    if (error instanceof PendingTokenError) throw fail('PUSH_REGISTRATION_PENDING')
    if (error instanceof TooManyDevicesError) throw fail('TOO_MANY_DEVICES', { countMax: DEVICES_MAX })
    throw error
  }
}
