/**
 * A proxy before a server that cuts connections or refuses some kinds of requests, like those of companies.
 */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from '../harness/databases/create-database.ts'

/** A running proxy. */
export interface Proxy {
  readonly url: string
  /** The first lines of the requests, in lower case. */
  readonly requests: string[]
  /** Cuts every open connection. */
  cut(): void
}

/** Starts a proxy; a request with one of the texts gets 403. The caller may change the texts. */
export async function startProxy(
  t: TestContext,
  target: string,
  refused: readonly string[] = [],
): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const requests: string[] = []
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined).on('close', () => open.delete(client))
    const upstream = connect(Number(port), hostname)
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1').toLowerCase()
      if (text.startsWith('get ') || text.startsWith('post '))
        requests.push(text.slice(0, text.indexOf('\r\n')))
      if (refused.some((one) => text.includes(one))) {
        client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      } else if (!upstream.write(chunk)) {
        client.pause()
        upstream.once('drain', () => client.resume())
      }
    })
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, cut }
}
