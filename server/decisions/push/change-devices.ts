/** Adding and removing the caller's devices for push notifications. */

import type { DeviceId, EventId, WebPushId } from '../../domain/ids.ts'
import type { NewWebPush } from '../../domain/personal/web-push.ts'
import { Secret } from '../../domain/secret.ts'
import { checkPerson } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
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

/** Subscribes a browser or app to web push; answers the subscription's id. The same one again changes nothing. */
export function decideNewWebPush(
  scope: Scope<'BOT_REFUSED'>,
  { subscription, sameId }: { readonly subscription: NewWebPush; readonly sameId: WebPushId | undefined },
): Decision<EventId | WebPushId> {
  checkPerson(scope)
  if (sameId !== undefined) return answering(sameId, [])
  return decideOwn(scope, { type: 'web_push_added', secrets: new Secret(subscription) })
}
