/** W22: how fast the export of another product comes over, and the memory that it takes. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import { makeZip, type ZipFile } from '../../test/harness/files/write-zip.ts'
import { boundSize, noteSize } from '../measure/figure.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { createPeople } from '../start/create-people.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Another number for a longer run. */
const MESSAGES = Number(process.env['PARLEY_BENCH_IMPORT_MESSAGES'] ?? sized(100_000, 2_000))
const CHANNELS = 50
const USERS = 20
const MESSAGES_PER_DAY = 2_500
const FIRST_DAY = Date.parse('2022-01-01') / 1_000
const DAY_SECONDS = 86_400
const MEMORY_MIB_MAX = 256
const LOOK_MS = 50
const WORDS =
  'the quick release plan for friday needs another review before we can ship it to everyone in the morning'.split(
    ' ',
  )

export const imports: Work = {
  name: 'W22',
  title: `an import of ${MESSAGES} messages from Slack`,
  limit: `${MEMORY_MIB_MAX} MiB of memory`,
  async run({ createDatabase }) {
    const databaseUrl = await createDatabase()
    await createPeople(databaseUrl, 1)
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-import-'))
    try {
      const path = join(folder, 'slack.zip')
      writeFileSync(path, makeZip(makeExport()))
      const { seconds, peakMib } = await runImport(databaseUrl, path, folder)
      await checkImported(databaseUrl)
      return [
        noteSize('imported', Math.round(MESSAGES / seconds), 'messages/s', { seconds }),
        boundSize('peak memory', Math.round(peakMib), { unit: 'MiB', max: MEMORY_MIB_MAX }),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** A command of its own, as operators run it; its seconds are those that it reports. */
async function runImport(databaseUrl: string, path: string, folder: string) {
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(ROOT, 'server/admin/main.ts'), 'import', 'slack', path],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder },
    },
  )
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  let peakMib = 0
  const look = setInterval(() => {
    peakMib = Math.max(peakMib, readPeak(child.pid as number))
  }, LOOK_MS)
  const [code] = await once(child, 'close')
  clearInterval(look)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  const { seconds, messages } = JSON.parse(output) as { seconds: number; messages: number }
  if (messages !== MESSAGES) throw new Error(`${messages} of ${MESSAGES} messages were imported`)
  return { seconds: Math.max(seconds, 0.1), peakMib }
}

/** MiB that a process had at most; 0 once it has ended. Linux only, like all benchmarks of memory. */
function readPeak(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

async function checkImported(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1, 'parley-bench')
  try {
    const [row] = await sql<{ messages: number; wrong: number }[]>`
      select count(*) as messages, count(*) filter (where rendered not like '<p>%') as wrong from messages`
    if (row?.messages !== MESSAGES || row.wrong > 0) throw new Error(`the table has ${JSON.stringify(row)}`)
  } finally {
    await sql.end()
  }
}

/** Days of messages: a tenth mention somebody, a fifth have reactions, an eighth begin a thread. */
function* makeExport(): Generator<ZipFile> {
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
  for (let day = 0; made < MESSAGES; day++) {
    const date = new Date((FIRST_DAY + day * DAY_SECONDS) * 1_000).toISOString().slice(0, 10)
    for (let channel = 0; channel < CHANNELS && made < MESSAGES; channel++) {
      const count = Math.min(MESSAGES_PER_DAY / CHANNELS, MESSAGES - made)
      const messages = Array.from({ length: count }, (_, index) =>
        makeMessage(made + index, FIRST_DAY + day * DAY_SECONDS + index * 1_000),
      )
      made += count
      yield { name: `channel-${channel}/${date}.json`, content: JSON.stringify(messages) }
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
