/**
 * A bot that answers mentions.
 *
 *     PARLEY_URL=http://127.0.0.1:8080 PARLEY_EMAIL=bot@example.com PARLEY_KEY=… node examples/echo-bot.ts
 */

import { ParleyClient } from 'parley-client'

const {
  PARLEY_URL: url = 'http://127.0.0.1:8080',
  PARLEY_EMAIL: email = '',
  PARLEY_KEY: key = '',
} = process.env
const client = new ParleyClient({ url, email, key })
const me = await client.call('GET /users/me')

for await (const update of client.updates({ register: { event_types: ['message'] } })) {
  if (update.kind === 'registered') console.log(`${me.full_name} listens at ${url}`)
  if (update.kind !== 'event' || update.event.type !== 'message') continue
  const { message, flags } = update.event
  if (message.sender_id === me.user_id || !flags.includes('mentioned')) continue
  await client.call('POST /messages', {
    type: 'stream',
    to: String(message.stream_id),
    topic: message.subject,
    content: `@_**${message.sender_full_name}|${message.sender_id}** said:\n${message.content}`,
  })
}
