/** Keys of files: random and unguessable, and safe as paths. */

import { randomBytes } from 'node:crypto'

/** 144 random bits. */
const RANDOM_BYTES = 18
const PATTERN = /^[0-9a-f]{2}\/[A-Za-z0-9_-]{16,64}(\.[a-z0-9][a-z0-9.-]{0,39})?$/

/** Creates an unused key. */
export function createFileKey(): string {
  const random = randomBytes(RANDOM_BYTES)
  return `${random.subarray(0, 1).toString('hex')}/${random.toString('base64url')}`
}

/** Whether a text has the form of a key. */
export function isFileKey(text: string): boolean {
  return PATTERN.test(text)
}
