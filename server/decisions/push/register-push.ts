/** The key and the token of a device: they encrypt and deliver its push notifications. */

import type { DeviceRow } from '../../../db/personal/push-devices.ts'
import {
  type DeviceChange,
  type DeviceSecrets,
  PUSH_KEY_LENGTH,
  type PushKey,
  SECRETBOX_NUMBER,
  TOKEN_ID_LENGTH,
  type TokenRegistration,
} from '../../domain/personal/push-devices.ts'
import { readBase64 } from '../../domain/text/base64.ts'
import { Secret } from '../../domain/secret.ts'
import { type Decision, done } from '../decision.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** A key, a token, or both, for a device as it was loaded. */
export interface RegisterPushRequest {
  readonly device: DeviceRow
  /** The client's number of the key. The key is base64 and starts with its algorithm. */
  readonly key: { readonly id: number; readonly text: string } | undefined
  readonly token: GivenToken | undefined
}

interface GivenToken extends TokenRegistration {
  /** The client's id of the token, in base64. */
  readonly id: string
}

/** How a registration can fail. */
export const REGISTER_PUSH_ERRORS = [
  'PUSH_REGISTRATION_INCOMPLETE',
  'PUSH_KEY_INVALID',
  'PUSH_TOKEN_ID_INVALID',
  'PUSH_KEY_MISSING',
  'PUSH_TOKEN_ROTATION_EARLY',
  'PUSH_REGISTRATION_PENDING',
] as const
type RegisterScope = Scope<(typeof REGISTER_PUSH_ERRORS)[number]>

/** Changes of a device: those that its user sees, and secrets that no client sees. */
interface DeviceUpdate {
  readonly changes: DeviceChange
  readonly secrets: DeviceSecrets
}

/** Gives a device its key, its token, or both. */
export function decidePushRegistration(scope: RegisterScope, request: RegisterPushRequest): Decision<void> {
  const { device, key, token } = request
  if (key === undefined && token === undefined) throw scope.fail('PUSH_REGISTRATION_INCOMPLETE')
  const keyUpdate = key === undefined ? undefined : checkKey(scope, request, key)
  const tokenUpdate = token === undefined ? undefined : checkToken(scope, request, token)
  if (!keyUpdate && !tokenUpdate) return done([])
  const changes = { ...keyUpdate?.changes, ...tokenUpdate?.changes }
  const secrets = { ...keyUpdate?.secrets, ...tokenUpdate?.secrets }
  if (isSame(device, { changes, secrets })) return done([])
  return done([
    ownFact(scope, { type: 'device/update', deviceId: device.id, changes, secrets: new Secret(secrets) }),
  ])
}

function checkKey(
  { fail }: RegisterScope,
  { device, token }: RegisterPushRequest,
  key: NonNullable<RegisterPushRequest['key']>,
): DeviceUpdate {
  if (!token && device.pushKeyId === null) throw fail('PUSH_KEY_MISSING')
  return { changes: { pushKeyId: key.id }, secrets: { pushKey: checkPushKey({ fail }, key.text) } }
}

/** Undefined if the relay knows the token already. */
function checkToken(
  { fail, now }: RegisterScope,
  { device, key }: RegisterPushRequest,
  { id, ...registration }: GivenToken,
): DeviceUpdate | undefined {
  const tokenId = checkTokenId({ fail }, id)
  if (device.pendingTokenId !== null && device.errorCode === null) throw fail('PUSH_REGISTRATION_PENDING')
  if (key === undefined && device.pushKeyId === null) throw fail('PUSH_TOKEN_ROTATION_EARLY')
  const isKnown =
    device.tokenId === tokenId && device.tokenKind === registration.tokenKind && device.errorCode === null
  if (isKnown) return undefined
  return {
    changes: { pendingTokenId: tokenId, tokenUpdatedAt: now, errorCode: null },
    secrets: { registration },
  }
}

/** Whether the device has the key already, and the request has nothing else. */
function isSame(
  device: DeviceRow,
  { changes: { pushKeyId }, secrets: { pushKey, registration } }: DeviceUpdate,
): boolean {
  return (
    registration === undefined &&
    pushKeyId === device.pushKeyId &&
    pushKey !== undefined &&
    device.pushKey !== null &&
    Buffer.from(pushKey.bytes).equals(device.pushKey)
  )
}

/** A device's key, which starts with the number of its algorithm. */
function checkPushKey({ fail }: Pick<Scope<'PUSH_KEY_INVALID'>, 'fail'>, text: string): PushKey {
  const bytes = readBase64(text)
  if (bytes?.length !== PUSH_KEY_LENGTH || bytes[0] !== SECRETBOX_NUMBER) throw fail('PUSH_KEY_INVALID')
  return { bytes }
}

/** A client's id of a token. */
function checkTokenId({ fail }: Pick<Scope<'PUSH_TOKEN_ID_INVALID'>, 'fail'>, text: string): string {
  const bytes = readBase64(text)
  if (bytes?.length !== TOKEN_ID_LENGTH) throw fail('PUSH_TOKEN_ID_INVALID')
  return bytes.toString('base64')
}
