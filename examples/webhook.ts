/**
 * Receives the webhooks of a forge (GitHub, Gitea, Forgejo) and posts a line for each push to a channel.
 *
 *     PARLEY_URL=http://127.0.0.1:8080 PARLEY_EMAIL=forge-bot@example.com PARLEY_KEY=… \
 *       WEBHOOK_SECRET=… PARLEY_CHANNEL=engineering PORT=9000 node webhook.ts
 *
 * Use a bot of the type "incoming webhook": its key can send messages and nothing else.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { ApiError, ParleyClient } from 'parley-client'

const {
  PARLEY_URL: url = 'http://127.0.0.1:8080',
  PARLEY_EMAIL: email = '',
  PARLEY_KEY: key = '',
  PARLEY_CHANNEL: channel = 'general',
  WEBHOOK_SECRET: secret = '',
  PORT: port = '9000',
} = process.env
if (secret === '') throw new Error('WEBHOOK_SECRET must be set: without it anybody could post')
const client = new ParleyClient({ url, email, key })
const BODY_BYTES_MAX = 5_000_000

/** The parts of a push that are used here. */
interface Push {
  readonly ref: string
  readonly compare: string
  readonly repository: { readonly full_name: string }
  readonly pusher: { readonly name: string }
  readonly commits: readonly { readonly message: string; readonly url: string }[]
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function isSigned(body: Buffer, signature: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function describe({ ref, compare, pusher, commits }: Push): string {
  const lines = commits.map(({ message, url }) => `* ${message.split('\n', 1)[0]} ([commit](${url}))`)
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`
  return `${pusher.name} pushed [${count}](${compare}) to \`${ref.replace('refs/heads/', '')}\`\n${lines.join('\n')}`
}

const headerOf = ({ headers }: IncomingMessage, name: string) => String(headers[name] ?? '')

/** The status of the answer. */
async function receive(request: IncomingMessage): Promise<number> {
  const body = await readBody(request)
  if (!isSigned(body, headerOf(request, 'x-hub-signature-256'))) return 403
  if (headerOf(request, 'x-github-event') !== 'push') return 204
  const push = JSON.parse(body.toString()) as Push
  await client.call('POST /messages', {
    type: 'stream',
    to: channel,
    topic: push.repository.full_name,
    content: describe(push),
    // The forge repeats a delivery that got no answer; it is posted once all the same.
    queue_id: 'webhook',
    local_id: headerOf(request, 'x-github-delivery').slice(0, 100),
  })
  return 204
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch((error: unknown) => {
    console.error(error)
    // 503 makes the forge try again.
    return error instanceof ApiError && error.retryAfterSeconds === undefined ? 400 : 503
  })
  response.writeHead(status).end()
})
server.listen(Number(port), '127.0.0.1', () => console.log(`webhooks: ${JSON.stringify(server.address())}`))
