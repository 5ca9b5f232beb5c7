/** The errors of answers. */

import type { AdmitContext } from '../api/admit.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { toApiError } from '../api/to-api-error.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import type { Flight } from './flights.ts'
import { BodyTooLargeError } from './request.ts'
import { HEAD_BYTES_MAX, type Unreadable } from './transport/transport.ts'

/** The error for the answer to a request that failed; the server's own faults are logged. */
export function toAnswerError(
  error: unknown,
  flight: Flight,
  exchange: Exchange,
  admission: AdmitContext,
): ApiError {
  if (!(error instanceof BodyTooLargeError))
    return exchange.countMiss(toApiError(error, admission, flight.requestId))
  return flight.fileRoom === 'small' ? fail('OVERLOADED') : fail('BODY_TOO_LARGE', error)
}

/** The error for the answer to a request that the transport cannot read. */
export function toUnreadableError(reason: Unreadable): ApiError {
  switch (reason) {
    case 'malformed':
      return fail('REQUEST_MALFORMED')
    case 'ambiguous':
      return fail('BODY_AMBIGUOUS')
    case 'head_too_long':
      return fail('HEADERS_TOO_LONG', { bytesMax: HEAD_BYTES_MAX })
    case 'too_slow':
      return fail('REQUEST_TOO_SLOW')
  }
}
