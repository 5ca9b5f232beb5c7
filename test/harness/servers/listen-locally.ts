/** Foreign servers for tests, on this machine. */

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

/** A port that is free now, for a process that must return at the same one. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
