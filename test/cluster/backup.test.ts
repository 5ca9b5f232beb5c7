/** A backup beside a server under load, restored elsewhere: a real server, client and worker continue from it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { ParleyClient, type Update } from '../../packages/client/src/index.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { getFile, mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runEntry } from '../start/run-entry.ts'
import { startWorkerProcess } from '../workers/start-worker-process.ts'
import { startWebProcess } from './start-web-process.ts'

const ADMIN = 'server/admin/main.ts'
const SCHEDULED = 5
const server = await startTestServer(t, { env: { RATE_LIMIT_USER_PER_MINUTE: '1000000' } })
const { sql } = server.node.services
const member = server.as('member')
await member.subscribe(['general'])
const folder = await makeFolder(t)
const path = join(folder, 'backup.tar.zst')
const restoredUrl = await createDatabase(t)
const restoredFolder = await makeFolder(t)
const restored = connect(restoredUrl, 2, 'test')
t.teardown(() => restored.end())

const there = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataFolder }
const here = { DATABASE_URL: restoredUrl, DATA_DIR: restoredFolder }

/** Rows of each kind that were stored before the load. */
const COUNTED = [
  'message_edits',
  'reactions',
  'message_marks',
  'scheduled_messages',
  'drafts',
  'users',
] as const
/** Sends and uploads until it is stopped; what was acknowledged is in its lists. */
class Load {
  readonly ids: number[] = []
  readonly files: { readonly url: string; readonly content: string }[] = []
  #isStopped = false
  readonly #running: Promise<unknown>

  constructor() {
    this.#running = Promise.all([0, 1, 2].map((one) => this.#run(one)))
  }

  async #run(one: number): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      if (turn % 3 === 0) {
        const content = `file ${one} ${turn}`.repeat(1 + turn)
        const url = await mustPostFile(member, content, `${turn}.txt`)
        this.files.push({ url, content })
        this.ids.push(await member.send('general', `load ${one}`, `[file](${url})`))
      } else this.ids.push(await member.send('general', `load ${one}`, `message ${turn}`))
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }
}

