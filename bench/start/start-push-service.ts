/** A push service of the web that only notes which addresses were pushed to; the tests have one that opens the messages. */

import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Milliseconds without a push, after which the rest will not come. */
const SILENT_MS_MAX = 60_000

/** The parameters with which a browser registers its address. */
export interface Subscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** A running service. */
export interface PushService {
  /** The address of a new browser. */
  subscribe(): Subscription
  /** Resolves when as many pushes have arrived since the last call: the addresses, in order. */
  receive(count: number): Promise<readonly string[]>
  close(): void
}

/** Starts it on a free port of this machine. */
export async function startPushService(): Promise<PushService> {
  // The server checks that keys are points of the curve; all browsers may have the same one.
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys().toString('base64url')
  let received: string[] = []
  let onPush = () => {}
  const service = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received.push(request.url ?? '')
      response.writeHead(201, { 'content-length': '0' }).end()
      onPush()
    })
  })
  service.keepAliveTimeout = SILENT_MS_MAX
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  return {
    subscribe: () => ({
      endpoint: `${origin}/${randomBytes(16).toString('hex')}`,
      p256dh,
      auth: randomBytes(16).toString('base64url'),
    }),
    receive: (count) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`of ${count} pushes ${received.length} arrived`))
        let timer = setTimeout(late, SILENT_MS_MAX)
        onPush = () => {
          clearTimeout(timer)
          timer = setTimeout(late, SILENT_MS_MAX)
          if (received.length < count) return
          clearTimeout(timer)
          onPush = () => {}
          resolve(received)
          received = []
        }
        if (received.length >= count) onPush()
      }),
    close: () => {
      service.closeAllConnections()
      service.close()
    },
  }
}
