/** `/scim/v2`: the company's provider of identities writes accounts and groups. Loaded with the first request of one. */

import type { AdmitContext, ApiResponse } from '../api/admit.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { errorHeaders } from '../api/error-headers.ts'
import { answerScim, ScimMethodError } from '../api/scim/answer-scim.ts'
import { SCIM_TYPE, ScimError, type ScimType } from '../domain/scim/scim-error.ts'
import type { ApiError, ErrorName } from '../errors/api-error.ts'
import { decodeQuery } from './decode-form.ts'
import type { WireRequest } from './request.ts'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Errors of changes that have a meaning in SCIM. */
const SCIM_TYPES: Partial<
  Record<ErrorName, { readonly status: number; readonly scimType: ScimType | undefined }>
> = {
  EMAIL_TAKEN: { status: 409, scimType: 'uniqueness' },
  FULL_NAME_TAKEN: { status: 409, scimType: 'uniqueness' },
  EMAIL_NOT_ALLOWED: { status: 400, scimType: 'invalidValue' },
  EMAIL_HOLDS_PLUS: { status: 400, scimType: 'invalidValue' },
  GROUP_NAME_TAKEN: { status: 409, scimType: 'uniqueness' },
  GROUP_NAME_EMPTY: { status: 400, scimType: 'invalidValue' },
  GROUP_NAME_TOO_LONG: { status: 400, scimType: 'invalidValue' },
  GROUP_NAME_PREFIX: { status: 400, scimType: 'invalidValue' },
  GROUP_NAME_CHARACTER: { status: 400, scimType: 'invalidValue' },
  GROUP_UNKNOWN: { status: 404, scimType: undefined },
  LAST_OWNER_DEMOTION: { status: 400, scimType: 'mutability' },
  LAST_OWNER_DEACTIVATION: { status: 400, scimType: 'mutability' },
}

/** Answers the body of a request whose token is valid. */
export async function answerScimRequest(
  body: Buffer,
  { method, path, query: text, ifMatch, ifNoneMatch }: WireRequest,
  exchange: Exchange,
  { services }: AdmitContext,
): Promise<ApiResponse> {
  const query = new Map<string, string>()
  decodeQuery(text, query)
  const answer = await answerScim({ method, path, query, body, ifMatch, ifNoneMatch }, services)
  return {
    status: answer.status,
    body: answer.body === undefined ? '' : JSON.stringify(answer.body),
    contentType: SCIM_TYPE,
    headers: answer.headers,
    rate: exchange.limits.rate,
  }
}

/** The answer to a request that failed. */
export function answerScimError(error: ScimError | ApiError, exchange: Exchange): ApiResponse {
  const { status, scimType } =
    error instanceof ScimError ? error : { status: error.status, ...SCIM_TYPES[error.errorName] }
  const detail = { schemas: [ERROR_SCHEMA], status: String(status), scimType, detail: error.message }
  return {
    status,
    body: JSON.stringify(detail),
    contentType: SCIM_TYPE,
    headers: headersOf(error),
    rate: exchange.limits.rate,
  }
}

function headersOf(error: ScimError | ApiError) {
  if (error instanceof ScimMethodError) return { Allow: error.allowed }
  return error instanceof ScimError ? undefined : errorHeaders(error)
}
