/** Every failure of a request: HTTP status, code and message, as clients match on them. */

import { BOT_ERRORS } from './bots.ts'
import { CALL_ERRORS, EMOJI_ERRORS, ORGANIZATION_ERRORS, PICTURE_ERRORS } from './organization.ts'
import { CHANNEL_ERRORS } from './channels.ts'
import { EDIT_ERRORS, MESSAGE_ERRORS, SCHEDULED_ERRORS } from './messages.ts'
import type { ErrorCase, ErrorCases, Extra } from './error-case.ts'
import { GROUP_ERRORS } from './groups.ts'
import { INVITE_ERRORS, PROFILE_ERRORS, SECOND_FACTOR_ERRORS, USER_ERRORS } from './users.ts'
import { PAGE_ERRORS, QUEUE_ERRORS, REQUEST_ERRORS } from './requests.ts'
import { PERSONAL_ERRORS } from './personal.ts'
import { PUSH_ERRORS } from './push.ts'
import { RESUMABLE_UPLOAD_ERRORS, UPLOAD_ERRORS } from './uploads.ts'
/** The table of errors. The names are ours; codes and messages are the API's. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...QUEUE_ERRORS,
  ...PAGE_ERRORS,
  ...CHANNEL_ERRORS,
  ...GROUP_ERRORS,
  ...USER_ERRORS,
  ...BOT_ERRORS,
  ...PROFILE_ERRORS,
  ...MESSAGE_ERRORS,
  ...EDIT_ERRORS,
  ...EMOJI_ERRORS,
  ...PICTURE_ERRORS,
  ...ORGANIZATION_ERRORS,
  ...PERSONAL_ERRORS,
  ...PUSH_ERRORS,
  ...RESUMABLE_UPLOAD_ERRORS,
  ...SCHEDULED_ERRORS,
  ...UPLOAD_ERRORS,
  ...CALL_ERRORS,
  ...INVITE_ERRORS,
  ...SECOND_FACTOR_ERRORS,
} satisfies ErrorCases

export type ErrorName = keyof typeof ERRORS
type DetailsOf<Name extends ErrorName> = Parameters<(typeof ERRORS)[Name]['message']>[0]

/** Errors that any operation may answer; an operation declares its others. */
export const COMMON_ERRORS = [
  'AUTHORIZATION_MISSING',
  'AUTHORIZATION_MALFORMED',
  'BEARER_MISSING',
  'API_KEY_MALFORMED',
  'API_KEY_INVALID',
  'ACCOUNT_DEACTIVATED',
  'TICKET_INVALID',
  'WEBHOOK_BOT_REFUSED',
  'KEY_SCOPE_EXCEEDED',
  'SESSION_INVALID',
  'CSRF_TOKEN_WRONG',
  'SECOND_FACTOR_SETUP_REQUIRED',
  'METHOD_NOT_ALLOWED',
  'ENDPOINT_UNKNOWN',
  'BODY_TOO_LARGE',
  'BODY_MALFORMED',
  'BODY_AMBIGUOUS',
  'PART_HEADERS_TOO_LONG',
  'ADDRESS_TOO_LONG',
  'REQUEST_MALFORMED',
  'HEADERS_TOO_LONG',
  'REQUEST_TOO_SLOW',
  'CROSS_SITE_REFUSED',
  'TOO_MANY_FIELDS',
  'RATE_LIMIT_HIT',
  'OVERLOADED',
  'DATABASE_UNAVAILABLE',
  'DIRECTORY_UNAVAILABLE',
  'INTERNAL',
  'ORGANIZATION_MISSING',
  'PARAMETER_MISSING',
  'PARAMETER_INVALID',
] as const satisfies readonly ErrorName[]
export type CommonErrorName = (typeof COMMON_ERRORS)[number]

/** A failure that the client gets as it is. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly errorName: ErrorName
  readonly status: number
  /** The JSON body. */
  readonly body: Extra

  constructor(errorName: ErrorName, status: number, body: Extra & { msg: string }) {
    super(body.msg)
    this.errorName = errorName
    this.status = status
    this.body = body
  }
}

/** Creates failures of the given names; an operation's own accepts only the names that it declares. */
export interface Fail<in Names extends ErrorName> {
  <Name extends Names>(
    name: Name,
    ...details: DetailsOf<Name> extends undefined ? [] : [DetailsOf<Name>]
  ): ApiError
}

/** Creates any failure of the table, for the caller to throw. */
export const fail: Fail<ErrorName> = (name, ...[details]) => {
  const errorCase = ERRORS[name] as ErrorCase<unknown>
  return new ApiError(name, errorCase.status, {
    result: 'error',
    msg: errorCase.message(details),
    ...(errorCase.code === undefined ? {} : { code: errorCase.code }),
    ...errorCase.extra?.(details),
  })
}
