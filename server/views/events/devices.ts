/** What users are told of their devices. */

import type { DeviceEvent } from '../../domain/events/devices.ts'
import { viewDeviceChange } from '../device-view.ts'
import type { EventViews } from './event-context.ts'

/** The views of what becomes of devices. */
export const DEVICE_EVENT_VIEWS: EventViews<DeviceEvent> = {
  'device/add': (_, { id }) => ({ type: 'device', op: 'add', device_id: id }),
  'device/update': ({ deviceId, changes }) => ({
    type: 'device',
    op: 'update',
    device_id: deviceId,
    ...viewDeviceChange(changes),
  }),
  'device/remove': ({ deviceId }) => ({ type: 'device', op: 'remove', device_id: deviceId }),
}
