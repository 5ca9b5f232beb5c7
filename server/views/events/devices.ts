/** The events of devices, as their users get them. */

import type { DeviceEvent } from '../../domain/events/devices.ts'
import { DEVICE_FIELDS, viewDeviceChange } from '../device-view.ts'
import { type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { INTEGER } from '../../domain/json-schema.ts'

/** The events of devices. */
export const DEVICE_EVENTS = {
  'device/add': opEventOf('device/add', 'The user registered a device.', { device_id: INTEGER }),
  'device/update': opEventOf(
    'device/update',
    'A device of the user changed.',
    { device_id: INTEGER },
    DEVICE_FIELDS,
  ),
  'device/remove': opEventOf('device/remove', 'A device of the user was removed.', { device_id: INTEGER }),
} satisfies EventSchemas<DeviceEvent>

/** The views of devices. */
export const DEVICE_EVENT_VIEWS: EventViews<DeviceEvent, typeof DEVICE_EVENTS> = {
  'device/add': (_, { id }) => ({ type: 'device', op: 'add', device_id: id }),
  'device/update': ({ deviceId, changes }) => ({
    type: 'device',
    op: 'update',
    device_id: deviceId,
    ...viewDeviceChange(changes),
  }),
  'device/remove': ({ deviceId }) => ({ type: 'device', op: 'remove', device_id: deviceId }),
}
