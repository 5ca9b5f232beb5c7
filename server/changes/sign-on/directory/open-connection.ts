/** Connections to the company's directory: encrypted, bounded in time, and each used once. */

import { readFile } from 'node:fs/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Client } from 'ldapts'
import type { DirectorySettings } from '../../../domain/accounts/directory-settings.ts'
import type { Clock } from '../../../domain/clock.ts'
import { DirectoryError } from './directory-error.ts'
import { askForTls } from './start-tls.ts'

/** Runs work on a new connection, which ends with it. Rejects if the work takes longer than its milliseconds. */
export async function withConnection<Result>(
  settings: DirectorySettings,
  clock: Clock,
  msMax: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const sockets: Socket[] = []
  let isEnding = false
  const late = Promise.withResolvers<never>()
  const timer = clock.every(msMax, () => late.reject(new DirectoryError('its answer is too late')))
  const run = async () => {
    const client = await openClient(settings, sockets)
    try {
      return await work(client)
    } finally {
      isEnding = true
      client.unbind().catch(() => undefined) // The work has its result.
    }
  }
  const running = run()
  running.catch(() => undefined) // After a late answer it fails once more.
  try {
    return await Promise.race([running, late.promise])
  } finally {
    timer.stop()
    if (!isEnding) for (const socket of sockets) socket.destroy()
  }
}

/**
 * A client of the library over a connection of ours, whose certificate was checked before the library knows of it. It
 * would open a lost connection anew, and that one without TLS where TLS was asked for; so it gets one and no other.
 */
async function openClient(settings: DirectorySettings, sockets: Socket[]): Promise<Client> {
  const library = await import('ldapts')
  let socket: Socket | undefined = await openSocket(settings, sockets)
  const give = () => {
    const given = socket
    socket = undefined
    if (!given) throw new DirectoryError('the connection was lost')
    return given
  }
  return new library.Client({
    url: 'ldap://directory',
    createConnection: give as unknown as typeof connect,
  })
}

async function openSocket(settings: DirectorySettings, sockets: Socket[]): Promise<Socket> {
  const { host, port, security, caFile } = settings
  const hold = <Kind extends Socket>(socket: Kind): Kind => {
    sockets.push(socket)
    return socket.on('error', () => undefined) // The work fails by it; without a listener the process would.
  }
  const plain = hold(connect(port, host))
  await arrival(plain, 'connect')
  if (security === 'none') return plain
  if (security === 'starttls') await askForTls(plain)
  const name = isIP(host) === 0 ? { servername: host } : {}
  const ca = caFile === undefined ? {} : { ca: await readFile(caFile) }
  const secure = hold(connectTls({ socket: plain, host, ...name, ...ca }))
  await arrival(secure, 'secureConnect')
  return secure
}

/** Waits for an event of a socket, which rejects if it fails or closes before. */
async function arrival(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  const done = Promise.withResolvers<void>()
  const onArrival = () => done.resolve()
  const onClose = () => done.reject(new DirectoryError('the connection was closed'))
  socket.on(event, onArrival).on('error', done.reject).on('close', onClose)
  try {
    await done.promise
  } finally {
    socket.off(event, onArrival).off('error', done.reject).off('close', onClose)
  }
}
