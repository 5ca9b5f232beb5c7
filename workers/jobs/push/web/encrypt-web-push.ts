/**
 * Encrypts a message for one receiver of web push (RFC 8291, by the coding aes128gcm of RFC 8188): only the browser or app
 * that subscribed can open it, not the push service.
 */

import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'
import type { PushReceiver } from '../../../../server/domain/personal/web-push.ts'
import { CURVE } from '../../../../server/outbound/web-push-keys.ts'

/** Bytes of a record, as its header says. A message is one record, which must hold all. */
const RECORD_BYTES = 4096
/** Bytes of a plain text that fit: a record also holds the header, a delimiter and the mark of the cipher. */
export const PLAIN_BYTES_MAX = 3_993
const SALT_BYTES = 16
/** Ends the last record. */
const DELIMITER = Buffer.of(2)

/** Random values, which tests fix. */
interface Chosen {
  /** The number of the sender's key pair for this one message. */
  readonly privateKey?: Buffer
  readonly salt?: Buffer
}

/** The body of a request to the push service. Throws if the plain text is too long. */
export function encryptWebPush(
  { p256dh, auth }: Omit<PushReceiver, 'endpoint'>,
  plain: Uint8Array,
  { privateKey, salt = randomBytes(SALT_BYTES) }: Chosen = {},
): Buffer {
  if (plain.byteLength > PLAIN_BYTES_MAX) throw new RangeError('the message is longer than a record')
  const sender = createECDH(CURVE)
  if (privateKey) sender.setPrivateKey(privateKey)
  else sender.generateKeys()
  const senderKey = sender.getPublicKey()
  const shared = hmac(auth, sender.computeSecret(p256dh))
  const input = expand(shared, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey]))
  const secret = hmac(salt, input)
  const key = expand(secret, Buffer.from('Content-Encoding: aes128gcm\0')).subarray(0, 16)
  const nonce = expand(secret, Buffer.from('Content-Encoding: nonce\0')).subarray(0, 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(plain), cipher.update(DELIMITER), cipher.final(), cipher.getAuthTag()]
  const recordBytes = Buffer.alloc(4)
  recordBytes.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, recordBytes, Buffer.of(senderKey.length), senderKey, ...sealed])
}

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest()
/** HKDF's second step, for at most 32 bytes. */
const expand = (key: Uint8Array, info: Uint8Array) => hmac(key, Buffer.concat([info, Buffer.of(1)]))
