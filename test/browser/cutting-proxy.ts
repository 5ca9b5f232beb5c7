/** A proxy before a server that cuts a connection amid a long request, at the same byte each time. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { TestContext } from '../harness/databases/create-database.ts'

/** A running proxy. */
export interface CuttingProxy {
  readonly url: string
  /** The next connection that has sent this many bytes is cut; its bytes until then reach the server. */
  cutNextAfter(bytes: number): void
  /** Takes connections again: after a cut it refuses them, since browsers send a request again whose connection was cut. */
  restore(): void
}

/** Starts a proxy; it ends with the test. */
export async function startCuttingProxy(t: TestContext, target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  let bytesLeft = Number.POSITIVE_INFINITY
  let isDown = false
  const close: (() => void)[] = []
  const server = createServer((client) => {
    if (isDown) return client.destroy()
    const upstream = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    close.push(end)
    let bytesSent = 0
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (chunk: Buffer) => {
      bytesSent += chunk.length
      if (bytesSent >= bytesLeft) {
        bytesLeft = Number.POSITIVE_INFINITY
        isDown = true
        client.pause()
        upstream.end(chunk, end)
      } else if (!upstream.write(chunk)) {
        client.pause()
        upstream.once('drain', () => client.resume())
      }
    })
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const end of close) end()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutNextAfter(bytes) {
      bytesLeft = bytes
    },
    restore() {
      isDown = false
    },
  }
}
