/** Email address and password, as parameters. */

import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../../domain/limits.ts'
import { optional, text } from '../../params.ts'

const passwordType = text({ lengthMax: PASSWORD_LENGTH_MAX })

/** Some clients send empty texts for what stays as it is. */
export const CREDENTIAL_PARAMS = {
  email: optional(
    text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
    'A new email address, which is the user name of later requests; it needs `old_password`.',
  ),
  old_password: optional(passwordType, 'The password as it is; who has none needs none.'),
  new_password: optional(passwordType, 'A new password, of 8 characters at least; it needs `old_password`.'),
}
