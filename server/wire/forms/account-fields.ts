/** Fields that several pages have. */

import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import { FULL_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import {
  CODE_FIELD as CODE,
  EMAIL_FIELD as EMAIL,
  PASSWORD_FIELD as PASSWORD,
} from '../../../packages/look/log-in-form.ts'
import { CODE_LENGTH_MAX } from '../../domain/accounts/second-factors.ts'
import type { Field } from './parts.ts'

export const FULL_NAME_FIELD: Field = {
  name: 'full_name',
  label: 'Your name',
  hint: 'Shown with your messages.',
  autocomplete: 'name',
  lengthMin: 2,
  lengthMax: FULL_NAME_LENGTH_MAX,
}

/** The address of an account, existing or new. */
export const EMAIL_FIELD: Field = {
  ...EMAIL,
  name: 'email',
  lengthMax: EMAIL_LENGTH_MAX,
}

export const NEW_PASSWORD_FIELD: Field = {
  name: 'password',
  label: 'Password',
  hint: `At least ${PASSWORD_LENGTH_MIN} characters. Several words are strong and easy to type.`,
  type: 'password',
  autocomplete: 'new-password',
  lengthMin: PASSWORD_LENGTH_MIN,
  lengthMax: PASSWORD_LENGTH_MAX,
}

export const PASSWORD_FIELD: Field = {
  ...PASSWORD,
  name: 'password',
  lengthMax: PASSWORD_LENGTH_MAX,
}

/** A code of an authenticator app, or a recovery code. */
export const CODE_FIELD: Field = { ...CODE, name: 'code', lengthMax: CODE_LENGTH_MAX }
