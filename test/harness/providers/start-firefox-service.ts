/**
 * A push service that a real Firefox uses instead of Mozilla's: browsers keep a WebSocket to it, by which they register and get
 * their messages (the protocol of autopush), and servers post to it (RFC 8030). It sees no more than the encrypted bytes.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'
import { checkHeaders, checkProof } from './start-push-service.ts'

/** A message of a browser. */
interface BrowserMessage {
  readonly messageType?: 'hello' | 'register' | 'unregister' | 'ack'
  readonly uaid?: string
  readonly channelID?: string
  readonly key?: string
  readonly updates?: readonly { readonly version: string; readonly code: number }[]
}

/** A subscription of a browser. */
interface Channel {
  readonly uaid: string
  /** The server's key: messages of others are refused. */
  readonly key: string
}

export interface FirefoxService {
  /** Preferences of a Firefox that uses it. */
  readonly preferences: Readonly<Record<string, string | boolean>>
  /** Settings of a server that may reach it. */
  readonly env: Readonly<Record<string, string>>
  /** Its answers to pushes so far. */
  readonly answers: readonly number[]
  /** The acknowledgements of browsers, as codes of their protocol: 100 if the worker has the message. */
  readonly acks: readonly number[]
  /** Subscriptions that exist. */
  readonly channels: () => number
  /** Why it refused requests, if it did. */
  readonly faults: readonly string[]
}

/** Starts a service that ends with the test. */
export async function startFirefoxService(t: TestContext): Promise<FirefoxService> {
  const sockets = new Map<string, WebSocket>()
  const channels = new Map<string, Channel>()
  /** Messages that no browser has taken yet, by version. */
  const waiting = new Map<string, { readonly uaid: string; readonly message: object }>()
  const [answers, acks, faults]: [number[], number[], string[]] = [[], [], []]
  const deliver = (uaid: string, message: object) => sockets.get(uaid)?.send(JSON.stringify(message))

  const take = async (request: IncomingMessage): Promise<number> => {
    const { url: path = '', headers } = request
    const body = await buffer(request)
    const channelID = path.slice('/push/'.length)
    const channel = channels.get(channelID)
    if (!channel) return 410
    try {
      checkHeaders(headers)
      const { authorization = '' } = headers
      await checkProof(authorization, url)
      // Browsers write it with padding, and servers without.
      if (!authorization.endsWith(`k=${channel.key.replaceAll('=', '')}`))
        throw new Error('the key of the subscription')
    } catch (error) {
      faults.push((error as Error).message)
      return 400
    }
    const version = randomUUID()
    const data = body.toString('base64url')
    const message = {
      messageType: 'notification',
      channelID,
      version,
      data,
      headers: { encoding: 'aes128gcm' },
    }
    waiting.set(version, { uaid: channel.uaid, message })
    deliver(channel.uaid, message)
    return 201
  }
  const server = createServer(async (request, response) => {
    const status = await take(request)
    answers.push(status)
    response.writeHead(status).end()
  })
  const url = await listenLocally(t, server)
  const webSockets = new WebSocketServer({ server, handleProtocols: () => 'push-notification' })
  t.teardown(() => {
    for (const socket of webSockets.clients) socket.terminate()
  })

  const greet = (socket: WebSocket, known: string | undefined) => {
    const uaid = known || randomBytes(16).toString('hex')
    sockets.set(uaid, socket)
    socket.once('close', () => {
      if (sockets.get(uaid) === socket) sockets.delete(uaid)
    })
    deliver(uaid, { messageType: 'hello', status: 200, uaid, use_webpush: true, broadcasts: {} })
    for (const one of waiting.values()) if (one.uaid === uaid) deliver(uaid, one.message)
    return uaid
  }
  webSockets.on('connection', (socket) => {
    let uaid = ''
    socket.on('message', (data) => {
      const {
        messageType,
        channelID = '',
        key = '',
        updates = [],
        ...message
      } = JSON.parse((data as Buffer).toString()) as BrowserMessage
      const answer = { messageType, status: 200, channelID }
      if (messageType === 'hello') uaid = greet(socket, message.uaid)
      else if (messageType === 'register') {
        channels.set(channelID, { uaid, key })
        deliver(uaid, { ...answer, pushEndpoint: `${url}/push/${channelID}` })
      } else if (messageType === 'unregister') {
        channels.delete(channelID)
        deliver(uaid, answer)
      }
      for (const { version, code } of updates) {
        waiting.delete(version)
        acks.push(code)
      }
    })
  })
  return {
    preferences: {
      'dom.push.serverURL': `${url.replace('http', 'ws')}/`,
      'dom.push.testing.allowInsecureServerURL': true,
      'dom.push.connection.enabled': true,
      // Without a desktop, Firefox shows notifications itself.
      'alerts.useSystemBackend': false,
    },
    env: { OUTBOUND_ALLOWED: '127.0.0.1' },
    answers,
    acks,
    channels: () => channels.size,
    faults,
  }
}
