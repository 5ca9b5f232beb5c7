/** Devices of users, for their users alone. */

import { removeDevice, storeDevice, storeDeviceChange } from '../../db/personal/push-devices.ts'
import { storeWebPush } from '../../db/personal/web-push.ts'
import type { DeviceFact } from '../domain/events/devices.ts'
import { INTEGER, record } from '../domain/json-schema.ts'
import { DEVICE_FIELDS, viewDeviceChange } from '../views/device-view.ts'
import { addsTo, type Entries, fact, silent } from './entry.ts'
import { shown } from './view.ts'

const DEVICE_ID = { device_id: INTEGER }

export const DEVICE_EVENTS: Entries<DeviceFact> = {
  'device/add': fact({
    ...addsTo('devices'),
    store: (writes, id, { userId }) => storeDevice(writes, id, userId),
    view: shown('The user registered a device.', record(DEVICE_ID), (_, { id }) => ({
      device_id: id,
    })),
  }),
  'device/update': fact({
    store: (writes, _, event) => storeDeviceChange(writes, event),
    view: shown(
      'A device of the user changed.',
      record(DEVICE_ID, DEVICE_FIELDS),
      ({ deviceId, changes }) => ({ device_id: deviceId, ...viewDeviceChange(changes) }),
    ),
  }),
  'device/remove': fact({
    store: (writes, _, { userId, deviceId }) => removeDevice(writes, userId, deviceId),
    view: shown('A device of the user was removed.', record(DEVICE_ID), ({ deviceId }) => ({
      device_id: deviceId,
    })),
  }),
  push_token_added: silent({ ...addsTo('devices'), store: () => undefined }),
  web_push_added: silent({
    ...addsTo('devices'),
    store(writes, id, { userId, secrets }) {
      if (secrets) storeWebPush(writes, id, userId, secrets.reveal())
    },
  }),
}
