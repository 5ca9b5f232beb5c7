/** Keys of web push: all of them are points of the curve P-256, uncompressed. */

import { createECDH, ECDH } from 'node:crypto'
import type { ServerKey } from '../../db/personal/web-push.ts'
import { P256DH_LENGTH } from '../domain/personal/web-push.ts'

export const CURVE = 'prime256v1'
/** Bytes of a number on the curve. */
const PRIVATE_KEY_LENGTH = 32

/** Makes a key of this server. */
export function makeServerKey(): ServerKey {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys()
  return { privateKey: padded(pair.getPrivateKey()), publicKey }
}

/** Whether bytes are a key that a receiver may have: an uncompressed point on the curve. */
export function isReceiverKey(bytes: Uint8Array): boolean {
  if (bytes.length !== P256DH_LENGTH || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, CURVE, undefined, undefined, 'uncompressed')
    return true
  } catch {
    return false // It is off the curve.
  }
}

/** Node leaves out zeros at the start of a number. */
const padded = (number: Buffer): Buffer =>
  Buffer.concat([Buffer.alloc(PRIVATE_KEY_LENGTH - number.length), number])
