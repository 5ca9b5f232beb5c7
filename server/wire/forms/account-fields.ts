/** Fields that several pages have. */

import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import { FULL_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import type { Field } from './parts.ts'

export const FULL_NAME_FIELD: Field = {
  name: 'full_name',
  label: 'Your name',
  hint: `Others see it beside your messages.`,
  autocomplete: 'name',
  lengthMin: 2,
  lengthMax: FULL_NAME_LENGTH_MAX,
}

/** The address of an account, existing or new. */
export const EMAIL_FIELD: Field = {
  name: 'email',
  label: 'Your email address',
  type: 'email',
  autocomplete: 'username',
  lengthMax: EMAIL_LENGTH_MAX,
}

export const NEW_PASSWORD_FIELD: Field = {
  name: 'password',
  label: 'Password',
  hint: `At least ${PASSWORD_LENGTH_MIN} characters. Several words together are strong and easy to type.`,
  type: 'password',
  autocomplete: 'new-password',
  lengthMin: PASSWORD_LENGTH_MIN,
  lengthMax: PASSWORD_LENGTH_MAX,
}

export const PASSWORD_FIELD: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  lengthMax: PASSWORD_LENGTH_MAX,
}
