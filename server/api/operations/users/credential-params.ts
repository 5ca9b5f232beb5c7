/** The parameters of email address and password. */

import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../../domain/limits.ts'
import { boolean, defaulted, optional, text } from '../../params.ts'

const passwordType = text({ lengthMax: PASSWORD_LENGTH_MAX })

/** Some clients send empty strings for unchanged values. */
export const CREDENTIAL_PARAMS = {
  email: optional(
    text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
    'A new email address; requires `old_password`. Once confirmed, it is the user name of later requests.',
  ),
  old_password: optional(passwordType, 'The current password, if there is one.'),
  new_password: optional(
    passwordType,
    'A new password, with at least 8 characters; requires `old_password`.',
  ),
  keep_api_keys: defaulted(
    boolean(),
    false,
    'Whether API keys stay valid after a new password. Otherwise it ends all of them but that of the request.',
  ),
}
