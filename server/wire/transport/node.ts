/** The transport on `node:http` and `ws`: for platforms on which uWebSockets.js does not load. */

import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { NODE_LIMITS, type NodeLimits } from './node-limits.ts'
import { NodeRequest } from './node-request.ts'
import { NodeResponse } from './node-response.ts'
import { NodeSocketRoute } from './node-socket-route.ts'
import {
  type App,
  type ConnectionRoom,
  HEAD_BYTES_MAX,
  type Handle,
  type HttpResponse,
  type Listener,
  type MaybeHandle,
  NO_ROOM_HEADERS,
  NO_ROOM_STATUS,
  type Transport,
  type Unreadable,
  type WebSocketRoute,
} from './transport.ts'

/** Requests of one connection that wait for the answers before them: a packet of 64 KiB holds no more. */
const WAITING_MAX = 4096

/** Errors of the parser that concern the length of a body; all others are `malformed`. */
const REASONS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'head_too_long',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'ambiguous',
  HPE_INVALID_CONTENT_LENGTH: 'ambiguous',
  HPE_INVALID_TRANSFER_ENCODING: 'ambiguous',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
}

/** The reasons not to listen, by the code of the system. */
const LISTEN_REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is taken'],
  ['EACCES', 'the port is not allowed'],
  ['EADDRNOTAVAIL', 'the address is none of this machine'],
])

/** The transport. */
export function createNodeTransport(limits: NodeLimits = NODE_LIMITS): Transport {
  return { name: 'node:http', createApp: (refuse, room) => new NodeApp(refuse, limits, room) }
}

/** A route by its path, or by the start of its paths. */
interface Route {
  readonly path: string
  readonly isPrefix: boolean
  readonly method: string | undefined
  readonly handle: MaybeHandle
}

/** An error of the parser, with the packet that it could not read. */
type ParserError = Error & {
  readonly code?: string
  readonly rawPacket?: Buffer
  /** Bytes of the packet before the one that it could not read. */
  readonly bytesParsed?: number
}

/** A connection that speaks HTTP. */
interface Connection {
  readonly socket: Socket
  /** The request without a whole answer. */
  pending: NodeResponse | undefined
  /** Requests behind it, in their order; meanwhile nothing more is read. */
  readonly waiting: (() => void)[]
  /** Refuses the bytes behind them that the parser does not take. */
  refuseRest: (() => void) | undefined
  /** Whether the next answer is its last. */
  isClosing: boolean
}

class NodeApp implements App {
  readonly #refuse: (res: HttpResponse, reason: Unreadable) => void
  readonly #limits: NodeLimits
  readonly #room: ConnectionRoom | undefined
  readonly #server: Server
  readonly #routes: Route[] = []
  readonly #socketRoutes = new Map<string, NodeSocketRoute>()
  readonly #connections = new Map<Socket, Connection>()

