/** Form-encoded text, of a query or a body, as fields. */

import { fail } from '../api/errors.ts'

/** Fields of one request: operations have a few dozen parameters. */
export const FIELDS_MAX = 1_000

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PLUS = 0x2b
const PERCENT = 0x25
const SPACE = 0x20

/** The fields of a query, the last of equal names. What cannot be decoded stays as it is. */
export function decodeQuery(text: string, fields: Map<string, string>): void {
  // Most queries need no decoding at all.
  if (text.includes('%') || text.includes('+')) return decodeForm(Buffer.from(text), fields)
  let count = 1
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('&', start)
    const end = stop < 0 ? text.length : stop
    if (stop >= 0 && ++count > FIELDS_MAX) throw tooManyFields()
    if (end > start) {
      const field = text.slice(start, end) // A look for what is not there would go on to the end of the text.
      const equals = field.indexOf('=')
      if (equals < 0) fields.set(field, '')
      else fields.set(field.slice(0, equals), field.slice(equals + 1))
    }
    start = end + 1
  }
}

/**
 * The fields of a form-encoded body, as `decodeQuery`; it decodes in place. Byte by byte it takes some nanoseconds for
 * each: functions for texts take a hundred for every `+` or escape, which is a fifth of a second for 2 MB of them.
 */
export function decodeForm(bytes: Buffer, fields: Map<string, string>): void {
  let count = 1
  for (let start = 0; start < bytes.length; ) {
    const stop = bytes.indexOf(AMPERSAND, start)
    const end = stop < 0 ? bytes.length : stop
    if (stop >= 0 && ++count > FIELDS_MAX) throw tooManyFields()
    if (end > start) {
      const field = bytes.subarray(start, end)
      const equals = field.indexOf(EQUALS)
      if (equals < 0) fields.set(decode(field), '')
      else fields.set(decode(field.subarray(0, equals)), decode(field.subarray(equals + 1)))
    }
    start = end + 1
  }
}

/** Dropping what is beyond the limit would let a parameter silently have its default. */
export function tooManyFields() {
  return fail('TOO_MANY_FIELDS', { countMax: FIELDS_MAX })
}

/** A name or a value; its bytes are overwritten. */
function decode(bytes: Buffer): string {
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    let byte = bytes[index] as number
    if (byte === PLUS) byte = SPACE
    else if (byte === PERCENT) {
      const high = hexDigit(bytes[index + 1])
      const low = hexDigit(bytes[index + 2])
      if (high >= 0 && low >= 0) {
        byte = 16 * high + low
        index += 2
      }
    }
    bytes[length++] = byte
  }
  return bytes.toString('utf8', 0, length)
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20 // As a small one.
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1
}
