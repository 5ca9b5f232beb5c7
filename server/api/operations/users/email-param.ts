/** The path parameter of a user by email address. */

import { EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import { required, text } from '../../params.ts'

/** A user by email address. */
export const emailParam = required(
  text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
  'The email address of the user: the real one, if the caller may see it, or the stand-in address.',
)
