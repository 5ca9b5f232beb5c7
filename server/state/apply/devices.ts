/** Events of devices: only the tables hold these. */

import type { DeviceEvent } from '../../domain/events/devices.ts'
import { type Appliers, storedElsewhere, storedInList } from './appliers.ts'

/** Applies the events of devices. */
export const DEVICE_APPLIERS: Appliers<DeviceEvent> = {
  'device/add': storedInList('devices'),
  'device/update': storedElsewhere,
  'device/remove': storedElsewhere,
}
