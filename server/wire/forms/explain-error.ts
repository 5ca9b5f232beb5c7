/** Errors of the API in words for people, with the field to correct. */

import { WORDS as LOG_IN } from '../../../packages/look/log-in-form.ts'
import type { ApiError, ErrorName } from '../../errors/api-error.ts'
import { PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import type { Field, Problem } from './parts.ts'

/** Errors with messages for programs; other messages are for people, too. */
const WORDS: Partial<Record<ErrorName, string>> = {
  PASSWORD_TOO_WEAK: `Use at least ${PASSWORD_LENGTH_MIN} characters.`,
  PASSWORD_INCORRECT: LOG_IN.wrongPassword,
  EMAIL_INVALID: 'Enter a valid email address.',
  SECOND_FACTOR_REQUIRED: 'Enter your code.',
  SECOND_FACTOR_WRONG: LOG_IN.wrongCode,
  RATE_LIMIT_HIT: 'Too many tries. Wait a minute, then try again.',
  CSRF_TOKEN_WRONG: 'This page has expired. Go back, reload it, and try again.',
  CROSS_SITE_REFUSED:
    'Another site sent this form, so nothing was changed. Open the page here and try again.',
  SESSION_INVALID: 'You have been logged out. Log in again.',
  ORGANIZATION_MISSING: 'This server is not set up yet. Its operator has a link to do that.',
  AUTHORIZATION_MISSING: 'Only people with an account can open this.',
  ENDPOINT_UNKNOWN: 'There is no page at this address.',
  METHOD_NOT_ALLOWED: 'This page cannot do that.',
  BODY_MALFORMED: 'The form contains characters that are not text.',
  BODY_TOO_LARGE: 'The form is too long.',
  TOO_MANY_FIELDS: 'The form has too many fields.',
  ADDRESS_TOO_LONG: 'This address is too long.',
  OVERLOADED: 'The server is busy. Try again in a moment.',
  DATABASE_UNAVAILABLE: 'The server cannot reach its data. Try again in a moment.',
  INTERNAL: 'Something went wrong on the server. Try again, or contact its operator.',
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

/** An error in words for people. */
export function explainError({ errorName, message }: ApiError): string {
  return WORDS[errorName] ?? message
}

/** The problem of a refused form, and its field if that is clear. */
export function problemOf(error: ApiError, fields: readonly Field[]): Problem {
  const { errorName, message, body } = error
  const named = fields.find(({ name }) =>
    errorName === 'PARAMETER_MISSING' ? body.var_name === name : message.startsWith(`${name} `),
  )
  if (errorName === 'PARAMETER_MISSING' && named)
    return { text: `${named.label} is missing.`, fieldId: idOf(named) }
  if (errorName === 'PARAMETER_INVALID' && named)
    return { text: named.label + message.slice(named.name.length), fieldId: idOf(named) }
  const about = fields.find(({ name }) => name === FIELDS_OF_ERRORS[errorName])
  return { text: explainError(error), fieldId: about && idOf(about) }
}

function idOf({ id, name }: Field): string {
  return id ?? name
}
