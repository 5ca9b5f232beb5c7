/** Bare servers on each transport, with routes of the test, and clients that speak in bytes. */

import type { Socket } from 'node:net'
import { createNodeTransport } from '../../server/wire/transport/node.ts'
import type {
  App,
  HttpRequest,
  HttpResponse,
  Transport,
  Unreadable,
} from '../../server/wire/transport/transport.ts'
import { createUwsTransport, loadUws } from '../../server/wire/transport/uws.ts'
import type { TestContext } from '../harness/create-database.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection } from './send-raw.ts'

/** uWebSockets.js; undefined where it has no binary. */
export const UWS: Transport | undefined = loadUwsTransport()

/** The transports of this platform by the names of the setting. */
export const TRANSPORTS: readonly (readonly [name: 'uws' | 'node', transport: Transport])[] = [
  ...(UWS ? [['uws', UWS] as const] : []),
  ['node', createNodeTransport()],
]

function loadUwsTransport(): Transport | undefined {
  try {
    return createUwsTransport(loadUws().uws)
  } catch {
    return undefined
  }
}

/** A listening server. */
export interface BareServer {
  readonly port: number
  /** The reasons of requests that the transport refused. */
  readonly refused: Unreadable[]
  stop(): void
  close(): void
  /** A connection that is closed with the test. */
  connect(): Promise<Client>
}

/** One side of a connection, with the bytes that arrived. */
export interface Client {
  readonly socket: Socket
  /** The bytes so far, one character each. */
  text(): string
  isClosed(): boolean
  /** Resolves when the bytes match. */
  until(pattern: RegExp): Promise<string>
  closed(): Promise<void>
}

/** Listens with the routes of a test; it is closed with the test. */
export async function startTransport(
  t: TestContext,
  transport: Transport,
  addRoutes: (app: App) => void,
): Promise<BareServer> {
  const refused: Unreadable[] = []
  const app = transport.createApp((res, reason) => {
    refused.push(reason)
    answer(res, `refused: ${reason}`, '400 Bad Request', true)
  })
  addRoutes(app)
  const listener = await app.listen('127.0.0.1', 0)
  t.teardown(() => listener.close())
  return {
    port: listener.port,
    refused,
    stop: () => listener.stop(),
    close: () => listener.close(),
    connect: () => connect(t, listener.port),
  }
}

/** Connects to a port. */
export async function connect(t: TestContext, port: number): Promise<Client> {
  const socket = await openConnection(port)
  t.teardown(() => socket.destroy())
  const chunks: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  const text = () => Buffer.concat(chunks).toString('latin1')
  return {
    socket,
    text,
    isClosed: () => isClosed,
    async until(pattern) {
      await pollUntil(
        () => `${pattern} in ${JSON.stringify(text().slice(0, 500))}`,
        () => pattern.test(text()),
        () => chunks.length,
      )
      return text()
    },
    closed: async () =>
      void (await pollUntil(
        'the connection ends',
        () => isClosed,
        () => chunks.length,
      )),
  }
}

/** Answers in one piece. */
export function answer(res: HttpResponse, body: string, status = '200 OK', isClosing = false): void {
  res.cork(() => {
    res.writeStatus(status)
    res.end(body, isClosing)
  })
}

/** The whole body of a request; never resolves if it does not arrive. */
export function readAll(res: HttpResponse): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    res.onData((chunk, isLast) => {
      chunks.push(Buffer.from(new Uint8Array(chunk))) // A copy, since the chunk is lent.
      if (isLast) resolve(Buffer.concat(chunks))
    })
  })
}

/** Everything that a head has. */
export function describeHead(req: HttpRequest) {
  const headers: [string, string][] = []
  req.forEach((name, value) => headers.push([name, value]))
  return { method: req.getCaseSensitiveMethod(), path: req.getUrl(), query: req.getQuery() ?? '', headers }
}

/** The lines of a head. */
export function head(method: string, path: string, ...lines: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n')
}
