/**
 * Brings a history from elsewhere into channels: a file with one JSON object a line, the oldest first.
 *
 *     {"channel":"design","topic":"logo","sender":"Ada","time":"2024-05-01T10:00:00Z","text":"Which blue?"}
 *
 *     PARLEY_URL=http://127.0.0.1:8080 PARLEY_EMAIL=import-bot@example.com PARLEY_KEY=… node import-history.ts FILE
 *
 * Messages of the API have their sender and the time at which they are sent, so each imported message begins with the
 * original ones. Stop it and run it again as you like (within a week): each line is sent once.
 */

import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, ConnectionError, ParleyClient } from 'parley-client'

const {
  PARLEY_URL: url = 'http://127.0.0.1:8080',
  PARLEY_EMAIL: email = '',
  PARLEY_KEY: key = '',
} = process.env
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: import-history.ts FILE')
const client = new ParleyClient({ url, email, key })
/** Characters of a message that the server accepts. */
const LENGTH_MAX = 10_000

interface Line {
  readonly channel: string
  readonly topic: string
  readonly sender: string
  readonly time: string
  readonly text: string
}

/** Repeats a call while the server is busy, restarting or asks for patience. */
async function patiently<Reply>(call: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfterSeconds : 1
      if (seconds === undefined || !(error instanceof ApiError || error instanceof ConnectionError))
        throw error
      await sleep(seconds * 1_000)
    }
  }
}

// The server sends nothing twice that has the same two marks: those of the file, and of the line.
const mark = createHash('sha256').update(readFileSync(file)).digest('hex')
const channels = new Set<string>()
let number = 0
for await (const text of createInterface({ input: createReadStream(file) })) {
  number++
  if (text.trim() === '') continue
  const line = JSON.parse(text) as Line
  if (!channels.has(line.channel)) {
    // Makes the channel where it is missing.
    await patiently(() =>
      client.call('POST /users/me/subscriptions', { subscriptions: [{ name: line.channel }] }),
    )
    channels.add(line.channel)
  }
  await patiently(() =>
    client.call('POST /messages', {
      type: 'stream',
      to: line.channel,
      topic: line.topic,
      content: `**${line.sender}**, <time:${line.time}>:\n${line.text}`.slice(0, LENGTH_MAX),
      queue_id: mark,
      local_id: String(number),
    }),
  )
}
console.log(`imported ${number} lines into ${channels.size} channels`)
