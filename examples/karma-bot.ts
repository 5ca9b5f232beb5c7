/**
 * A bot with a memory: `@**Ada Lovelace** ++` gives a person a point. The server stores the points (bot storage), so the
 * bot needs no database and may restart at any time.
 *
 *     PARLEY_URL=http://127.0.0.1:8080 PARLEY_EMAIL=bot@example.com PARLEY_KEY=… node karma-bot.ts
 */

import { ParleyClient } from 'parley-client'

const {
  PARLEY_URL: url = 'http://127.0.0.1:8080',
  PARLEY_EMAIL: email = '',
  PARLEY_KEY: key = '',
} = process.env
const client = new ParleyClient({ url, email, key })
const me = await client.call('GET /users/me')

/** A mention, as `@**Name**` or `@**Name|9**`, followed by two plus signs. */
const POINT = /@\*\*([^*|]+)(?:\|\d+)?\*\*\s*\+\+/g

/** Adds a point for a name, and returns the sum. */
async function addPoint(name: string): Promise<number> {
  const { storage } = await client.call('GET /bot_storage')
  const points = Number(storage[name] ?? 0) + 1
  await client.call('PUT /bot_storage', { storage: { [name]: String(points) } })
  return points
}

for await (const update of client.updates({ register: { event_types: ['message'] } })) {
  if (update.kind === 'registered') console.log(`${me.full_name} listens at ${url}`)
  if (update.kind !== 'event' || update.event.type !== 'message') continue
  const { message } = update.event
  if (message.type !== 'stream' || message.sender_id === me.user_id) continue
  for (const [, name = ''] of message.content.matchAll(POINT)) {
    // People must not thank themselves.
    if (name === message.sender_full_name) continue
    await client.call('POST /messages', {
      type: 'stream',
      to: String(message.stream_id),
      topic: message.subject,
      content: `${name} has ${await addPoint(name)}.`,
      // A bot that is stopped between the message and its reply does not send twice.
      queue_id: 'karma',
      local_id: `${message.id} ${name}`.slice(0, 100),
    })
  }
}
