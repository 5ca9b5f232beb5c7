/** Adding and removing the caller's devices for push notifications. */

import type { DeviceId, EventId } from '../../domain/ids.ts'
import { checkPerson } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import { decideOwn, ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** Adds a device; answers its id. */
export function decideNewDevice(scope: Scope<'BOT_REFUSED'>): Decision<EventId> {
  checkPerson(scope)
  return decideOwn(scope, { type: 'device/add' })
}

/** Removes a device. */
export function decideDeviceRemoval(
  scope: Scope<'BOT_REFUSED'>,
  { deviceId }: { readonly deviceId: DeviceId },
): Decision<void> {
  checkPerson(scope)
  return done([ownFact(scope, { type: 'device/remove', deviceId })])
}
