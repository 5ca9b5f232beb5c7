/** `POST /mobile_push/register`: gives a device its key, its token, or both. */

import { type DeviceRow, findDevice } from '../../../../db/push-devices.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { DeviceId } from '../../../domain/ids.ts'
import type { DeviceChange, DeviceSecrets } from '../../../domain/push-devices.ts'
import { Secret } from '../../../domain/secret.ts'
import { operation } from '../../operation.ts'
import { id, integer, oneOf, optional, required, text } from '../../params.ts'
import { PUSH_ID_LENGTH_MAX, readPushKey, readTokenId, relayKeyType, sealedType } from './push-params.ts'
import { submitDeviceChange } from './submit-device-change.ts'

/** Ids of keys are whole numbers of 32 bits. */
const KEY_ID_MAX = 2 ** 32 - 1

export const registerPush = operation({
  method: 'POST',
  path: '/mobile_push/register',
  summary: 'Register a device for push notifications',
  description: `Gives a device of the caller the key by which its notifications are encrypted, the token by which it
is reached, or both; each can be replaced by itself once there are both. The relay is told of a token afterwards, however
often that takes. The caller's clients are told what came of it.`,
  access: 'user',
  params: {
    device_id: required(id<DeviceId>(), 'The device.'),
    push_key_id: optional(integer({ min: 0, max: KEY_ID_MAX }), "The client's number of the key."),
    push_key: optional(
      text({ lengthMax: PUSH_ID_LENGTH_MAX }),
      'The key: its algorithm (0x31) and 32 bytes, in base64.',
    ),
    token_kind: optional(oneOf('apns', 'fcm'), 'Who delivers.'),
    token_id: optional(
      text({ lengthMax: PUSH_ID_LENGTH_MAX }),
      "The client's mark of the token: 8 bytes, in base64.",
    ),
    bouncer_public_key: optional(relayKeyType, "The relay's key that the registration is sealed with."),
    encrypted_push_registration: optional(sealedType, 'What the relay is told: sealed for it alone.'),
  },
  reply: {},
  errors: [
    'BOT_REFUSED',
    'PUSH_NOT_CONFIGURED',
    'DEVICE_UNKNOWN',
    'PUSH_REGISTRATION_INCOMPLETE',
    'PUSH_KEY_INVALID',
    'PUSH_TOKEN_ID_INVALID',
    'PUSH_KEY_MISSING',
    'PUSH_TOKEN_ROTATION_EARLY',
    'PUSH_REGISTRATION_PENDING',
  ],
  events: ['device/update'],
  async run({ params, user, services, fail }) {
    if (user.botType !== null) throw fail('BOT_REFUSED')
    if (!services.hasPushRelay) throw fail('PUSH_NOT_CONFIGURED')
    const device = await findDevice(services.sql, user.id, params.device_id)
    if (!device) throw fail('DEVICE_UNKNOWN')
    const key = params.push_key_id === undefined ? undefined : params.push_key
    const { token_kind, token_id, bouncer_public_key, encrypted_push_registration } = params
    const hasToken =
      token_kind !== undefined &&
      token_id !== undefined &&
      bouncer_public_key !== undefined &&
      encrypted_push_registration !== undefined
    if (key === undefined && !hasToken) throw fail('PUSH_REGISTRATION_INCOMPLETE')

    const changes: DeviceChange = {}
    const secrets: DeviceSecrets = {}
    if (key !== undefined && params.push_key_id !== undefined) {
      if (!hasToken && device.pushKeyId === null) throw fail('PUSH_KEY_MISSING')
      Object.assign(changes, { pushKeyId: params.push_key_id })
      Object.assign(secrets, { pushKey: readPushKey(key, fail) })
    }
    if (hasToken) {
      const tokenId = readTokenId(token_id, fail)
      if (device.pendingTokenId !== null && device.errorCode === null) throw fail('PUSH_REGISTRATION_PENDING')
      if (key === undefined && device.pushKeyId === null) throw fail('PUSH_TOKEN_ROTATION_EARLY')
      if (isKnown(device, tokenId, token_kind)) {
        if (key === undefined) return {}
      } else {
        const now = nowSeconds(services.clock)
        Object.assign(changes, { pendingTokenId: tokenId, tokenUpdatedAt: now, errorCode: null })
        Object.assign(secrets, {
          registration: {
            tokenKind: token_kind,
            sealed: encrypted_push_registration,
            relayPublicKey: bouncer_public_key,
          },
        })
      }
    }
    if (isSame(device, changes, secrets)) return {}
    await submitDeviceChange(services, {
      type: 'device/update',
      userId: user.id,
      deviceId: device.id,
      changes,
      secrets: new Secret(secrets),
    })
    return {}
  },
})

/** Whether the relay knows a token of the device already. */
function isKnown(device: DeviceRow, tokenId: string, kind: string): boolean {
  return device.tokenId === tokenId && device.tokenKind === kind && device.errorCode === null
}

/** Whether the device has the key already, and is given nothing else. */
function isSame(device: DeviceRow, { pushKeyId }: DeviceChange, { pushKey, registration }: DeviceSecrets) {
  return (
    registration === undefined &&
    pushKeyId === device.pushKeyId &&
    pushKey !== undefined &&
    device.pushKey !== null &&
    Buffer.from(pushKey.bytes).equals(device.pushKey)
  )
}
