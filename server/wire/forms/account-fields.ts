/** Fields that several pages have. */

import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import { FULL_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import {
  CODE_FIELD,
  EMAIL_FIELD,
  PASSWORD_FIELD,
  USER_NAME_FIELD,
} from '../../../packages/look/log-in-form.ts'
import { CODE_LENGTH_MAX } from '../../domain/accounts/second-factors.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import type { Field } from './parts.ts'

export function fullNameField({ t }: ServerTexts): Field {
  return {
    name: 'full_name',
    label: t('Your name'),
    hint: t('Shown with your messages.'),
    autocomplete: 'name',
    lengthMin: 2,
    lengthMax: FULL_NAME_LENGTH_MAX,
  }
}

/** The address of an account, existing or new. */
export function emailField({ t }: ServerTexts): Field {
  return { ...EMAIL_FIELD, label: t(EMAIL_FIELD.label), name: 'email', lengthMax: EMAIL_LENGTH_MAX }
}

/** The address of an account, or a name of the company's directory. */
export function userNameField({ t }: ServerTexts): Field {
  return {
    ...USER_NAME_FIELD,
    label: t(USER_NAME_FIELD.label),
    name: 'username',
    lengthMax: EMAIL_LENGTH_MAX,
  }
}

export function newPasswordField({ t }: ServerTexts): Field {
  return {
    name: 'password',
    label: t('Password'),
    hint: t('At least {count} characters. Several words are strong and easy to type.', {
      count: PASSWORD_LENGTH_MIN,
    }),
    type: 'password',
    autocomplete: 'new-password',
    lengthMin: PASSWORD_LENGTH_MIN,
    lengthMax: PASSWORD_LENGTH_MAX,
  }
}

export function passwordField({ t }: ServerTexts): Field {
  return {
    ...PASSWORD_FIELD,
    label: t(PASSWORD_FIELD.label),
    name: 'password',
    lengthMax: PASSWORD_LENGTH_MAX,
  }
}

/** A code of an authenticator app, or a recovery code. */
export function codeField({ t }: ServerTexts): Field {
  const words = { label: t(CODE_FIELD.label), hint: t(CODE_FIELD.hint) }
  return { ...CODE_FIELD, ...words, name: 'code', lengthMax: CODE_LENGTH_MAX }
}
