/** The answers of browsers about passkeys, as parameters. */

import { PASSKEY_NAME_LENGTH_MAX } from '../../../domain/accounts/passkeys.ts'
import { list, object, oneOf, optional, required, text } from '../../params.ts'

/** Characters of an id: authenticators use up to 1,023 bytes. */
const ID_LENGTH_MAX = 1_400
/** Characters of the other parts: keys that resist quantum computers have some thousand bytes. */
const PART_LENGTH_MAX = 16_000

const id = required(text({ lengthMax: ID_LENGTH_MAX }), 'The id of the credential.')
const part = required(text({ lengthMax: PART_LENGTH_MAX }), 'Bytes in base64url.')
const SHARED = { id, rawId: id, type: required(oneOf('public-key'), 'The type.') }

/** The answer to the options for a new passkey. */
export const enrolmentType = object({
  ...SHARED,
  response: required(
    object({
      clientDataJSON: part,
      attestationObject: part,
      transports: optional(list(text({ lengthMax: 20 }), { lengthMax: 10 }), 'Ways to the authenticator.'),
    }),
    'The answer of the authenticator.',
  ),
})

/** The answer to the options for a log-in. */
export const loginType = object({
  ...SHARED,
  response: required(
    object({ clientDataJSON: part, authenticatorData: part, signature: part, userHandle: part }),
    'The answer of the authenticator.',
  ),
})

/** The name of a passkey. */
export const passkeyNameType = text({ lengthMax: PASSKEY_NAME_LENGTH_MAX, trim: true, blank: false })
