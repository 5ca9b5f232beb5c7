/** Serves the metrics and the health of a process without clients on a port of its own. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIVE_PATH, READY_PATHS } from './health-paths.ts'
import { FORWARDING_HEADERS, mayReadMetrics, METRICS_PATH, type MetricsRequest } from './may-read-metrics.ts'
import { METRICS_TYPE } from './metric.ts'
import { VERSION } from './version.ts'

/** Milliseconds that a client may take for its request: a scraper sends a few hundred bytes. */
const REQUEST_MS_MAX = 5_000
/** Connections at a time: scrapers have one each. */
const CONNECTIONS_MAX = 20

/** The address, the token and the text of the metrics. */
export interface MetricsServerOptions {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  readonly token: string | undefined
  render(): Promise<string>
  /** Whether the process can do its work. */
  isReady(): Promise<boolean>
}

/** A running server of metrics. */
export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** Starts the server; rejects if it cannot listen. */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const access = { token: options.token, isPublic: false }
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && path === LIVE_PATH) return sendHealth(response, 200, 'live')
    if (isRead && READY_PATHS.includes(path)) {
      void options.isReady().then((isReady) => {
        sendHealth(response, isReady ? 200 : 503, isReady ? 'ready' : 'not ready')
      })
      return
    }
    if (!isRead || path !== METRICS_PATH || !mayReadMetrics(describe(request), access)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n')
      return
    }
    void options.render().then((text) => {
      response.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }).end(text)
    })
  })
  server.requestTimeout = REQUEST_MS_MAX
  server.headersTimeout = REQUEST_MS_MAX
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`cannot serve metrics on ${options.host}:${options.port}`, { cause }))
    })
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** As a web process answers it. */
function sendHealth(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ status, version: VERSION }))
}

function describe({ headers, socket }: IncomingMessage): MetricsRequest {
  return {
    peerAddress: socket.remoteAddress ?? '',
    isForwarded: FORWARDING_HEADERS.some((name) => headers[name] !== undefined),
    host: headers.host ?? '',
    authorization: headers.authorization ?? '',
  }
}
