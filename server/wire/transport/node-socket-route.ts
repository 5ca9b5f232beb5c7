/** A route of WebSockets on `ws`. */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { LastFrame, NodeWebSocket } from './node-web-socket.ts'
import type { NodeLimits } from './node-limits.ts'
import type { HttpRequest, HttpResponse, WebSocketRoute } from './transport.ts'

/** A route and its sockets. */
export class NodeSocketRoute {
  readonly #route: WebSocketRoute<unknown>
  readonly #server: WebSocketServer
  readonly #sockets = new Set<NodeWebSocket<unknown>>()
  readonly #lastFrame = new LastFrame()
  #timer: NodeJS.Timeout | undefined

  /** `refuse` answers handshakes that the library refuses. */
  constructor(
    route: WebSocketRoute<unknown>,
    refuse: (message: IncomingMessage) => void,
    { closeMs }: NodeLimits,
  ) {
    const options = {
      noServer: true,
      clientTracking: false,
      maxPayload: route.frameBytesMax,
      perMessageDeflate: false, // As on uWebSockets.js, which has the reason.
      closeTimeout: closeMs,
    }
    this.#route = route
    this.#server = new WebSocketServer(options)
    this.#server.on('wsClientError', (_error, _socket, message) => refuse(message))
  }

  /** Admits a request; undefined if it was refused. */
  admit(res: HttpResponse, req: HttpRequest): unknown {
    return this.#route.admit(res, req)
  }

  /** Makes a socket of a connection. */
  accept(message: IncomingMessage, connection: Socket, head: Buffer, data: unknown): void {
    this.#server.handleUpgrade(message, connection, head, (ws) => {
      const socket: NodeWebSocket<unknown> = new NodeWebSocket(ws, data, this.#route, {
        lastFrame: this.#lastFrame,
        onClosed: () => this.#sockets.delete(socket),
      })
      this.#sockets.add(socket)
      this.#timer ??= setInterval(() => this.#look(), (this.#route.idleSeconds / 2) * 1000)
      this.#route.open(socket)
    })
  }

  /** Closes all sockets. */
  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#sockets) socket.terminate()
  }

  #look(): void {
    for (const socket of this.#sockets) socket.look()
  }
}
