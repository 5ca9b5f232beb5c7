/** An export of Slack in the shape of a real one, of any size. */

import { writeFileSync } from 'node:fs'
import { makeZip, type ZipFile } from '../../test/harness/files/write-zip.ts'

const CHANNELS = 50
const USERS = 20
/** Messages of a channel on one day, each of which has a file; with 1 the archive has as many files as messages. */
const MESSAGES_PER_FILE = Number(process.env['PARLEY_BENCH_IMPORT_PER_FILE'] ?? 50)
const FIRST_DAY = Date.parse('2022-01-01') / 1_000
const DAY_SECONDS = 86_400
const WORDS =
  'the quick release plan for friday needs another review before we can ship it to everyone in the morning'.split(
    ' ',
  )

/** Writes the zip. */
export function writeSlackExport(path: string, messages: number): void {
  writeFileSync(path, makeZip(makeExport(messages)))
}

/** Days of messages: a tenth mention somebody, a fifth have reactions, an eighth begin a thread. */
function* makeExport(messages: number): Generator<ZipFile> {
  const users = Array.from({ length: USERS }, (_, index) => ({
    id: `U${index}`,
    name: `user${index}`,
    profile: { real_name: `Person ${index}`, email: `person${index}@example.org` },
  }))
  const members = users.map(({ id }) => id)
  const channels = Array.from({ length: CHANNELS }, (_, index) => ({
    id: `C${index}`,
    name: `channel-${index}`,
    members,
  }))
  yield { name: 'users.json', content: JSON.stringify(users) }
  yield { name: 'channels.json', content: JSON.stringify(channels) }
  let made = 0
  for (let day = 0; made < messages; day++) {
    const date = new Date((FIRST_DAY + day * DAY_SECONDS) * 1_000).toISOString().slice(0, 10)
    for (let channel = 0; channel < CHANNELS && made < messages; channel++) {
      const count = Math.min(MESSAGES_PER_FILE, messages - made)
      const written = Array.from({ length: count }, (_, index) =>
        makeMessage(made + index, FIRST_DAY + day * DAY_SECONDS + index * 1_000),
      )
      made += count
      yield { name: `channel-${channel}/${date}.json`, content: JSON.stringify(written) }
    }
  }
}

function makeMessage(index: number, second: number): object {
  const ts = `${second}.${String(index % 1_000_000).padStart(6, '0')}`
  const plain = Array.from(
    { length: 5 + (index % 25) },
    (_, at) => WORDS[(index * 7 + at * 3) % WORDS.length],
  ).join(' ')
  const text =
    index % 10 === 0 ? `<@U${index % USERS}> ${plain}` : index % 10 === 1 ? `*${plain}* and \`code\`` : plain
  return {
    type: 'message',
    user: `U${index % USERS}`,
    ts,
    text,
    ...(index % 5 === 0 ? { reactions: [{ name: '+1', users: ['U1', 'U2'] }] } : {}),
    ...(index % 8 === 2 ? { thread_ts: ts, reply_count: 1 } : {}),
  }
}