  constructor(
    refuse: (res: HttpResponse, reason: Unreadable) => void,
    limits: NodeLimits,
    room: ConnectionRoom | undefined,
  ) {
    this.#refuse = refuse
    this.#limits = limits
    this.#room = room
    const options = {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: limits.headLookMs,
      keepAliveTimeout: limits.headMs,
      requestTimeout: 0, // Bodies have a pace instead: large files take longer than any limit.
      requireHostHeader: false, // It is checked here, so that the answer has the form of the API.
      insecureHTTPParser: false, // Whatever the flags of the process.
      // Other upgrades are ignored, as the protocol allows. Releases of Node before 22.21 lack it.
      shouldUpgradeCallback: (message: IncomingMessage) => this.#findSocketRoute(message) !== undefined,
    }
    const server = createServer(options)
    server.maxHeadersCount = 0 // Node would drop the rest silently; `NodeRequest` refuses.
    server.on('connection', (socket: Socket) => this.#connect(socket))
    const onRequest = (message: IncomingMessage, res: ServerResponse) => this.#handle(message, res, false)
    server.on('request', onRequest)
    server.on('checkExpectation', onRequest) // Others than `100-continue` are ignored.
    server.on('checkContinue', (message, res) => this.#handle(message, res, true))
    server.on('connect', (message, socket) => this.#refuseBare(socket as Socket, 'malformed', message))
    server.on('upgrade', (message, socket, head) => this.#upgrade(message, socket as Socket, head))
    server.on('clientError', (error, socket) => this.#onClientError(error, socket as Socket))
    this.#server = server
  }

  ws<Data>(path: string, route: WebSocketRoute<Data>): void {
    const refuse = (message: IncomingMessage) => this.#refuseBare(message.socket, 'malformed', message)
    this.#socketRoutes.set(path, new NodeSocketRoute(route as WebSocketRoute<unknown>, refuse, this.#limits))
  }

  get(path: string, handle: MaybeHandle): void {
    this.#routes.push({ ...toPattern(path), method: 'GET', handle })
  }

  any(path: string, handle: Handle): void {
    const always: MaybeHandle = (res, req) => {
      handle(res, req)
      return true
    }
    this.#routes.push({ ...toPattern(path), method: undefined, handle: always })
  }

  listen(host: string, port: number): Promise<Listener> {
    const server = this.#server
    return new Promise((resolve, reject) => {
      const refuse = (cause: NodeJS.ErrnoException) =>
        reject(new Error(LISTEN_REASONS.get(cause.code ?? '') ?? cause.message, { cause }))
      server.once('error', refuse)
      // Exclusive: two servers that share a port by accident would each get half of the clients.
      server.listen({ host, port, exclusive: true }, () => {
        server.off('error', refuse)
        // The method of the class would also close idle connections, on which a request may be on its way.
        const stop = () => void NetServer.prototype.close.call(server)
        resolve({
          port: (server.address() as AddressInfo).port,
          stop,
          close: () => {
            stop()
            for (const route of this.#socketRoutes.values()) route.close()
            for (const socket of this.#connections.keys()) socket.destroy()
            server.close() // Ends the timer of the class.
          },
        })
      })
    })
  }

  #connect(socket: Socket): void {
    const room = this.#room
    if (room) {
      const hasRoom = room.enter()
      socket.once('close', () => room.leave())
      if (!hasRoom) {
        refuseConnection(socket, room)
        return
      }
    }
    const connection: Connection = {
      socket,
      pending: undefined,
      waiting: [],
      refuseRest: undefined,
      isClosing: false,
    }
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      this.#connections.delete(socket)
      connection.waiting.length = 0
      connection.pending?.onGone()
    })
    socket.destroySoon = () => this.#linger(socket, connection.pending) // Node calls it after the last answer.
  }

  #handle(message: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const connection = this.#connections.get(message.socket)
    if (!connection || connection.isClosing) return // It follows the last request.
    if (connection.pending) {
      this.#wait(connection, () => {
        if (!message.complete) message.socket.resume()
        this.#handle(message, res, expectsContinue)
      })
      return
    }
    const head = new NodeRequest(message)
    const response = this.#track(connection, message, res, { hasBody: head.hasBody, expectsContinue })
    const { refusal } = head
    if (refusal) this.#refuse(response, refusal)
    else this.#route(response, head)
  }

  #track(
    connection: Connection,
    message: IncomingMessage,
    res: ServerResponse,
    body: { readonly hasBody: boolean; readonly expectsContinue: boolean },
  ): NodeResponse {
    const onClosing = () => {
      connection.isClosing = true
    }
    const response = new NodeResponse(message, res, { ...body, onClosing, limits: this.#limits })
    connection.pending = response
    res.once('finish', () => this.#next(connection, response))
    return response
  }

  /** Serves a request once the ones before it are answered, and their answers are sent. */
  #wait({ socket, waiting }: Connection, serve: () => void): void {
    waiting.push(serve)
    if (waiting.length > WAITING_MAX) socket.destroy()
    else socket.pause()
  }

  #next(connection: Connection, answered: NodeResponse): void {
    const { socket, waiting, refuseRest } = connection
    if (connection.pending !== answered) return
    if (waiting.length === 0 && !refuseRest) {
      connection.pending = undefined
      return
    }
    // In a later turn: others must not wait for all that one client has sent at once.
    setImmediate(() => {
      connection.pending = undefined
      if (connection.isClosing || socket.destroyed) {
        waiting.length = 0
        return
      }
      waiting.shift()?.()
      if (waiting.length > 0) return
      socket.resume()
      this.#refuseRest(connection)
    })
  }

  /** Refuses bytes that are no request, unless a whole request before them is not answered yet. */
  #refuseRest(connection: Connection): void {
    const { pending, refuseRest } = connection
    if (!refuseRest || pending?.isWhole) return
    connection.refuseRest = undefined
    refuseRest()
  }

