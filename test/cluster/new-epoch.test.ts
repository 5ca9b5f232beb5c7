/** A process goes on with another node when the log begins a new epoch, as after each change of the primary. */

import { Agent } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { Client } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { holdTable } from '../harness/databases/hold-table.ts'
import { moduleSettings, redisUrl } from '../harness/servers/environment.ts'
import { findFreePort, listenLocally } from '../harness/servers/listen-locally.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { Listener, type ListenerKind } from './listener.ts'
import { type LoggedProcess, startLoggedProcess } from './start-logged-process.ts'

const KINDS: readonly ListenerKind[] = ['poll', 'socket', 'source']
const EPOCHS = 3
const NEW_EPOCH = 'the database is not as this process knows it: a new epoch begins'
const STARTS_ANEW = 'the database is not as this process knows it: it starts anew'
const STATE_COUNTER = pathToFileURL(join(import.meta.dirname, 'count-states.mjs')).href

interface Setting {
  readonly sql: Sql
  readonly web: LoggedProcess
  readonly url: string
  readonly as: (person: Person) => Client
  /** How often a node has become ready. */
  readonly readyCount: () => number
  readonly has: (msg: string) => boolean
  /** When the program was started; another start under the same process id has another time. */
  readonly startedAt: () => Promise<number | undefined>
}

/** A web process on a database of its own. */
async function start(t: Test, settings: Readonly<Record<string, string>>, given?: string): Promise<Setting> {
  const databaseUrl = given ?? (await createDatabase(t, 'people'))
  const sql = connect(databaseUrl, 2, 'parley-test')
  t.teardown(() => sql.end())
  // A fixed port, as of a server that people find again.
  const port = String(await findFreePort())
  const env = {
    PORT: port,
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: '4',
    DATA_DIR: await makeFolder(t),
  }
  const web = await startLoggedProcess(t, 'server/main.ts', {
    ...env,
    NODE_OPTIONS: `${moduleSettings().NODE_OPTIONS} --import=${STATE_COUNTER}`,
    ...settings,
  })
  const url = web.ready.url as string
  const named = (msg: string) => web.lines.filter((line) => line.msg === msg)
  return {
    sql,
    web,
    url,
    as(person) {
      const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
      return new Client(url, id, emailOf(person), key)
    },
    readyCount: () => named('web process is ready').length,
    has: (msg) => named(msg).length > 0,
    startedAt: async () => (await scrape(url)).find('process_start_time_seconds'),
  }
}

/** Begins a new epoch, as another process does that has found the log of another history. */
const beginEpoch = (sql: Sql) => sql`
  with ended as (delete from event_queues) update event_counter set epoch = gen_random_uuid()`

/** The connections of the process, as `name 4711`. */
async function listConnections(sql: Sql): Promise<string[]> {
  const rows = await sql<{ connection: string }[]>`
    select application_name || ' ' || pid as connection from pg_stat_activity
    where datname = current_database() and application_name <> 'parley-test' order by 1`
  return rows.map(({ connection }) => connection)
}

async function countStates({ lines, signal }: LoggedProcess): Promise<unknown> {
  const answers = () => lines.filter(({ msg }) => msg === 'states')
  const before = answers().length
  signal('SIGUSR2')
  return pollUntil('it has counted', () => answers()[before]?.count)
}

