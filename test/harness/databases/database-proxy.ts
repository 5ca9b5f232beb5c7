/** A proxy to the database that cuts, hangs or refuses, like a failing machine or network. */

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { TestContext } from './create-database.ts'

/** The mode for connections: forwarded, held in silence, or cut. */
type ProxyState = 'open' | 'hanging' | 'refusing'

/** A running proxy. */
export interface DatabaseProxy {
  readonly url: string
  /** Cuts every connection; new ones are forwarded. */
  cut(): void
  /** Sets the mode; refusing also cuts existing connections. */
  become(state: ProxyState): void
}

/** Opens a proxy to the database of a URL; it closes with the test. */
export async function openDatabaseProxy(t: TestContext, url: string): Promise<DatabaseProxy> {
  const given = new URL(url)
  const path = `${given.searchParams.get('host')}/.s.PGSQL.${given.port || 5432}`
  const sockets = new Set<Socket>()
  let state: ProxyState = 'open'
  const server = createServer((client) => {
    client.on('error', () => {}) // It breaks by design.
    if (state === 'refusing') {
      client.destroy()
      return
    }
    const upstream = createConnection(path)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
    if (state === 'hanging') hold(client, upstream)
  })
  const hold = (...held: Socket[]) => {
    for (const socket of held) socket.unpipe().pause()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://${given.username}@127.0.0.1:${port}${given.pathname}`,
    cut,
    become(next) {
      // Hanging connections are cut: their data is stale.
      if (next === 'refusing' || state === 'hanging') cut()
      state = next
      if (next === 'hanging') hold(...sockets)
    },
  }
}
