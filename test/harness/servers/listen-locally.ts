/** Foreign servers for tests, on this machine. */

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { TestContext } from '../databases/create-database.ts'

/** Listens until the test ends, at any free port or a given one; returns the address without a final slash. */
export async function listenLocally(t: TestContext, server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    if (server instanceof HttpServer) server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Below the ports that Linux (from 32,768) and macOS (from 49,152) give to outgoing connections and to listeners without a
 * port of their own, and above all that browsers refuse.
 */
const PORTS = { first: 20_000, end: 32_768 } as const

/**
 * A port that is free now, for a process that must return at the same one. While that process is away, the system gives
 * the port to nobody else.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
