/** Listens for clients. */

import { fail } from '../errors/api-error.ts'
import { makeRoom, readRoom } from './connection-room.ts'
import { serveEventSource } from './event-source.ts'
import type { HttpServer } from './http.ts'
import type { StreamContext } from './stream-request.ts'
import type { Listener, Transport } from './transport/transport.ts'
import type { TusUploads } from './tus.ts'
import { serveWebSocket } from './websocket.ts'

/** The handlers of requests, by their kind. */
export interface Handlers {
  readonly http: HttpServer
  readonly streams: StreamContext
  readonly tus?: TusUploads
  /** Called when a connection is refused for want of file descriptors, once a minute at most. */
  readonly onNoRoom?: (figures: { readonly connections: number; readonly limit: number }) => void
}

/** Listens on an address; port 0 takes a free one. Rejects if the port is taken. */
export async function listen(
  transport: Transport,
  { host, port }: { readonly host: string; readonly port: number },
  { http, streams, tus, onNoRoom = () => {} }: Handlers,
): Promise<Listener> {
  const found = readRoom()
  const refusal = JSON.stringify(fail('OVERLOADED').body)
  const room =
    found &&
    makeRoom(found.connectionsMax, refusal, (connections) => onNoRoom({ connections, limit: found.limit }))
  const app = transport.createApp((res, reason) => http.refuse(res, reason), room)
  serveWebSocket(app, streams)
  serveEventSource(app, streams)
  tus?.serve(app)
  app.any('/*', (res, req) => http.handle(res, req))
  try {
    return await app.listen(host, port)
  } catch (cause) {
    throw new Error(`cannot listen on ${host}:${port}`, { cause })
  }
}
