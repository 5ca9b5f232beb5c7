/** The one mapping from failures to the API's errors, for all transports. */

import { isTimedOut } from '../../db/connect.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import { OverloadError } from '../actors/overload-error.ts'
import { FilesUnavailableError } from '../files/file-store.ts'
import { LogLostError } from '../log/keep-up.ts'
import { ApiError, fail } from '../errors/api-error.ts'

/** Receives failures that are not the client's fault. */
export interface FailureReports {
  /** The server's own mistakes. */
  onBug(error: unknown): void
  /** Failures of the server's dependencies. */
  onError(error: unknown): void
}

/** An error for the client; its hidden part is reported. */
export function toApiError(error: unknown, reports: FailureReports): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OverloadError || isTimedOut(error)) return fail('OVERLOADED')
  if (error instanceof FilesUnavailableError) {
    reports.onError(error)
    return fail('UPLOADS_UNAVAILABLE')
  }
  if (isUnavailable(error) || error instanceof LogLostError) {
    reports.onError(error)
    return fail('DATABASE_UNAVAILABLE')
  }
  reports.onBug(error)
  return fail('INTERNAL')
}
