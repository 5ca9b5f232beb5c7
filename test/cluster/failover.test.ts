/** A primary and its standby, as `DATABASE_URL` names both: connections follow the one that takes changes. */

import { Agent } from 'node:http'
import t, { type Test } from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { isUnavailable } from '../../db/connection/unavailable.ts'
import { migrate } from '../../db/migrate.ts'
import { openJobPool } from '../../workers/queues/job-pool.ts'
import { Client } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { startPair } from '../harness/databases/start-pair.ts'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { ACCOUNTS, createPeople, emailOf, type Person } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startEntry } from '../start/run-entry.ts'
import { Listener } from './listener.ts'

const pair = await startPair(t)
const { primary, standby } = pair
// The primary hangs later, like a machine that is cut off.
const proxy = await openDatabaseProxy(t, primary.url)
const { port } = new URL(proxy.url)
const hosts = [`${encodeURIComponent(standby.host)}:5432`, `127.0.0.1:${port}`]
const url = `postgres://parley@${hosts.join()}/parley`

function open(t: Test, address: string, connectionsMax = 1): Sql {
  const sql = connect(address, connectionsMax, 'parley-test')
  t.teardown(() => sql.end({ timeout: 1 }))
  return sql
}

/** The folder of the socket of the server that answers. */
const WHERE = "select current_setting('unix_socket_directories') as host"
const hostOf = async (sql: Sql) => (await sql.unsafe(WHERE))[0]?.host as string

await t.test('[PRIM1] each connection leads to the primary, in whichever order the hosts are', async (t) => {
  for (const address of [url, `postgres://parley@${hosts.toReversed().join()}/parley`]) {
    const sql = open(t, address, 4)
    const found = await Promise.all(Array.from({ length: 8 }, () => hostOf(sql)))
    t.same(new Set(found), new Set([primary.host]))
    await sql.unsafe('create table if not exists tried ()')
  }
  const jobs = await openJobPool(url, 'public')
  t.teardown(() => jobs.end())
  t.same((await jobs.query(WHERE)).rows, [{ host: primary.host }])
})

await t.test(
  '[PRIM2] without a primary each statement fails as unavailable, and none waits for ever',
  async (t) => {
    const alone = `${standby.url}&target_session_attrs=primary`
    const sql = open(t, alone)
    for (let count = 0; count < 3; count++) {
      const error = await sql`select 1`.catch((reason: unknown) => reason)
      t.match(error, { code: 'NO_PRIMARY' })
      t.ok(isUnavailable(error))
    }
    const jobs = await openJobPool(alone, 'public')
    t.teardown(() => jobs.end())
    for (let count = 0; count < 2; count++) await t.rejects(jobs.query('select 1'), { code: 'NO_PRIMARY' })
    const absent = open(t, 'postgres://parley@%2Fabsent,%2Fgone/parley')
    await t.rejects(absent`select 1`, { code: 'ENOENT' })
    const stranger = open(t, url.replace('parley@', 'stranger@'))
    await t.rejects(stranger`select 1`, { code: '28000' }, 'the words of the server that answers')
  },
)

const sql = connect(url, 2, 'parley-test')
t.teardown(() => sql.end({ timeout: 1 }))
await migrate(sql)
await createPeople(url)

