/** A web server of strangers: 127.0.0.2 plays the Internet, and 127.0.0.1 is inside. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from '../databases/create-database.ts'

const HOST = '127.0.0.2'

/** A running server of strangers. */
export interface Outside {
  /** Settings of a server that may reach it. */
  readonly env: Readonly<Record<string, string>>
  /** Its address without a path. */
  readonly url: string
  /** The requests that arrived, in order. */
  readonly requests: IncomingMessage[]
  /** Serves a path; answers its address. */
  serve(path: string, answer: RequestListener): string
  /** Serves a page with this head. */
  servePage(path: string, head: string): string
  /** How often a path was asked for. */
  countOf(path: string): number
}

/** Starts a server of strangers that ends with the test. */
export async function startOutside(t: TestContext): Promise<Outside> {
  const answers = new Map<string, RequestListener>()
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const answer = answers.get(new URL(request.url ?? '', 'http://outside').pathname)
    if (answer) answer(request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>')
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`
  const serve = (path: string, answer: RequestListener) => {
    answers.set(path, answer)
    return url + path
  }
  return {
    env: { OUTBOUND_ALLOWED: HOST },
    url,
    requests,
    serve,
    servePage: (path, head) =>
      serve(path, (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<head>${head}</head>`),
      ),
    countOf: (path) => requests.filter((one) => one.url === path).length,
  }
}
