/** Which errors say that the database is away, refuses, is full or is too slow: a later try may succeed. */

import { postgres } from './postgres.ts'

/** Classes of SQLSTATE, each whole. */
const SQLSTATE_CLASSES = [
  '08', // Connection exceptions.
  '28', // The password or the right to connect was taken away.
  '40', // The database undid the transaction: a deadlock, or it cannot tell whether it was committed.
  '53', // Out of disk, memory or connections.
  '57', // Shut down, starting, crashed, or the statement was canceled or took too long.
  '58', // The system below fails: input and output, missing files.
]
const SQLSTATES = [
  '25006', // Read-only: the server became a replica.
  '25P03', // The transaction idled for too long.
  '25P04', // The transaction took too long.
  '3D000', // The database is gone, as amid a restore.
  '42P01', // A table is gone, as amid a restore.
  '55P03', // A lock was not to be had in time.
]
/** How postgres.js names what happens to its connections. */
const DRIVER_CODES = [
  'TLS_REFUSED',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
]
/** What a broken connection is called where it is read or written. */
const BROKEN_CODES = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNABORTED']
/** Calls of the system that only connections make. */
const CONNECTION_CALLS = ['connect', 'getaddrinfo']

/** Whether an error says so. What was asked may have been committed all the same. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) {
    // A fatal error ends the connection, or does not let it begin.
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return true
    return SQLSTATE_CLASSES.includes(error.code.slice(0, 2)) || SQLSTATES.includes(error.code)
  }
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return false
  return (
    DRIVER_CODES.includes(code) ||
    BROKEN_CODES.includes(code) ||
    (syscall !== undefined && CONNECTION_CALLS.includes(syscall))
  )
}