await t.test(
  '[PRIM3] when another server becomes the primary while the earlier one hangs, people write on, and nothing acknowledged is lost',
  async (t) => {
    const webPort = await findFreePort()
    const env = {
      PORT: String(webPort),
      DATABASE_CONNECTIONS: '4',
      DRAIN_SECONDS: '0',
      DATA_DIR: await makeFolder(t),
    }
    const settings = { ...env, DATABASE_URL: url, RATE_LIMIT_USER_PER_MINUTE: '1000000' }
    const entry = startEntry(t, 'server/main.ts', settings)
    const starts = () => [...entry.stdout().matchAll(/"version":"[^"]+","url":/g)].length
    const web = `http://127.0.0.1:${webPort}`
    const as = (person: Person) => {
      const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
      return new Client(web, id, emailOf(person), key)
    }
    const isReady = () =>
      fetch(`${web}/health/ready`).then(
        ({ status }) => status === 200,
        () => false,
      )
    await pollUntil('the process is ready', isReady)
    await pollUntil('it has said so', () => starts() === 1) // Its line may be read after the answer.
    const startedAt = async () => (await scrape(web)).find('process_start_time_seconds')
    const startedAtFirst = await startedAt()
    t.ok(startedAtFirst)
    const epochOf = async () => (await sql`select epoch::text from event_counter`)[0]?.epoch as string
    const epoch = await epochOf()
    await as('member').subscribe(['general'])
    const earlier = await as('member').register({ event_types: ['message'], fetch_event_types: [] })
    const acknowledged: string[] = []
    let isOver = false
    let count = 0
    const write = async () => {
      while (!isOver) {
        const content = `message ${count++}`
        const isSent = await as('member')
          .send('general', 'topic', content)
          .then(
            () => true,
            () => false,
          )
        if (isSent) acknowledged.push(content)
      }
    }
    const writers = [write(), write()]
    const isWritten = (least: number) =>
      pollUntil(
        'people write',
        () => acknowledged.length >= least,
        () => acknowledged.length,
      )
    await isWritten(20)

    const listening = open(t, url)
    const heard: string[] = []
    let listenings = 0
    await listening.listen(
      'news',
      (text) => heard.push(text),
      () => listenings++,
    )
    const jobs = await openJobPool(url, 'public')
    t.teardown(() => jobs.end())
    jobs.on('error', () => {}) // Its idle connections are closed.
    await jobs.query('select 1')
    proxy.become('hanging')
    const held = [sql`select 1`, jobs.query('select 1')].map((one) =>
      one.then(
        () => 'answered',
        () => 'failed',
      ),
    )
    await standby.promote()
    t.same(await Promise.all(held), ['failed', 'failed'], 'statements on the hanging server end')
    t.equal(await hostOf(sql), standby.host)
    t.same((await jobs.query(WHERE)).rows, [{ host: standby.host }])
    await pollUntil('it listens at the new primary', () => listenings === 2)
    await sql`select pg_notify('news', 'moved')`
    await pollUntil('the news are heard', () => heard.length > 0)
    await isWritten(acknowledged.length + 20)
    isOver = true
    await Promise.all(writers)
    const rows = await sql<{ content: string }[]>`select content from messages`
    const stored = rows.map(({ content }) => content)
    t.same(
      acknowledged.filter((content) => stored.filter((one) => one === content).length !== 1),
      [],
      'each acknowledged message is there once',
    )

    // The earlier primary is there again, and believes that it still is one.
    proxy.become('open')
    const late = open(t, url, 3)
    const found = await Promise.all([1, 2, 3].map(() => hostOf(late)))
    t.same(new Set(found), new Set([standby.host]), 'it is on an earlier timeline')
    // The process loads the state anew once it sees another history: until then it may end any request.
    await pollUntil('the process goes on with another state', () => starts() === 2)
    t.equal(await startedAt(), startedAtFirst, 'the program itself was not started anew')
    t.not(await epochOf(), epoch)
    const poll = { queue_id: earlier.queueId, last_event_id: earlier.lastEventId, dont_block: true }
    t.match(await as('member').get('/events', poll), { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
    await pollUntil('no connection of the earlier state is left', async () => {
      const doubled = await sql`
        select from pg_stat_activity where application_name in ('parley-log', 'parley-look')
        group by application_name having count(*) > 1`
      return doubled.count === 0
    })
    const queue = await as('member').register({ event_types: ['message'], fetch_event_types: [] })
    const agent = new Agent({ keepAlive: true })
    t.teardown(() => agent.destroy())
    const { authorization } = as('member')
    const listener = new Listener({ kind: 'socket', urls: [web], authorization, ...queue, agent })
    t.teardown(() => listener.stop())
    const id = await as('member').send('general', 'topic', 'after it')
    await pollUntil('clients hear at the new primary', () => listener.ids.at(-1) === id)
  },
)
