/** Encrypts a notification for the device that has the key. */

import { randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { SECRETBOX_NUMBER } from '../../../server/domain/personal/push-devices.ts'

const NONCE_LENGTH = 24

/** Base64 of a nonce and the secretbox; the key begins with its algorithm's number. */
export function encryptPush(pushKey: Uint8Array, content: object): string {
  if (pushKey[0] !== SECRETBOX_NUMBER) throw new Error('a push key is of no algorithm that is known')
  const nonce = randomBytes(NONCE_LENGTH)
  const box = xsalsa20poly1305(pushKey.subarray(1), nonce).encrypt(Buffer.from(JSON.stringify(content)))
  return Buffer.concat([nonce, box]).toString('base64')
}