const first = await member.send('general', 'before', 'first')
await member.must('PATCH', `/messages/${first}`, { content: 'first, edited' })
await member.must('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
await member.must('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
await member.must('POST', '/drafts', { drafts: [{ type: 'private', to: [], topic: '', content: 'a draft' }] })
const dueAt = Math.floor(Date.now() / 1000) + 15 // All are accepted before it, also by a busy machine.
for (let index = 0; index < SCHEDULED; index++)
  await member.must('POST', '/scheduled_messages', {
    type: 'channel',
    to: server.node.services.state.channelIdsByName.get('general'),
    topic: 'later',
    content: `due ${index}`,
    scheduled_delivery_timestamp: dueAt,
  })

let target = server.node.url
const updates: Update[] = []
const following = new AbortController()
/** A client of the old server, whose address later leads to the restored one. */
const follower = new ParleyClient({
  url: server.node.url,
  email: emailOf('member'),
  key: ACCOUNTS.get('member')?.key ?? '',
  fetch: (input, init) => fetch((input as string).replace(server.node.url, target), init),
})
const followed = (async () => {
  const options = { transports: ['poll'] as const, signal: following.signal, retryMs: 20 }
  for await (const update of follower.updates({ ...options, register: { event_types: ['message'] } }))
    updates.push(update)
})()
t.teardown(async () => {
  following.abort()
  await followed
})
const registrations = () => updates.filter(({ kind }) => kind === 'registered').length
const hears = (id: number) =>
  updates.some((one) => one.kind === 'event' && one.event.type === 'message' && one.event.message.id === id)

let made: Record<string, number> = {}
let load: Load
let acknowledgedFiles: Load['files'] = []

await t.test('[BACKUP1] a backup under load holds what was acknowledged before it', async (t) => {
  load = new Load()
  await pollUntil('some is stored', () => load.ids.length > 20)
  const acknowledged = [...load.ids]
  acknowledgedFiles = [...load.files]
  const ending = await runEntry(t, ADMIN, there, ['backup', path])
  // A slow machine shows the progress.
  t.match(ending, { code: 0, stderr: /^(backup: .*\n)*$/ })
  made = JSON.parse(ending.stdout)
  const lastId = made.last_event_id as number
  t.ok(acknowledged.every((id) => id <= lastId))
  // A busy machine may have made the backup between two of its sends.
  await pollUntil('the server went on', () => load.ids.some((id) => id > lastId))
  await load.stop()
  t.equal(made.missing_files, 0)
  t.ok((made.files as number) >= acknowledgedFiles.length)
  const { mode, size } = await stat(path)
  t.equal(mode & 0o777, 0o600, 'only its owner can read it')
  t.equal(size, made.bytes)
  t.match(await runEntry(t, ADMIN, there, ['backup', path]), {
    code: 1,
    stderr: `parley: ${path} already exists\n`,
  })
})

await t.test('[BACKUP2] a restored server has all messages, marks and files of that moment', async (t) => {
  const ending = await runEntry(t, ADMIN, here, ['restore', path])
  // A slow machine shows the progress.
  t.match(ending, { code: 0, stderr: /^(restore: .*\n)*$/ })
  t.match(JSON.parse(ending.stdout), { rows: made.rows, files: made.files, missing_files: 0, migrated: [] })
  const lastId = made.last_event_id as number
  const messages = (one: typeof sql) => one`
    select id, topic, content, rendered, sender_id, sent_at from messages where id <= ${lastId} order by id`
  t.strictSame([...(await messages(restored))], [...(await messages(sql))])
  for (const table of COUNTED) {
    const count = (one: typeof sql) => one`select count(*)::int as count from ${one(table)}`
    t.strictSame([...(await count(restored))], [...(await count(sql))], table)
  }
  const epoch = async (one: typeof sql) => (await one`select epoch from event_counter`)[0]?.epoch
  t.not(await epoch(restored), await epoch(sql))
})

await t.test('[BACKUP3] clients of the earlier server register again at the restored one', async (t) => {
  await pollUntil(
    'it follows the earlier server',
    () => registrations() === 1 && hears(load.ids.at(-1) as number),
  )
  const queue = await member.register({ event_types: ['message'] })
  const web = await startWebProcess(t, here)
  const { key = '' } = ACCOUNTS.get('member') ?? {}
  const client = new Client(web.url, member.userId, member.email, key)
  const poll = { queue_id: queue.queueId, last_event_id: queue.lastEventId, dont_block: true }
  t.match(await client.get('/events', poll), { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
  target = web.url
  await member.send('general', 'load 0', 'ends the held poll at the earlier server')
  await pollUntil('it has registered again', () => registrations() === 2)
  const id = await client.send('general', 'after', 'at the restored server')
  await pollUntil('it hears of new messages', () => hears(id))

  for (const { url, content } of acknowledgedFiles) {
    const file = await getFile(client, url)
    t.equal(file.bytes.toString(), content)
  }
  const url = await mustPostFile(client, 'a new file', 'new.txt')
  t.ok(url, 'ids of uploads go on')

  startWorkerProcess(t, here)
  const sent = async () => {
    const rows = await restored<
      { content: string }[]
    >`select content from messages where topic = 'later' order by id`
    return rows.map(({ content }) => content)
  }
  const isDelivered = async () =>
    (await restored`select from scheduled_messages where sent_id is null`).count === 0
  await pollUntil('all scheduled messages are sent', isDelivered)
  const { stdout, code } = await runEntry(t, ADMIN, here, ['check'])
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { ok: true, processes: 1, is_log_complete: true, differences: [] })
  t.same(
    (await sent()).sort(),
    Array.from({ length: SCHEDULED }, (_, index) => `due ${index}`),
  )
  await web.stop()
})

await t.test('[BACKUP4] a backup goes through a pipe', async (t) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../', ADMIN), 'backup', '-'], {
    env: { PATH: process.env.PATH, ...moduleSettings(), ...there },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [bytes, summary, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'exit'),
  ])
  t.equal(code, 0)
  // A slow machine shows the progress before it.
  const last = summary.toString().trimEnd().split('\n').at(-1) ?? ''
  t.match(JSON.parse(last), { file: '-', bytes: bytes.length })
  const piped = join(folder, 'piped.tar.zst')
  await writeFile(piped, bytes)
  const ending = await runEntry(t, ADMIN, here, ['restore', piped])
  t.match(ending, { code: 1, stdout: '', stderr: /the database is (not empty|in use by)/ })
  t.equal((await readFile(piped)).length, bytes.length)
})
