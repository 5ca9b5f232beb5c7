/** Devices: the tables alone hold them. */

import type { DeviceEvent } from '../../domain/events/devices.ts'
import { type Appliers, keptElsewhere, keptInList } from './appliers.ts'

/** How what becomes of devices changes the state. */
export const DEVICE_APPLIERS: Appliers<DeviceEvent> = {
  'device/add': keptInList('devices'),
  'device/update': keptElsewhere,
  'device/remove': keptElsewhere,
}
