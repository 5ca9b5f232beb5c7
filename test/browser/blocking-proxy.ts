/** A proxy before a server, as some companies have one: it lets through only what it understands. */

import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { TestContext } from '../harness/databases/create-database.ts'
import { listenLocally } from '../harness/servers/listen-locally.ts'

/** A running proxy. */
export interface BlockingProxy {
  readonly url: string
  /** The kinds of sockets, streams and polls that it let through. */
  readonly passed: readonly string[]
  /** From now on everything gets through. */
  letThrough(): void
}

/** Starts a proxy that refuses WebSockets, and on request streams, until it is opened; it ends with the test. */
export async function startBlockingProxy(
  t: TestContext,
  target: string,
  { blocksStreams }: { readonly blocksStreams: boolean },
): Promise<BlockingProxy> {
  const passed: string[] = []
  let isBlocking = true
  const forward = (incoming: IncomingMessage, reply: ServerResponse) => {
    const isStream = incoming.headers.accept === 'text/event-stream'
    if (isStream && isBlocking && blocksStreams) {
      reply.writeHead(502, { 'content-type': 'text/html' }).end('<p>Blocked</p>')
      return
    }
    if (isStream) passed.push('stream')
    else if (incoming.url?.startsWith('/api/v1/events?') === true) passed.push('poll')
    const { method = 'GET', url = '/', headers } = incoming
    const outgoing = request(new URL(url, target), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      reply.flushHeaders()
      answer.pipe(reply)
    })
    outgoing.on('error', () => reply.destroy())
    reply.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
  const server = createServer(forward)
  server.on('upgrade', (incoming, socket, head) => {
    if (isBlocking) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
      return
    }
    passed.push('socket')
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname)
    const lines = [`GET ${incoming.url} HTTP/1.1`]
    for (let index = 0; index < incoming.rawHeaders.length; index += 2)
      lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`)
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    for (const one of [socket, upstream]) one.on('error', () => (socket.destroy(), upstream.destroy()))
    socket.pipe(upstream).pipe(socket)
  })
  const url = await listenLocally(t, server)
  const letThrough = () => {
    isBlocking = false
  }
  return { url, passed, letThrough }
}
