/** A database restored from a backup under a running process: nobody continues as if nothing was lost. */

import { Agent } from 'node:http'
import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { adminDatabaseUrl } from '../harness/servers/environment.ts'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startEntry } from '../start/run-entry.ts'
import { Listener, type ListenerKind } from './listener.ts'
import { startWebProcess } from './start-web-process.ts'

const KINDS: readonly ListenerKind[] = ['poll', 'socket', 'source']
const LOST = 5
const databaseUrl = await createDatabase(t, 'people')
const database = new URL(databaseUrl).pathname.slice(1)
const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
t.teardown(() => admin.end())
const proxy = await openDatabaseProxy(t, databaseUrl)
const port = await findFreePort()
const settings = { PORT: String(port), DATABASE_CONNECTIONS: '4', DATA_DIR: await makeFolder(t) }
// Through the launcher, as operators run it: it restarts a process that ends.
const web = startEntry(t, 'server/main.ts', { ...settings, DATABASE_URL: proxy.url })
const url = `http://127.0.0.1:${port}`
const agent = new Agent({ keepAlive: true })
t.teardown(() => agent.destroy())

const as = (person: Person, at = url) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(at, id, emailOf(person), key)
}
const member = as('member')
const isReady = () =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )
const starts = () => web.stdout().split('web process is ready').length - 1
await pollUntil('the process is ready', isReady)
await member.subscribe(['general'])

/** Listens to queues of one client over each transport. */
async function listen(t: Test): Promise<Listener[]> {
  const listeners: Listener[] = []
  for (const kind of KINDS) {
    const queue = await member.register({ event_types: ['message'], fetch_event_types: [] })
    const { authorization } = member
    listeners.push(new Listener({ kind, urls: [url], authorization, ...queue, agent }))
  }
  t.teardown(() => Promise.all(listeners.map((listener) => listener.stop())))
  return listeners
}

async function isHeard(listeners: readonly Listener[], id: number): Promise<void> {
  await pollUntil('all have received it', () => listeners.every(({ ids }) => ids.at(-1) === id))
}

/** Closes the database to everyone while it does some work. */
async function whileClosed(work: () => Promise<unknown>): Promise<void> {
  await admin.unsafe(`alter database ${database} with allow_connections false`)
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`
  await pollUntil('all are gone', async () => {
    const left = await admin`select from pg_stat_activity where datname = ${database}`
    return left.count === 0
  })
  await work()
  await admin.unsafe(`alter database ${database} with allow_connections true`)
}

const backUp = () =>
  whileClosed(() => admin.unsafe(`create database ${database}_backup template ${database}`))

async function restore(): Promise<void> {
  await admin.unsafe(`alter database ${database} with allow_connections false`)
  await admin.unsafe(`drop database ${database} with (force)`)
  await admin.unsafe(`alter database ${database}_backup rename to ${database}`)
}

/** Makes a backup look like the same place, as if the files of the whole server were restored. */
async function forgetHome(): Promise<void> {
  const backup = connect(Object.assign(new URL(databaseUrl), { pathname: `/${database}_backup` }).href, 1)
  await backup`update event_counter set home = null`
  await backup.end()
}

/** Sends messages that the backup lacks. */
async function sendLost(): Promise<number> {
  await pollUntil('it serves again', isReady)
  let id = 0
  for (let count = 0; count < LOST; count++) id = await member.send('general', 'topic', `lost ${count}`)
  return id
}

/** Each listener must learn that its queue is gone, and get events with a new one. */
async function expectExpiredAndBack(t: Test, listeners: readonly Listener[], lostId: number): Promise<void> {
  await pollUntil('all queues have expired', () => listeners.every(({ surprises }) => surprises.length > 0))
  for (const { kind, surprises, ids } of listeners) {
    const surprise = kind === 'poll' ? /BAD_EVENT_QUEUE_ID/ : kind === 'socket' ? /^closed: 4002/ : /400|4002/
    t.match(surprises[0], surprise, kind)
    t.equal(ids.at(-1), lostId, 'it got nothing of another history')
  }
  await Promise.all(listeners.map((listener) => listener.stop()))
  await pollUntil('it serves again', isReady)
  const again = await listen(t)
  await isHeard(again, await member.send('general', 'topic', 'after it'))
}

await t.test(
  '[EPOCH1] after a restore a process starts a new epoch, and earlier clients register again',
  async (t) => {
    await backUp()
    await forgetHome()
    await pollUntil('it serves again', isReady)
    const listeners = await listen(t)
    const lostId = await sendLost()
    await isHeard(listeners, lostId)
    const before = starts()
    await restore()
    await pollUntil('the process has restarted', () => starts() > before)
    t.match(web.stdout(), /"reason":"its log ends at \d+, and \d+ was applied here"/)
    await expectExpiredAndBack(t, listeners, lostId)
  },
)

await t.test(
  '[EPOCH2] the epoch also changes for a process that returns after the log has grown past the loss',
  async (t) => {
    const listeners = await listen(t)
    await isHeard(listeners, await member.send('general', 'topic', 'kept'))
    await backUp()
    await forgetHome()
    const lostId = await sendLost()
    await isHeard(listeners, lostId)
    const before = starts()
    proxy.become('refusing')
    await restore()
    // Another process appends to the log.
    const other = await startWebProcess(t, { ...settings, PORT: '0', DATABASE_URL: databaseUrl })
    for (let id = 0; id <= lostId + LOST; ) id = await as('member', other.url).send('general', 'topic', 'new')
    await other.stop()
    proxy.become('open')
    await pollUntil('the process has restarted', () => starts() > before)
    t.match(web.stdout(), /"reason":"its (event \d+ is another|last events are others)/)
    await expectExpiredAndBack(t, listeners, lostId)
  },
)

await t.test(
  '[EPOCH3] a process that never read the lost events detects a database restored elsewhere',
  async (t) => {
    const queue = await member.register({ event_types: ['message'], fetch_event_types: [] })
    await backUp()
    const lostId = await sendLost()
    web.process.kill('SIGTERM')
    await web.ended
    await restore()
    const other = await startWebProcess(t, { ...settings, PORT: '0', DATABASE_URL: databaseUrl })
    const client = as('member', other.url)
    for (let id = 0; id <= lostId; ) id = await client.send('general', 'topic', 'new')
    const poll = { queue_id: queue.queueId, last_event_id: lostId, dont_block: true }
    t.match(await client.get('/events', poll), { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
    await other.stop()
  },
)
