/** One request to the relay for some devices of a user, with the same content encrypted for each. */

import { randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { noteDeviceAnswer } from '../../../db/personal/phones.ts'
import type { DeviceRow } from '../../../db/personal/push-devices.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { SECRETBOX_NUMBER } from '../../../server/domain/personal/push-devices.ts'
import { announceOrganization } from './announce-organization.ts'
import { commitDeviceChange } from './commit-device-change.ts'
import { noteRelayAnswer, noteRelayReach } from './note-relay-answer.ts'
import type { RelayContext } from './push-context.ts'
import { callRelay, phoneAnswerOf, type RelayAnswer } from './push-relay.ts'

const NONCE_LENGTH = 24

type DoneAnswer = Extract<RelayAnswer, { kind: 'done' }>

/** The devices, and whether they show something or remove it. */
export interface DeviceTarget {
  readonly userId: UserId
  readonly devices: readonly DeviceRow[]
  readonly kind: 'message' | 'remove'
}

/** Sends it; tokens that the relay no longer knows are dropped. */
export async function notifyDevices(
  context: RelayContext,
  target: DeviceTarget,
  content: object,
): Promise<RelayOutcome> {
  const answer = await callRelay(context.relay, 'e2ee/notify', {
    realm_uuid: context.organizationId,
    push_requests: target.devices.map((device) => requestFor(device, target.kind, content)),
  })
  const ids = target.devices.map(({ id }) => id)
  await noteDeviceAnswer(context.sql, ids, phoneAnswerOf(answer))
  return settleAnswer(context, answer, (done) => dropLost(context, target, done))
}

/** The result of a notification: `dropped` if the relay knows none of the phones. */
export type RelayOutcome = 'done' | 'dropped' | 'failed' | 'later'

/** Notes what the relay said; `drop` removes phones that it no longer knows, and answers whether these are all. */
export async function settleAnswer(
  context: RelayContext,
  answer: RelayAnswer,
  drop: (answer: DoneAnswer) => Promise<boolean>,
): Promise<RelayOutcome> {
  switch (answer.kind) {
    case 'done':
      await noteRelayAnswer(context, canPush(answer.body))
      return (await drop(answer)) ? 'dropped' : 'done'
    case 'refused':
      await noteRelayAnswer(context, false)
      await announceOrganization(context) // The relay may have forgotten it.
      return 'later'
    case 'invalid':
    case 'unreachable':
    case 'failed':
      await noteRelayReach(context, answer)
      return answer.kind === 'invalid' ? 'failed' : 'later'
  }
}

/** Whether the relay serves the organization; it does unless it says otherwise. */
export function canPush({ realm }: Readonly<Record<string, unknown>>): boolean {
  return typeof realm !== 'object' || realm === null || (realm as { can_push?: unknown }).can_push !== false
}

/** Removes tokens that the relay no longer knows; whether these are all. */
export async function dropLost(
  { sql }: RelayContext,
  { userId, devices }: Pick<DeviceTarget, 'userId' | 'devices'>,
  { body }: DoneAnswer,
): Promise<boolean> {
  const { delete_token_ids } = body
  const gone = new Set(Array.isArray(delete_token_ids) ? delete_token_ids : [])
  const lost = devices.filter(({ tokenId }) => gone.has(tokenId))
  for (const { id, tokenId } of lost) {
    const isStill = (device: DeviceRow) => device.tokenId === tokenId
    await commitDeviceChange(sql, { userId, deviceId: id }, { tokenId: null }, isStill)
  }
  return lost.length === devices.length
}

/** The notification for the relay: a form for each push service, always with the same encrypted content. */
export function requestFor(
  { tokenId, tokenKind, pushKey, pushKeyId }: DeviceRow,
  kind: DeviceTarget['kind'],
  content: object,
) {
  const payload = { push_key_id: pushKeyId, encrypted_data: encryptPush(pushKey as Uint8Array, content) }
  const isShown = kind === 'message'
  if (tokenKind === 'fcm') return { token_id: tokenId, fcm_priority: isShown ? 'high' : 'normal', payload }
  return {
    token_id: tokenId,
    http_headers: isShown
      ? { apns_priority: 10, apns_push_type: 'alert' }
      : { apns_priority: 5, apns_push_type: 'background' },
    payload: {
      ...payload,
      aps: isShown
        ? // The app replaces the text after it has decrypted the content.
          { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default', badge: 0 }
        : { 'content-available': 1, badge: 0 },
    },
  }
}

/** Base64 of a nonce and the secretbox; the key begins with its algorithm's number. */
function encryptPush(pushKey: Uint8Array, content: object): string {
  if (pushKey[0] !== SECRETBOX_NUMBER) throw new Error('a push key is of no algorithm that is known')
  const nonce = randomBytes(NONCE_LENGTH)
  const box = xsalsa20poly1305(pushKey.subarray(1), nonce).encrypt(Buffer.from(JSON.stringify(content)))
  return Buffer.concat([nonce, box]).toString('base64')
}
