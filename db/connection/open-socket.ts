/** Sockets to one server of PostgreSQL, with TLS if the address asks for it, ready for the start of a session. */

import { once } from 'node:events'
import { connect as connectTcp, isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  type DatabaseHost,
  type DatabaseTls,
  isSocketFolder,
} from '../../server/domain/settings/database-address.ts'
import { ANSWER_MS_MAX, TLS_REQUEST, tlsOptions } from './database-tls.ts'

/** Opens a socket; it rejects with the codes of the driver. */
export async function openSocket(
  place: DatabaseHost,
  tls: DatabaseTls,
  msMax = ANSWER_MS_MAX,
): Promise<Socket> {
  const options = tlsOptions(place, tls)
  const { host, port } = place
  const socket = connectTcp(isSocketFolder(host) ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const late = setTimeout(() => socket.destroy(fault('CONNECT_TIMEOUT', place)), msMax)
  try {
    await happens(socket, 'connect', place)
    if (options === false) return socket
    socket.write(TLS_REQUEST)
    const answer = await happens(socket, 'data', place)
    // More than its one letter would be text of somebody between, which must not pass for the server's.
    const isOffered = answer?.length === 1 && answer.toString('latin1') === 'S'
    if (!isOffered && options === 'prefer') return socket
    if (!isOffered) throw fault('TLS_REFUSED', place)
    const secure = connectTls({
      socket,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(options === 'prefer' ? { rejectUnauthorized: false } : options),
    })
    await happens(secure, 'secureConnect', place)
    return secure
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(late)
  }
}

/** A socket that fails at once: the driver forgets its connection if a function for sockets rejects. */
export function failingSocket(error: unknown): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(error as Error)) // The driver listens by then.
  return socket
}

/** Waits for an event, and returns its bytes if it has some; rejects if the socket fails or ends before it. */
async function happens(socket: Socket, event: string, place: DatabaseHost): Promise<Buffer | undefined> {
  const ended = new AbortController()
  const onClose = () => ended.abort()
  socket.once('close', onClose)
  socket.on('error', () => {}) // The socket belongs to its caller soon after, who hears of later ones.
  try {
    const [bytes] = await once(socket, event, { signal: ended.signal })
    return bytes as Buffer | undefined
  } catch (error) {
    throw ended.signal.aborted ? fault('CONNECTION_CLOSED', place) : error
  } finally {
    socket.off('close', onClose)
  }
}

function fault(code: string, { host, port }: DatabaseHost): Error {
  return Object.assign(new Error(`${code} ${host}:${port}`), { code })
}
