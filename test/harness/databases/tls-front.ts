/** A front of the tests' database that speaks TLS as PostgreSQL does, with a certificate of the test. */

import { createConnection, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { TestContext } from './create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

/** The bytes of a request for TLS. */
const TLS_REQUEST_BYTES = 8

/** A running front. */
export interface TlsFront {
  readonly port: number
  /** Connections that came by TLS, and without. */
  readonly counts: { encrypted: number; plain: number }
}

/** Opens a front of the database of a URL; it offers TLS if it gets a certificate, and ends with the test. */
export async function openTlsFront(
  t: TestContext,
  databaseUrl: string,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<TlsFront> {
  const given = new URL(databaseUrl)
  const path = `${given.searchParams.get('host')}/.s.PGSQL.${given.port || 5432}`
  const secureContext = certificate && createSecureContext(certificate)
  const counts = { encrypted: 0, plain: 0 }
  const sockets = new Set<Socket>()
  const join = (client: Socket) => {
    const upstream = createConnection(path)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}) // Clients break off when they refuse the certificate.
      socket.on('close', () => void [client.destroy(), upstream.destroy()])
    }
    client.pipe(upstream).pipe(client)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (first) => {
      const asksForTls = first.length === TLS_REQUEST_BYTES
      if (asksForTls && secureContext) {
        socket.write('S')
        const encrypted = new TLSSocket(socket, { isServer: true, secureContext })
        encrypted.on('error', () => {})
        encrypted.once('secure', () => {
          counts.encrypted++
          join(encrypted)
        })
        return
      }
      if (asksForTls) {
        socket.write('N')
        socket.once('data', (start) => goOn(socket, start))
      } else goOn(socket, first)
    })
  })
  const goOn = (socket: Socket, start: Buffer) => {
    counts.plain++
    socket.unshift(start)
    join(socket)
  }
  const address = await listenLocally(t, server)
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port: Number(new URL(address).port), counts }
}
