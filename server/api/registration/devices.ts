/** The initial state of the user's devices. */

import { readDevices } from '../../../db/push-devices.ts'
import { viewDevices } from '../../views/device-view.ts'
import { type Fields, readOwnList, type RegistrationContext } from './context.ts'

/** `device`. */
export async function fetchDevices(context: RegistrationContext): Promise<Fields> {
  return { devices: viewDevices(await readOwnList(context, 'devices', readDevices)) }
}
