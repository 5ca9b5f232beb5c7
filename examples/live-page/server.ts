/**
 * A page that shows the newest messages of a channel and follows it, such as for a screen on the wall.
 *
 *     PARLEY_URL=http://127.0.0.1:8080 PARLEY_EMAIL=bot@example.com PARLEY_KEY=… \
 *       PARLEY_CHANNEL=general PORT=9001 node live-page/server.ts
 *
 * Browsers refuse scripts of one site that act at another with somebody's credentials, and so does Parley. So this program
 * follows the channel with the key of a bot, and browsers get the messages from it by server-sent events. Everybody who
 * reaches the page reads the channel.
 */

import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { ParleyClient } from 'parley-client'

const {
  PARLEY_URL: url = 'http://127.0.0.1:8080',
  PARLEY_EMAIL: email = '',
  PARLEY_KEY: key = '',
  PARLEY_CHANNEL: channel = 'general',
  PORT: port = '9001',
} = process.env
const client = new ParleyClient({ url, email, key })
const SHOWN_MAX = 20
const narrow = [{ operator: 'channel', operand: channel }] as const

const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', readFileSync(join(import.meta.dirname, 'page.html'), 'utf8')],
  '/page.js': ['text/javascript', readFileSync(join(import.meta.dirname, 'page.js'), 'utf8')],
}
/** The server's HTML is safe; should it ever not be, no script of it runs. */
const HEADERS = { 'Content-Security-Policy': "default-src 'self'; style-src 'unsafe-inline'" }

const viewers = new Set<ServerResponse>()
let latest = '[]'

/** Sends the newest messages to all viewers, also after an edit or a deletion. */
async function refresh(): Promise<void> {
  const { messages } = await client.call('GET /messages', { narrow, anchor: 'newest', num_before: SHOWN_MAX })
  latest = JSON.stringify(
    messages.map((message) => ({
      id: message.id,
      sender: message.sender_full_name,
      topic: message.subject,
      seconds: message.timestamp,
      html: message.content,
    })),
  )
  for (const viewer of viewers) viewer.write(`data: ${latest}\n\n`)
}

const server = createServer((request, response) => {
  const found = FILES[request.url ?? '']
  if (found) return void response.writeHead(200, { 'Content-Type': found[0], ...HEADERS }).end(found[1])
  if (request.url !== '/messages') return void response.writeHead(404).end()
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.write(`data: ${latest}\n\n`)
  viewers.add(response)
  response.on('close', () => viewers.delete(response))
})
server.listen(Number(port), '127.0.0.1', () => console.log(`live page: ${JSON.stringify(server.address())}`))

const register = { event_types: ['message', 'update_message', 'delete_message'] }
for await (const _ of client.updates({ register })) await refresh()
