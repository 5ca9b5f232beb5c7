/** The initial state of the user's devices. */

import { readDevices } from '../../../db/personal/push-devices.ts'
import { mapOf } from '../../domain/json-schema.ts'
import { DEVICE, viewDevices } from '../../views/device-view.ts'
import { readOwnList } from './context.ts'
import { statePart } from './state-part.ts'

/** `device`. */
export const devices = statePart({
  fields: {
    devices: { schema: mapOf(DEVICE), description: "The user's devices for push notifications, by id." },
  },
  fetch: async (context) => ({ devices: viewDevices(await readOwnList(context, 'devices', readDevices)) }),
})
