/** Recognizes errors of an unavailable, overloaded or full database: a retry may succeed. */

import { isCertificateRefused } from '../../server/domain/settings/certificate-codes.ts'
import { postgres } from '../postgres.ts'

/** Whole classes of SQLSTATE. */
const SQLSTATE_CLASSES = [
  '08', // Connection exceptions.
  '28', // The password or the right to connect was revoked.
  '53', // Out of disk, memory or connections.
  '57', // Shutdown, startup or crash, or a cancelled or slow statement.
  '58', // System errors: input and output, missing files.
]
const SQLSTATES = [
  '40003', // The outcome of the transaction is unknown.
  '25006', // Read-only: the server became a replica.
  '25P03', // The transaction idled for too long.
  '25P04', // The transaction took too long.
  '3D000', // The database is gone, for example during a restore.
  '42P01', // A table is gone, for example during a restore.
  '55P03', // A lock timeout.
]
/** postgres.js's codes for connection failures, and our own. */
const DRIVER_CODES = [
  'NO_PRIMARY',
  'TLS_REFUSED',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
]
/** The system's codes for a broken connection. */
const BROKEN_CODES = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNABORTED']
/** System calls that only connections make. */
const CONNECTION_CALLS = ['connect', 'getaddrinfo']

/** Whether an error is of that kind. The failed statement may still have been committed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) {
    // A fatal error ends the connection, or prevents it.
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return true
    return SQLSTATE_CLASSES.includes(error.code.slice(0, 2)) || SQLSTATES.includes(error.code)
  }
  if (!(error instanceof Error)) return false
  if (isCertificateRefused(error)) return true
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return false
  return (
    DRIVER_CODES.includes(code) ||
    BROKEN_CODES.includes(code) ||
    (syscall !== undefined && CONNECTION_CALLS.includes(syscall))
  )
}
