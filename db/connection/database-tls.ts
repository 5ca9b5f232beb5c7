/** TLS with the database, as its address asks for it. */

import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import {
  type DatabaseHost,
  type DatabaseTls,
  isSocketFolder,
} from '../../server/domain/settings/database-address.ts'

/** Options of `tls.connect`; 'prefer' for TLS if the server offers it, false for none. */
type DatabaseTlsOptions = ConnectionOptions | 'prefer' | false

/** The message that asks a server of PostgreSQL for TLS: its length, and a code. */
export const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
/** Milliseconds that a connection may take. */
export const ANSWER_MS_MAX = 10_000

/** Reads the files of certificates; throws an error that names the parameter of a bad one. */
export function tlsOptions({ host }: DatabaseHost, tls: DatabaseTls): DatabaseTlsOptions {
  if (tls.mode === 'disable' || isSocketFolder(host)) return false
  if (tls.mode === 'prefer') return 'prefer'
  const own = tls.own && {
    cert: readCertificates(tls.own.certificateFile, 'sslcert'),
    key: read(tls.own.keyFile, 'sslkey'),
  }
  if (tls.mode === 'require') return { ...own, host, rejectUnauthorized: false }
  return {
    ...own,
    // The name to prove. The drivers name it only if it is no IP address; Node would then take `localhost`.
    host,
    rejectUnauthorized: true,
    ...(tls.rootFile === undefined ? {} : { ca: readCertificates(tls.rootFile, 'sslrootcert') }),
    ...(tls.mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

function readCertificates(file: string, parameter: string): string {
  const text = read(file, parameter)
  try {
    new X509Certificate(text) // Node ignores a text that holds none.
  } catch (cause) {
    throw new Error(`DATABASE_URL: the file of ${parameter} holds no certificate`, { cause })
  }
  return text
}

function read(file: string, parameter: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`DATABASE_URL: the file of ${parameter} cannot be read`, { cause })
  }
}

/** Whether a server offers TLS, for a driver that does not find out by itself. */
export async function offersTls({ host, port }: DatabaseHost): Promise<boolean> {
  const socket = connect({ host, port, timeout: ANSWER_MS_MAX })
  socket.on('timeout', () => socket.destroy(new Error('the database does not answer')))
  try {
    await once(socket, 'connect')
    socket.write(TLS_REQUEST)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString('latin1', 0, 1) === 'S'
  } finally {
    socket.destroy()
  }
}
