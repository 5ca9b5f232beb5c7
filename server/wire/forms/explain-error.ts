/** Errors of the API in words for people, with the field to correct. */

import { WORDS as LOG_IN } from '../../../packages/look/log-in-form.ts'
import type { ApiError, ErrorName } from '../../errors/api-error.ts'
import { CHANNEL_NAME_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import { textId } from '../../../packages/texts/texts.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import type { Field, Problem } from './parts.ts'

/** The errors that a page can show. */
const WORDS: Partial<Record<ErrorName, string>> = {
  PASSWORD_INCORRECT: LOG_IN.wrongPassword,
  PASSWORD_COMMON: textId(
    'This password is among those that attackers try first. Several words together are strong and easy to type.',
  ),
  PASSWORD_PERSONAL: textId(
    'This password is easy to guess from your name, your address or the name of the organization. Choose other words.',
  ),
  EMAIL_INVALID: textId('Enter a valid email address.'),
  EMAIL_TAKEN: textId('This email address already has an account.'),
  EMAIL_NOT_ALLOWED: textId('This organization does not allow email addresses of this kind.'),
  EMAIL_HOLDS_PLUS: textId('Email addresses containing + are not allowed.'),
  EMAIL_CHANGES_DISABLED: textId('Email address changes are disabled in this organization.'),
  NAME_TOO_LONG: textId('This name is too long.'),
  NAME_TOO_SHORT: textId('This name is too short.'),
  NAME_CHARACTER: textId('This name contains characters that names must not have.'),
  NAME_FORMAT: textId('This name is not allowed. Choose another one.'),
  FULL_NAME_TAKEN: textId('Someone here already has this name. Choose another one.'),
  CHANNEL_NAME_EMPTY: textId('A channel needs a name.'),
  CHANNEL_NAME_CHARACTER: textId('The name of a channel contains characters that it must not have.'),
  SECOND_FACTOR_REQUIRED: textId('Enter your code.'),
  SECOND_FACTOR_WRONG: LOG_IN.wrongCode,
  OWN_CODE_WRONG: textId('Wrong code!'),
  TOTP_ENABLED: textId('An authenticator app is set up already.'),
  TOTP_MISSING: textId('No authenticator app is set up.'),
  RECENT_LOGIN_REQUIRED: textId('Confirm your password first.'),
  PASSKEY_UNKNOWN: textId('This passkey no longer exists.'),
  ACCOUNT_DEACTIVATED: textId('Account is deactivated'),
  RATE_LIMIT_HIT: textId('Too many tries. Wait a minute, then try again.'),
  CSRF_TOKEN_WRONG: textId('This page has expired. Go back, reload it, and try again.'),
  CROSS_SITE_REFUSED: textId(
    'Another site sent this form, so nothing was changed. Open the page here and try again.',
  ),
  SESSION_INVALID: textId('You have been logged out. Log in again.'),
  ORGANIZATION_MISSING: textId('This server is not set up yet. Its operator has a link to do that.'),
  AUTHORIZATION_MISSING: textId('Only people with an account can open this.'),
  ENDPOINT_UNKNOWN: textId('There is no page at this address.'),
  UPLOAD_UNKNOWN: textId('File not found.'),
  METHOD_NOT_ALLOWED: textId('This page cannot do that.'),
  BODY_MALFORMED: textId('The form contains characters that are not text.'),
  BODY_TOO_LARGE: textId('The form is too long.'),
  TOO_MANY_FIELDS: textId('The form has too many fields.'),
  ADDRESS_TOO_LONG: textId('This address is too long.'),
  OVERLOADED: textId('The server is busy. Try again in a moment.'),
  DATABASE_UNAVAILABLE: textId('The server cannot reach its data. Try again in a moment.'),
  DIRECTORY_UNAVAILABLE: textId('The company’s directory does not respond. Try again in a moment.'),
  INTERNAL: textId('Something went wrong on the server. Try again, or contact its operator.'),
}

/** The fields that errors are about. */
const FIELDS_OF_ERRORS: Partial<Record<ErrorName, string>> = {
  PASSWORD_TOO_WEAK: 'password',
  PASSWORD_COMMON: 'password',
  PASSWORD_PERSONAL: 'password',
  SECOND_FACTOR_REQUIRED: 'code',
  SECOND_FACTOR_WRONG: 'code',
  EMAIL_INVALID: 'email',
  EMAIL_TAKEN: 'email',
  EMAIL_NOT_ALLOWED: 'email',
  EMAIL_HOLDS_PLUS: 'email',
  NAME_TOO_LONG: 'full_name',
  NAME_TOO_SHORT: 'full_name',
  NAME_CHARACTER: 'full_name',
  NAME_FORMAT: 'full_name',
  FULL_NAME_TAKEN: 'full_name',
}

/** An error in words for people; the message for programs if it has none. */
export function explainError({ errorName, message }: ApiError, { t }: ServerTexts): string {
  if (errorName === 'PASSWORD_TOO_WEAK')
    return t('Use at least {count} characters.', { count: PASSWORD_LENGTH_MIN })
  if (errorName === 'CHANNEL_NAME_TOO_LONG')
    return t('The name of a channel has at most {count} characters.', { count: CHANNEL_NAME_LENGTH_MAX })
  return WORDS[errorName] === undefined ? message : t(WORDS[errorName])
}

/** The problem of a refused form, and its field if that is clear. */
export function problemOf(error: ApiError, fields: readonly Field[], texts: ServerTexts): Problem {
  const { t } = texts
  const { errorName, message, body } = error
  const named = fields.find(({ name }) =>
    errorName === 'PARAMETER_MISSING' ? body.var_name === name : message.startsWith(`${name} `),
  )
  if (errorName === 'PARAMETER_MISSING' && named)
    return { text: t('{field} is missing.', { field: named.label }), fieldId: idOf(named) }
  if (errorName === 'PARAMETER_INVALID' && named)
    return { text: explainValue(message.slice(named.name.length + 1), named, texts), fieldId: idOf(named) }
  const about = fields.find(({ name }) => name === FIELDS_OF_ERRORS[errorName])
  return { text: explainError(error, texts), fieldId: about && idOf(about) }
}

/** The value of a field, in words; `rest` is what the message for programs says of it. */
function explainValue(rest: string, { label: field }: Field, { t }: ServerTexts): string {
  const lengthMax = /^is too long \(limit: (\d+) characters\)$/.exec(rest)?.[1]
  if (lengthMax !== undefined)
    return t('{field} is too long (limit: {count, plural, one {# character} other {# characters}})', {
      field,
      count: Number(lengthMax),
    })
  if (rest === 'cannot be blank') return t('{field} cannot be blank', { field })
  return t('{field} is not valid.', { field })
}

function idOf({ id, name }: Field): string {
  return id ?? name
}