  #route(res: HttpResponse, req: NodeRequest): void {
    const path = req.getUrl()
    const method = req.getCaseSensitiveMethod()
    for (const route of this.#routes) {
      if (route.method !== undefined && route.method !== method) continue
      if (route.isPrefix ? !path.startsWith(route.path) : path !== route.path) continue
      if (route.handle(res, req)) return
    }
    throw new Error('the routes do not take every request')
  }

  #findSocketRoute(message: IncomingMessage): NodeSocketRoute | undefined {
    const connection = this.#connections.get(message.socket)
    if (!connection || connection.isClosing || connection.pending) return undefined
    const head = new NodeRequest(message)
    const isRight = head.asksForSocket && !head.hasBody && head.refusal === undefined
    return isRight ? this.#socketRoutes.get(head.getUrl()) : undefined
  }

  /** The parser has left the connection: an answer is its last. */
  #upgrade(message: IncomingMessage, socket: Socket, head: Buffer): void {
    const route = this.#findSocketRoute(message)
    const connection = this.#connections.get(socket)
    if (!connection || connection.pending) {
      socket.destroy() // An earlier request of the connection is not answered yet.
      return
    }
    const request = new NodeRequest(message)
    if (!route && (request.hasBody || request.refusal)) {
      this.#refuseBare(socket, 'malformed', message)
      return
    }
    const { response, send } = this.#answerBare(connection, message)
    if (!route) {
      send()
      this.#route(response, request)
      return
    }
    const data = route.admit(response, request)
    if (data === undefined) {
      send()
      return
    }
    connection.pending = undefined
    route.accept(message, socket, head, data)
  }

  /** Refuses a request that the parser does not take, or whose body it does not take. */
  #onClientError(error: ParserError, socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection?.isClosing) return
    const pending = connection?.pending
    const isGone = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE'
    if (connection && pending && (pending.isWhole || connection.waiting.length > 0) && !isGone) {
      connection.refuseRest = () => this.#onClientError(error, socket) // The requests before are answered first.
      return
    }
    if (isGone || socket.bytesRead === 0 || pending?.isStarted) {
      socket.destroy()
      return
    }
    pending?.giveWay()
    const message = error.code === 'HPE_INVALID_METHOD' && readUnknownMethod(error, socket)
    if (connection && message) {
      const { response, send } = this.#answerBare(connection, message)
      send()
      this.#route(response, new NodeRequest(message)) // It gets the answer of the API to other methods.
    } else this.#refuseBare(socket, REASONS[error.code ?? ''] ?? 'malformed')
  }

  #refuseBare(socket: Socket, reason: Unreadable, message = new IncomingMessage(socket)): void {
    const connection = this.#connections.get(socket)
    if (!connection || !socket.writable) {
      socket.destroy()
      return
    }
    const { response, send } = this.#answerBare(connection, message)
    send()
    this.#refuse(response, reason)
  }

  /** An answer on a connection that no parser serves any more; call `send` unless the connection gets another use. */
  #answerBare(connection: Connection, message: IncomingMessage) {
    const { socket } = connection
    const res = new ServerResponse(message)
    res.shouldKeepAlive = false
    const send = () => {
      res.once('finish', () => {
        res.detachSocket(socket)
        this.#linger(socket)
      })
      res.assignSocket(socket)
    }
    return {
      response: this.#track(connection, message, res, { hasBody: false, expectsContinue: false }),
      send,
    }
  }

  /**
   * Ends the server's side of a connection, once the rest of the body has arrived, and leaves the client a moment to read
   * the last answer.
   */
  #linger(socket: Socket, answered?: NodeResponse): void {
    const timer = setTimeout(() => socket.destroy(), this.#limits.lingerMs)
    socket.once('close', () => clearTimeout(timer))
    if (answered) answered.onRestOver(() => socket.end())
    else socket.end()
    socket.resume() // Unread bytes would reset the connection, and the client might lose the answer.
  }
}

/** Answers a connection before its request, since only its end frees its descriptor. */
function refuseConnection(socket: Socket, { refusal }: ConnectionRoom): void {
  const headers = { ...NO_ROOM_HEADERS, Connection: 'close', 'Content-Length': Buffer.byteLength(refusal) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${NO_ROOM_STATUS}`, ...lines, '', refusal].join('\r\n'), () => socket.destroy())
}

/** The first line of a request whose method the parser does not know; undefined if the packet does not start with it. */
function readUnknownMethod(
  { rawPacket, bytesParsed = 0 }: ParserError,
  socket: Socket,
): IncomingMessage | undefined {
  const line = rawPacket?.toString('latin1', 0, HEAD_BYTES_MAX).split('\r\n', 1)[0] ?? ''
  if (bytesParsed > line.length) return undefined // It belongs to a request before.
  const [, method, url] = /^([\w!#$%&'*+.^`|~-]+) (\/[!-~]*) HTTP\/1\.1$/.exec(line) ?? []
  if (method === undefined || url === undefined) return undefined
  return Object.assign(new IncomingMessage(socket), { method, url, httpVersion: '1.1' })
}

function toPattern(path: string): Pick<Route, 'path' | 'isPrefix'> {
  const isPrefix = path.endsWith('*')
  return { path: isPrefix ? path.slice(0, -1) : path, isPrefix }
}
