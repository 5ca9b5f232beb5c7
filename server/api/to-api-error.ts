/** The one mapping from failures to the API's errors, for all transports. */

import { isCollision } from '../../db/connection/collisions.ts'
import { isTimedOut } from '../../db/connection/connect.ts'
import { isUnavailable } from '../../db/connection/unavailable.ts'
import { OverloadError } from '../actors/overload-error.ts'
import { DirectoryError } from '../changes/sign-on/directory/directory-error.ts'
import { FilesUnavailableError } from '../files/file-store.ts'
import { LogLostError } from '../log/tail-log.ts'
import { ApiError, fail } from '../errors/api-error.ts'

/** Receives failures that are not the client's fault. */
export interface FailureReports {
  /** The server's own mistakes. */
  onBug(error: unknown, requestId?: string): void
  /** Failures of the server's dependencies. */
  onError(error: unknown, requestId?: string): void
}

/** An error for the client; its hidden part is reported, with the id of the request. */
export function toApiError(error: unknown, reports: FailureReports, requestId?: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OverloadError || isTimedOut(error) || isCollision(error)) return fail('OVERLOADED')
  if (error instanceof FilesUnavailableError) {
    reports.onError(error, requestId)
    return fail('UPLOADS_UNAVAILABLE')
  }
  if (error instanceof DirectoryError) {
    reports.onError(error, requestId)
    return fail('DIRECTORY_UNAVAILABLE')
  }
  if (isUnavailable(error) || error instanceof LogLostError) {
    reports.onError(error, requestId)
    return fail('DATABASE_UNAVAILABLE')
  }
  reports.onBug(error, requestId)
  return fail('INTERNAL')
}
