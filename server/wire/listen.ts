/** Listens for clients. */

import { serveEventSource } from './event-source.ts'
import type { HttpServer } from './http.ts'
import type { StreamContext } from './stream-request.ts'
import type { TusUploads } from './tus.ts'
import { uws, type us_listen_socket } from './uws.ts'
import { serveWebSocket } from './websocket.ts'

/** A listening socket. */
export interface Listener {
  readonly port: number
  /** Accepts no new connections. */
  stop(): void
  /** Closes all connections. */
  close(): void
}

/** A form of `listen` that the library has but its types lack. */
interface ListenWithOptions {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): void
}

/** Listens on an address; port 0 takes a free one. Rejects if the port is taken. */
export function listen(
  host: string,
  port: number,
  http: HttpServer,
  context: StreamContext,
  tus?: TusUploads,
): Promise<Listener> {
  const app = uws.App()
  serveWebSocket(app, context)
  serveEventSource(app, context)
  tus?.serve(app)
  app.any('/*', (res, req) => http.handle(res, req))
  return new Promise((resolve, reject) => {
    // Exclusive: two servers that share a port by accident would each get half of the clients.
    const isExclusive = 1
    ;(app as unknown as ListenWithOptions).listen(host, port, isExclusive, (socket) => {
      if (!socket) {
        reject(
          new Error(
            `cannot listen on ${host}:${port}: the port is taken or not allowed, or HOST is no address of this machine`,
          ),
        )
        return
      }
      let isStopped = false
      const stop = () => {
        if (isStopped) return
        isStopped = true
        uws.us_listen_socket_close(socket)
      }
      resolve({
        port: uws.us_socket_local_port(socket),
        stop,
        close() {
          stop()
          app.close()
        },
      })
    })
  })
}
