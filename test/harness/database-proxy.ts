/** A way to the database that breaks, hangs or refuses, as when its machine or the network is gone. */

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { TestContext } from './create-database.ts'

/** What becomes of connections: they go through, are kept without a word, or are cut. */
type ProxyState = 'open' | 'hanging' | 'refusing'

/** Such a way. */
export interface DatabaseProxy {
  readonly url: string
  /** Cuts every connection; those to come go through. */
  cut(): void
  /** From now on; what refuses cuts what there is, too. */
  become(state: ProxyState): void
}

/** Opens one to the database of a URL; closed with the test. */
export async function openDatabaseProxy(t: TestContext, url: string): Promise<DatabaseProxy> {
  const given = new URL(url)
  const path = `${given.searchParams.get('host')}/.s.PGSQL.${given.port || 5432}`
  const sockets = new Set<Socket>()
  let state: ProxyState = 'open'
  const server = createServer((client) => {
    client.on('error', () => {}) // It is meant to break.
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
      // What hung is cut: what it was to bring is stale.
      if (next === 'refusing' || state === 'hanging') cut()
      state = next
      if (next === 'hanging') hold(...sockets)
    },
  }
}
