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

/** A push that arrived. */
export interface Arrival {
  readonly path: string
  /** The mark of its conversation. */
  readonly topic: string
  /** By the clock of `performance`. */
  readonly atMs: number
}

/** A running service. */
export interface PushService {
  /** The address of a new browser. */
  subscribe(): Subscription
  /** Resolves when as many different pushes have arrived since the last `receive`. */
  expect(count: number): Promise<void>
  /** The same; answers all that arrived, in order, also those that came twice. */
  receive(count: number): Promise<readonly Arrival[]>
  close(): void
}

/** Starts it on a free port of this machine. */
export async function startPushService(): Promise<PushService> {
  // The server checks that keys are points of the curve; all browsers may have the same one.
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys().toString('base64url')
  let received: Arrival[] = []
  const different = new Set<string>()
  let onPush = () => {}
  const service = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const [path, topic] = [request.url ?? '', String(request.headers['topic'])]
      received.push({ path, topic, atMs: performance.now() })
      different.add(`${path} ${topic}`)
      response.writeHead(201, { 'content-length': '0' }).end()
      onPush()
    })
  })
  service.keepAliveTimeout = SILENT_MS_MAX
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const expect = (count: number) =>
    new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error(`of ${count} pushes ${different.size} arrived`))
      let timer = setTimeout(late, SILENT_MS_MAX)
      onPush = () => {
        clearTimeout(timer)
        timer = setTimeout(late, SILENT_MS_MAX)
        if (different.size < count) return
        clearTimeout(timer)
        onPush = () => {}
        resolve()
      }
      if (different.size >= count) onPush()
    })
  return {
    subscribe: () => ({
      endpoint: `${origin}/${randomBytes(16).toString('hex')}`,
      p256dh,
      auth: randomBytes(16).toString('base64url'),
    }),
    expect,
    async receive(count) {
      await expect(count)
      const arrivals = received
      received = []
      different.clear()
      return arrivals
    },
    close: () => {
      service.closeAllConnections()
      service.close()
    },
  }
}
