/** Devices with encrypted notifications. */

import {
  findDevice,
  MissingDeviceError,
  PendingTokenError,
  TooManyDevicesError,
} from '../../../../db/personal/push-devices.ts'
import { decideDeviceRemoval, decideNewDevice } from '../../../decisions/push/change-devices.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { DEVICES_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import {
  decidePushRegistration,
  REGISTER_PUSH_ERRORS,
  type RegisterPushRequest,
} from '../../../decisions/push/register-push.ts'
import type { DeviceId } from '../../../domain/ids.ts'
import { id, integer, oneOf, optional, required, text, type ValuesOf } from '../../params.ts'
import { PUSH_ID_LENGTH_MAX, relayKeyType, sealedType } from './push-params.ts'

/** `POST /register_client_device`: adds a device of the caller, to set up push notifications. */
export const registerDevice = change({
  method: 'POST',
  path: '/register_client_device',
  summary: 'Register a device',
  description:
    'Creates a device of the caller, which can then be set up for push notifications. The clients of the caller get an event.',
  access: 'user',
  params: {},
  reply: { device_id: { schema: INTEGER, description: 'Its id.' } },
  errors: ['BOT_REFUSED', 'TOO_MANY_DEVICES'],
  events: ['device/add'],
  prepare: () => undefined,
  decide: decideNewDevice,
  explain: (error, { fail }) =>
    error instanceof TooManyDevicesError ? fail('TOO_MANY_DEVICES', { countMax: DEVICES_MAX }) : undefined,
  answer: (id) => ({ device_id: id }),
})

/** Ids of keys are 32-bit integers. */
const KEY_ID_MAX = 2 ** 32 - 1

const registerPushParams = {
  device_id: required(id<DeviceId>(), 'The device.'),
  push_key_id: optional(integer({ min: 0, max: KEY_ID_MAX }), "The client's number of the key."),
  push_key: optional(
    text({ lengthMax: PUSH_ID_LENGTH_MAX }),
    'The key: its algorithm (0x31) and 32 bytes, in base64.',
  ),
  token_kind: optional(oneOf('apns', 'fcm'), 'Who delivers.'),
  token_id: optional(
    text({ lengthMax: PUSH_ID_LENGTH_MAX }),
    'The id of the token on the client: 8 bytes, in base64.',
  ),
  bouncer_public_key: optional(relayKeyType, "The relay's key that the registration is sealed with."),
  encrypted_push_registration: optional(
    sealedType,
    'The registration for the relay, encrypted so that only the relay can read it.',
  ),
}
type Given = ValuesOf<typeof registerPushParams>

/** `POST /mobile_push/register`: sets a device's key, its token, or both. */
export const registerPush = change({
  method: 'POST',
  path: '/mobile_push/register',
  summary: 'Register a device for push notifications',
  description: `Sets the key that encrypts the notifications of a device of the caller, the token that the relay sends
them to, or both. Once both are set, each can be replaced separately. The server then sends the token to the relay, with
retries. The clients of the caller get an event with the result.`,
  access: 'user',
  params: registerPushParams,
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_NOT_CONFIGURED', 'DEVICE_UNKNOWN', ...REGISTER_PUSH_ERRORS],
  events: ['device/update'],
  async prepare({ params, user, services: { sql, hasPushRelay }, fail }) {
    checkPerson({ caller: user, fail })
    if (!hasPushRelay) throw fail('PUSH_NOT_CONFIGURED')
    const device = await findDevice(sql, user.id, params.device_id)
    if (!device) throw fail('DEVICE_UNKNOWN')
    return { device, key: readKey(params), token: readToken(params) }
  },
  decide: decidePushRegistration,
  explain(error, { fail }) {
    if (error instanceof MissingDeviceError) return fail('DEVICE_UNKNOWN')
    return error instanceof PendingTokenError ? fail('PUSH_REGISTRATION_PENDING') : undefined
  },
})

/** The key, if both its id and its bytes are present. */
function readKey({ push_key_id: id, push_key: text }: Given): RegisterPushRequest['key'] {
  return id === undefined || text === undefined ? undefined : { id, text }
}

/** The token, if all of its parameters are present. */
function readToken({ token_kind: tokenKind, token_id: id, ...given }: Given): RegisterPushRequest['token'] {
  const { bouncer_public_key: relayPublicKey, encrypted_push_registration: sealed } = given
  if (tokenKind === undefined || id === undefined) return undefined
  if (relayPublicKey === undefined || sealed === undefined) return undefined
  return { id, tokenKind, sealed, relayPublicKey }
}

/** `POST /remove_client_device`: removes a device of the caller. */
export const removeDevice = change({
  method: 'POST',
  path: '/remove_client_device',
  summary: 'Remove a device',
  description: 'Removes a device of the caller; it gets no more notifications.',
  access: 'user',
  params: { device_id: required(id<DeviceId>(), 'The device.') },
  reply: {},
  errors: ['BOT_REFUSED', 'DEVICE_UNKNOWN'],
  events: ['device/remove'],
  prepare: ({ params }) => ({ deviceId: params.device_id }),
  decide: decideDeviceRemoval,
  explain: (error, { fail }) => (error instanceof MissingDeviceError ? fail('DEVICE_UNKNOWN') : undefined),
})
