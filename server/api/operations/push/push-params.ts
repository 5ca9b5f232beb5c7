/** The parameters of devices: keys and tokens. */

import { readBase64 } from '../../../domain/text/base64.ts'
import {
  APP_ID_LENGTH_MAX,
  PUSH_REGISTRATION_LENGTH_MAX,
  PUSH_TOKEN_LENGTH_MAX,
  RELAY_KEY_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { countCodePoints } from '../../../../packages/rules/count-code-points.ts'
import { type Fail, fail as failWith } from '../../../errors/api-error.ts'
import { type Type, text } from '../../params.ts'

/** Characters in the base64 of a key or a token's id; invalid ones may be longer. */
export const PUSH_ID_LENGTH_MAX = 100
/** Text in base64 that a device encrypts for the relay. */
export const sealedType = text({ lengthMax: PUSH_REGISTRATION_LENGTH_MAX, blank: false })
/** The relay's key that encrypts it. */
export const relayKeyType = text({ lengthMax: RELAY_KEY_LENGTH_MAX, blank: false })

/** The id of an app: letters, digits, hyphens and dots. */
export const appIdType: Type<string> = {
  isText: true,
  schema: { type: 'string', maxLength: APP_ID_LENGTH_MAX },
  check(value, name) {
    const appId = text({ lengthMax: APP_ID_LENGTH_MAX }).check(value, name)
    if (!/^[A-Za-z0-9.-]+$/.test(appId)) throw failWith('PARAMETER_INVALID', { message: `Invalid ${name}` })
    return appId
  },
}

/** Throws unless a text may be a token. */
export function checkToken(token: string, fail: Fail<'PUSH_TOKEN_LENGTH_WRONG'>): void {
  if (token === '' || countCodePoints(token) > PUSH_TOKEN_LENGTH_MAX) throw fail('PUSH_TOKEN_LENGTH_WRONG')
}

/** An iOS token in hexadecimal, converted from hexadecimal or base64. */
export function readApnsToken(
  token: string,
  fail: Fail<'PUSH_TOKEN_LENGTH_WRONG' | 'PUSH_TOKEN_MALFORMED'>,
): string {
  checkToken(token, fail)
  const hex = toHex(token)
  if (hex === undefined) throw fail('PUSH_TOKEN_MALFORMED')
  return hex
}

/** The forms in which this token may be stored. */
export function formsOf(token: string): readonly string[] {
  const hex = toHex(token)
  return hex === undefined || hex === token ? [token] : [token, hex]
}

/** Ambiguous text is hexadecimal: the base64 of a token of 32 bytes ends with `=`. */
function toHex(token: string): string | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(token)) return token
  const bytes = readBase64(token)
  return bytes === undefined || bytes.length === 0 ? undefined : bytes.toString('hex')
}
