/** A receiver of outgoing webhooks, which answers in good and in odd ways, and checks each signature by its own code. */

import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

/** A call that arrived. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Answers a call that is held. */
  answer(status: number, body: string): void
  /** Ends the connection of a call that is held. */
  drop(): void
}

/** The answer to a call; JSON unless it is text. */
export type ReceiverAnswer =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** A body of so many bytes. */
  | { readonly bytes: number }
  | 'broken'
  | 'held'

/** A path of the receiver: each bot of a test has its own. */
export interface ReceiverPath {
  readonly url: string
  readonly calls: ReceivedCall[]
  answer: ReceiverAnswer
}

/** A running receiver. */
export interface WebhookReceiver {
  /** Settings of a server that may reach it. */
  readonly env: Readonly<Record<string, string>>
  open(name: string): ReceiverPath
}

/** Starts a receiver that ends with the test. */
export async function startWebhookReceiver(t: TestContext): Promise<WebhookReceiver> {
  const paths = new Map<string, ReceiverPath>()
  const server = createServer(async (request, response) => {
    const path = paths.get(request.url ?? '')
    if (!path) return response.writeHead(404).end()
    const { answer } = path
    path.calls.push({
      headers: request.headers,
      body: await text(request),
      answer: (status, body) => response.writeHead(status).end(body),
      drop: () => request.socket.destroy(),
    })
    if (answer === 'broken') return request.socket.destroy()
    if (answer !== 'held') send(response, answer)
  })
  const url = await listenLocally(t, server)
  return {
    env: { OUTBOUND_ALLOWED: '127.0.0.1, localhost' },
    open(name) {
      const path: ReceiverPath = { url: `${url}/${name}`, calls: [], answer: { body: {} } }
      paths.set(`/${name}`, path)
      return path
    },
  }
}

function send(response: ServerResponse, answer: Exclude<ReceiverAnswer, string>): void {
  if ('bytes' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(Buffer.alloc(answer.bytes, 'x'))
    return
  }
  const { status = 200, body = '', headers = {} } = answer
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The signature that a call must have, by the Standard Webhooks specification. */
export function expectedSignature({ headers, body }: ReceivedCall, secret: string): string {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
