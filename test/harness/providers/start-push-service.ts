/**
 * A push service of the web with its browsers. It checks each request as the standards demand (RFC 8030, 8188, 8291, 8292),
 * by other code than the server's: HKDF instead of its HMACs, and the Web Crypto API for the proof.
 */

import { createDecipheriv, createECDH, hkdfSync, randomBytes, webcrypto } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

/** A message that arrived and was opened. */
export interface ReceivedPush {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A browser that subscribed. */
export interface PushBrowser {
  /** The parameters with which a client registers it. */
  readonly fields: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  readonly received: ReceivedPush[]
  /** The answer to each push for it while it is set. */
  odd: OddPushAnswer | undefined
  /** The answer to a push waits for it. */
  gate: Promise<void> | undefined
  /** Pushes that were sent to it, with any answer. */
  asked: number
}

export type OddPushAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'broken'
  | 'silent'

/** A running service. */
export interface PushService {
  readonly url: string
  /** Settings of a server that may reach it. */
  readonly env: Readonly<Record<string, string>>
  /** Why the service refused a request, if it did. */
  readonly faults: string[]
  subscribe(): PushBrowser
  /** Ends all connections. */
  hangUp(): void
}

/** Starts a service that ends with the test. */
export async function startPushService(t: TestContext): Promise<PushService> {
  const browsers = new Map<string, PushBrowser & { open(body: Buffer): string }>()
  const faults: string[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const browser = browsers.get(request.url ?? '')
    if (!browser) return response.writeHead(404).end()
    browser.asked++
    const { odd } = browser
    await browser.gate
    if (odd === 'silent') return
    if (odd === 'broken') return request.socket.destroy()
    if (odd) return response.writeHead(odd.status, odd.headers).end()
    try {
      checkHeaders(request.headers)
      await checkProof(request.headers.authorization ?? '', url)
      if (body.length > 4096) return response.writeHead(413).end()
      browser.received.push({ headers: request.headers, text: browser.open(body) })
      response.writeHead(201).end()
    } catch (error) {
      faults.push((error as Error).message)
      response.writeHead(400).end()
    }
  })
  const url = await listenLocally(t, server)
  return {
    url,
    env: { OUTBOUND_ALLOWED: '127.0.0.1' },
    faults,
    hangUp: () => server.closeAllConnections(),
    subscribe() {
      const pair = createECDH('prime256v1')
      const publicKey = pair.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(16).toString('hex')}`
      const browser = {
        fields: {
          endpoint: `${url}${path}`,
          p256dh: publicKey.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        received: [],
        odd: undefined,
        gate: undefined,
        asked: 0,
        open: (body: Buffer) => openPush(pair, publicKey, auth, body),
      }
      browsers.set(path, browser)
      return browser
    },
  }
}

function demand(isRight: boolean, fault: string): asserts isRight {
  if (!isRight) throw new Error(fault)
}

/** Checks what a service reads of a message; throws the fault. */
export function checkHeaders(headers: IncomingHttpHeaders): void {
  demand(headers['content-encoding'] === 'aes128gcm', 'the coding')
  demand(/^\d+$/.test(String(headers['ttl'])), 'the TTL')
  demand(['very-low', 'low', 'normal', 'high'].includes(String(headers['urgency'])), 'the urgency')
  const { topic } = headers
  demand(topic === undefined || /^[\w-]{1,32}$/.test(String(topic)), 'the topic')
}

/** Checks the token of the server against its key; throws the fault. */
export async function checkProof(authorization: string, origin: string): Promise<void> {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const key = await webcrypto.subtle.importKey(
    'raw',
    Buffer.from(publicKey, 'base64url'),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  )
  const isSigned = await webcrypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    Buffer.from(signature, 'base64url'),
    Buffer.from(`${head}.${claims}`),
  )
  demand(isSigned, 'the signature')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const now = Date.now() / 1000
  demand(aud === origin, 'the audience')
  demand(typeof exp === 'number' && exp > now && exp <= now + 86_400, 'the end of the token')
  demand(typeof sub === 'string' && /^(mailto:|https:\/\/)./.test(sub), 'the subject')
}

/** Opens a message by RFC 8291. */
export function openPush(
  pair: { computeSecret(key: Uint8Array): Buffer },
  publicKey: Buffer,
  auth: Buffer,
  body: Buffer,
): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  demand(body.readUInt32BE(16) >= body.length - 21 - keyLength, 'more than one record')
  const senderKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
  const input = hkdfSync('sha256', pair.computeSecret(senderKey), auth, info, 32)
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(input), salt, `Content-Encoding: ${name}\0`, length))
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  cipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  demand(padded[end] === 2, 'the delimiter')
  return padded.subarray(0, end).toString()
}