/** Goes through some epochs, with each kind of client. */
async function goThroughEpochs(t: Test, settings: Readonly<Record<string, string>>): Promise<void> {
  const { sql, web, url, as, readyCount, startedAt } = await start(t, settings)
  const member = as('member')
  await member.subscribe(['general'])
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const startedAtFirst = await startedAt()
  t.ok(startedAtFirst)
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const register = () => member.register({ event_types: ['message'], fetch_event_types: [] })
    const listeners: Listener[] = []
    for (const kind of KINDS) {
      const { authorization } = member
      listeners.push(new Listener({ kind, urls: [url], authorization, ...(await register()), agent }))
    }
    const idle = await register()
    const id = await member.send('general', 'topic', `in epoch ${epoch}`)
    await pollUntil('all hear it', () => listeners.every(({ ids }) => ids.at(-1) === id))
    const release = await holdTable(sql, 'uploads')
    const asked = member.get('/attachments')
    await pollUntil('the request waits', async () => {
      const waiting = await sql`select from pg_locks where not granted and relation = 'uploads'::regclass`
      return waiting.count > 0
    })
    const connected = await listConnections(sql)
    t.ok(connected.length > 3, connected.join())
    await beginEpoch(sql)
    const answer = await asked
    t.match(answer, { status: 503, body: { result: 'error', code: 'SERVICE_UNAVAILABLE' } })
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
    await release()
    await pollUntil('it serves the next epoch', () => readyCount() === epoch + 1)
    t.equal(web.lines.findLast(({ msg }) => msg === 'web process is ready')?.url, url, 'at the same address')
    await pollUntil('all queues are gone', () => listeners.every(({ surprises }) => surprises.length > 0))
    for (const { kind, surprises, ids } of listeners) {
      const surprise =
        kind === 'poll' ? /BAD_EVENT_QUEUE_ID/ : kind === 'socket' ? /^closed: 4002/ : /400|4002/
      t.match(surprises[0], surprise, kind)
      t.equal(ids.at(-1), id)
    }
    await Promise.all(listeners.map((listener) => listener.stop()))
    const poll = { queue_id: idle.queueId, last_event_id: id, dont_block: true }
    t.match(await member.get('/events', poll), { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
    t.equal(await countStates(web), 1, 'nothing holds the earlier state')
    let left: readonly string[] = connected
    await pollUntil(
      () => `the connections of the earlier node end: ${left.join()}`,
      async () => {
        const now = await listConnections(sql)
        left = connected.filter((one) => now.includes(one))
        return left.length === 0
      },
    )
  }
  t.equal(await startedAt(), startedAtFirst, 'the program was not started anew')
}

for (const transport of ['uws', 'node'])
  await t.test(
    `[EPOCH6] a new epoch ends all that belongs to the earlier one, and its process goes on: by ${transport}`,
    (t) => goThroughEpochs(t, { TRANSPORT: transport, REDIS_URL: redisUrl() }),
  )

await t.test(
  '[EPOCH7] a process whose database fails again amid a change goes on once it is back',
  async (t) => {
    const databaseUrl = await createDatabase(t, 'people')
    const proxy = await openDatabaseProxy(t, databaseUrl)
    const { sql, has, readyCount, startedAt, as } = await start(t, { DATABASE_URL: proxy.url }, databaseUrl)
    const startedAtFirst = await startedAt()
    const release = await holdTable(sql, 'users')
    await beginEpoch(sql)
    await pollUntil('the next node loads its state', async () => {
      const waiting = await sql`select from pg_locks where not granted and relation = 'users'::regclass`
      return has(NEW_EPOCH) && waiting.count > 0
    })
    proxy.become('refusing')
    await pollUntil('its start fails', () => has('the database is unavailable'))
    await beginEpoch(sql)
    await release()
    t.equal(readyCount(), 1)
    proxy.become('open')
    await pollUntil('it is ready', () => readyCount() === 2)
    t.equal(await startedAt(), startedAtFirst)
    await as('member').subscribe(['general'])
  },
)

await t.test('[EPOCH8] a process that is stopped amid a change starts no further node', async (t) => {
  const { sql, web, has } = await start(t, {})
  const release = await holdTable(sql, 'users')
  await beginEpoch(sql)
  await pollUntil('the next node loads its state', async () => {
    const waiting = await sql`select from pg_locks where not granted and relation = 'users'::regclass`
    return has(NEW_EPOCH) && waiting.count > 0
  })
  web.signal('SIGTERM')
  await pollUntil('it stops', () => has('web process stops'))
  await release()
  t.equal(await web.ended, 0)
})

await t.test('[EPOCH9] a process that cannot close its node starts the program anew', async (t) => {
  const sockets = new Set<Socket>()
  // A receiver of traces that never answers.
  const receiver = await listenLocally(
    t,
    createServer((socket) => sockets.add(socket.on('error', () => {}).resume())),
  )
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const { sql, as, has, readyCount, startedAt } = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver })
  const startedAtFirst = await startedAt()
  await as('member').subscribe(['general'])
  await beginEpoch(sql)
  await pollUntil('it starts anew', () => has(STARTS_ANEW))
  await pollUntil('it is ready', () => readyCount() === 2)
  t.not(await startedAt(), startedAtFirst)
  await as('member').send('general', 'topic', 'after it')
})

await t.test(
  '[EPOCH10] a process that cannot start another node starts the program anew, which says why it cannot',
  async (t) => {
    const { sql, web, has } = await start(t, {})
    await sql`insert into migrations (name) values ('9999-of-a-later-release.sql')`
    await beginEpoch(sql)
    t.equal(await web.ended, 1)
    t.ok(has(STARTS_ANEW))
  },
)
