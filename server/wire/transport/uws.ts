/** The transport on uWebSockets.js. Its objects are those of the seam, so it costs nothing. */

import { createRequire } from 'node:module'
import type * as Uws from 'uWebSockets.js'
import {
  type App,
  type ConnectionRoom,
  HEAD_BYTES_MAX,
  type HttpResponse,
  type Listener,
  NO_ROOM_HEADERS,
  NO_ROOM_STATUS,
  type Transport,
  type WebSocketRoute,
} from './transport.ts'
import { extendResponse } from './uws-response.ts'

/** A response with the methods that `uws-response.ts` gives it. */
type Extended = Uws.HttpResponse & HttpResponse

/** A function that the library has but its types lack. */
interface Configurable {
  _cfg(option: string): void
}

/** The library, as it was loaded. */
export interface LoadedUws {
  readonly uws: typeof Uws
  /** Which release it is, and why no newer one. */
  readonly reason: string
}

/**
 * Its releases by their packages, the newest first. The newest has binaries for Node 22, 24 and 26 with glibc 2.38; the
 * older one for Node 20, 22 and 23 with glibc 2.27.
 */
const RELEASES = [
  ['20.69', 'uWebSockets.js'],
  ['20.51', 'uWebSockets.js-20.51'],
] as const

/** The newest release with a binary for this platform. Throws, with the reason of each, if none has one. */
export function loadUws(load: (name: string) => unknown = createRequire(import.meta.url)): LoadedUws {
  const reasons: string[] = []
  const causes: unknown[] = []
  for (const [release, name] of RELEASES) {
    try {
      const uws = loadConfigured(() => load(name))
      return { uws, reason: [`${release} has a binary for this platform`, ...reasons].join('; ') }
    } catch (cause) {
      reasons.push(`${release} ${explain(cause)}`)
      causes.push(cause)
    }
  }
  throw new AggregateError(causes, `uWebSockets.js does not load: ${reasons.join('; ')}`)
}

/** The reason why a release does not load: the library's own message names the platforms of its author alone. */
function explain(cause: unknown): string {
  const { arch, platform, version } = process
  const glibc = /`GLIBC_([\d.]+)' not found/.exec(String(cause))?.[1]
  return glibc ? `needs glibc ${glibc}` : `has no binary for Node ${version} on ${platform}-${arch}`
}

function loadConfigured(load: () => unknown): typeof Uws {
  // It reads its environment when it loads. Its default of 4 KB is too short.
  const name = 'UWS_HTTP_MAX_HEADERS_SIZE'
  const given = process.env[name]
  process.env[name] ??= String(HEAD_BYTES_MAX)
  try {
    const uws = load() as typeof Uws & Configurable
    uws._cfg('silent') // Otherwise each answer has its name and version in a header.
    return uws
  } finally {
    if (given === undefined) delete process.env[name]
  }
}

/** The transport. */
export function createUwsTransport(uws: typeof Uws): Transport {
  return { name: 'uWebSockets.js', createApp: (_refuse, room) => createApp(uws, room) }
}

/** A handler of a server. The library never forgets one: it is emptied when the server closes, so that its node is freed. */
interface Held<Value> {
  value: Value | undefined
}

function createApp(uws: typeof Uws, given: ConnectionRoom | undefined): App {
  const app = uws.App()
  const held: Held<unknown>[] = []
  const hold = <Value>(value: Value): Held<Value> => {
    const one = { value }
    held.push(one)
    return one
  }
  const room = hold(given)
  // Called with the start of each connection, and with its end unless it became a WebSocket.
  app.filter((res, change) => {
    extendResponse(res)
    if (Number(change) < 0) room.value?.leave()
    else if (room.value && !room.value.enter()) refuseConnection(res, room.value)
  })
  return {
    ws<Data>(path: string, given: WebSocketRoute<Data>) {
      const route = hold(given)
      app.ws<Data>(path, {
        // Off: on a day's mix of messages, typing, flags, presence and reactions (354 bytes each) permessage-deflate
        // sent 39% fewer bytes for 2.6 times the CPU (217 bytes for 358, 20 µs for 8). With a window per client it took
        // 36 µs and 70 KB per client, and saved no more: the library resets the window after each frame. It also
        // compresses for each socket, while frames are encoded once for all sockets.
        compression: uws.DISABLED,
        maxPayloadLength: given.frameBytesMax,
        maxBackpressure: given.bufferedBytesMax,
        idleTimeout: given.idleSeconds,
        sendPingsAutomatically: true,
        // Within the library's own call: an upgrade in a later turn goes through `res.cork`, which may use the
        // response's memory after it became the socket's, and then close it.
        upgrade(res, req, context) {
          const data = route.value?.admit(res as Extended, req)
          if (data === undefined) return
          const of = (name: string) => req.getHeader(`sec-websocket-${name}`)
          res.upgrade(data, of('key'), of('protocol'), of('extensions'), context)
        },
        open: (ws) => route.value?.open(ws),
        message: (ws, message, isBinary) => route.value?.message(ws, message, isBinary),
        ping: (ws, message) => route.value?.ping(ws, message),
        drain: (ws) => route.value?.drain(ws),
        close(ws) {
          room.value?.leave()
          route.value?.close(ws)
        },
      })
    },
    get(path, given) {
      const handle = hold(given)
      app.get(path, (res, req) => {
        if (!handle.value?.(res as Extended, req)) req.setYield(true)
      })
    },
    any(path, given) {
      const handle = hold(given)
      app.any(path, (res, req) => handle.value?.(res as Extended, req))
    },
    async listen(host, port) {
      const listener = await listen(uws, app, host, port)
      return {
        ...listener,
        close() {
          listener.close()
          for (const one of held) one.value = undefined
        },
      }
    },
  }
}

/** Answers a connection before its request, since only its end frees its descriptor. */
function refuseConnection(res: Uws.HttpResponse, { refusal }: ConnectionRoom): void {
  res.cork(() => {
    res.writeStatus(NO_ROOM_STATUS)
    for (const [name, value] of Object.entries(NO_ROOM_HEADERS)) res.writeHeader(name, value)
    res.end(refusal, true)
  })
}

function listen(uws: typeof Uws, app: Uws.TemplatedApp, host: string, port: number): Promise<Listener> {
  return new Promise((resolve, reject) => {
    // Exclusive: two servers that share a port by accident would each get half of the clients.
    const isExclusive = 1
    app.listen(host, port, isExclusive, (socket) => {
      if (!socket) {
        reject(new Error('the port is taken or not allowed, or the address is none of this machine'))
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
