/**
 * A distributor of UnifiedPush, as people host it for their phones: one server with TLS for the apps of many. It takes
 * messages without proof of their sender, keeps those for phones that are off, the newest of each topic, and forgets apps.
 */

import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AUTHORITY, FOR_LOCALHOST, writeText } from '../databases/certificates.ts'
import type { TestContext } from '../databases/create-database.ts'
import { openPush } from './start-push-service.ts'

/** Bytes of a message that the specification demands of distributors. */
const MESSAGE_BYTES_MAX = 4096

/** An app on a phone that registered. */
export interface DistributedApp {
  /** The parameters with which the app subscribes at its server. */
  readonly fields: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  /** The texts that the app has opened. */
  readonly opened: string[]
  /** Whether the phone is on; else its messages wait. */
  isOn: boolean
  /** Turns the phone on: it gets what waits. */
  turnOn(): void
  /** Removes the app: its address leads nowhere from then on. */
  unregister(): void
}

/** A running distributor. */
export interface Distributor {
  readonly port: number
  /** Settings of a worker that may reach it and trusts its certificate. */
  readonly env: Readonly<Record<string, string>>
  /** Connections that were opened so far. */
  readonly connections: () => number
  /** @param path the address of the app, which distributors choose. */
  register(path: string): DistributedApp
}

/** Starts a distributor that ends with the test; its name is `localhost`. */
export async function startDistributor(t: TestContext): Promise<Distributor> {
  const take = new Map<string, (body: Buffer, topic: string | undefined) => void>()
  let connections = 0
  const server = createServer(FOR_LOCALHOST, async (request, response) => {
    const { url = '', method, headers } = request
    const body = await buffer(request)
    const deliver = take.get(url)
    const topic = headers['topic'] === undefined ? undefined : String(headers['topic'])
    if (!deliver) return response.writeHead(404, { 'content-type': 'text/plain' }).end('no such app\n')
    if (
      method !== 'POST' ||
      headers['content-encoding'] !== 'aes128gcm' ||
      !/^\d+$/.test(String(headers['ttl']))
    )
      return response.writeHead(400).end()
    if (body.length > MESSAGE_BYTES_MAX) return response.writeHead(413).end()
    deliver(body, topic)
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"unifiedpush":{"version":1}}')
  })
  server.on('secureConnection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    env: { OUTBOUND_ALLOWED: 'localhost', NODE_EXTRA_CA_CERTS: await writeText(t, AUTHORITY) },
    connections: () => connections,
    register(path) {
      const pair = createECDH('prime256v1')
      const publicKey = pair.generateKeys()
      const auth = randomBytes(16)
      const waiting = new Map<string, Buffer>()
      const app: DistributedApp = {
        fields: {
          endpoint: `https://localhost:${port}${path}`,
          p256dh: publicKey.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        opened: [],
        isOn: true,
        turnOn() {
          app.isOn = true
          for (const body of waiting.values()) app.opened.push(openPush(pair, publicKey, auth, body))
          waiting.clear()
        },
        unregister: () => take.delete(path),
      }
      take.set(path, (body, topic) => {
        waiting.set(topic ?? randomBytes(8).toString('hex'), body)
        if (app.isOn) app.turnOn()
      })
      return app
    },
  }
}
