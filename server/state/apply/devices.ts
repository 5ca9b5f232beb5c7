/** Events of devices: only the tables hold these. */

import type { DeviceEvent } from '../../domain/events/devices.ts'
import { type Appliers, keptElsewhere, keptInList } from './appliers.ts'

/** Applies the events of devices. */
export const DEVICE_APPLIERS: Appliers<DeviceEvent> = {
  'device/add': keptInList('devices'),
  'device/update': keptElsewhere,
  'device/remove': keptElsewhere,
}
