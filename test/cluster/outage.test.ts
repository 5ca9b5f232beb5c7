/**
 * A web process whose database is absent, refuses, hangs or fails: it reports this, and recovers by itself.
 */

import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { type Answer, Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { adminDatabaseUrl } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { makeFolder, tus, type TusReply } from '../harness/client/tus.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWebProcess } from './start-web-process.ts'

const databaseUrl = await createDatabase(t, 'people')
const database = new URL(databaseUrl).pathname.slice(1)
const proxy = await openDatabaseProxy(t, databaseUrl)
const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
t.teardown(() => admin.end())
const sql = connect(databaseUrl, 1, 'parley-test')
t.teardown(() => sql.end({ timeout: 1 }))
const { url } = await startWebProcess(t, {
  DATABASE_URL: proxy.url,
  DATABASE_CONNECTIONS: '4',
  DATA_DIR: await makeFolder(t),
})
const as = (person: Person) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(url, id, emailOf(person), key)
}
const owner = as('owner')
await owner.subscribe(['calm'], { principals: [1, 4] })
const file = await mustPostFile(owner, 'a file', 'file.txt')
const queue = await owner.register({ event_types: ['message'], fetch_event_types: [] })

const message = (content: string, mark: object = {}) =>
  owner.post('/messages', { type: 'channel', to: '"calm"', topic: 'topic', content, ...mark })
const headers = { authorization: owner.authorization }
const upload = () => {
  const body = new FormData()
  body.append('file', new Blob(['more']), 'more.txt')
  return fetch(`${url}/api/v1/user_uploads`, { method: 'POST', headers, body })
}
const listen = () =>
  fetch(`${url}/api/v1/events/stream?queue_id=${randomUUID()}`, {
    headers: { ...headers, accept: 'text/event-stream' },
  })

type Reply = Answer | TusReply | Response

/** Every carrier, each with a request that needs the database. */
const WAYS: Readonly<Record<string, () => Promise<Reply>>> = {
  'a send': () => message('not now'),
  'a change': () => owner.patch('/settings', { full_name: `Owner ${randomUUID()}` }),
  'a list': () => owner.get('/attachments'),
  'a registration': () => owner.post('/register'),
  'a poll': () => owner.get('/events', { queue_id: randomUUID() }),
  'a stream': listen,
  'an upload': upload,
  'a resumable upload': () => tus(owner, 'POST', '', { 'upload-length': 2 }),
  'a file': () => fetch(url + encodeURI(file), { headers }),
  'a picture': () => fetch(`${url}/user_avatars/1/${'0'.repeat(32)}.png`),
  'a form': () => fetch(`${url}/join/${'a'.repeat(32)}/`),
}

const readiness = async () => {
  const response = await fetch(`${url}/health/ready`)
  await response.arrayBuffer()
  return response.status
}

/** Requests through every carrier at once; the answers must be equal. */
async function expectUnavailable(t: Test): Promise<void> {
  await pollUntil('it is not ready', async () => (await readiness()) === 503)
  t.equal((await fetch(`${url}/health/live`)).status, 200)
  const asked = Object.entries(WAYS).map(async ([way, ask]) => [way, await ask()] as const)
  for (const [way, answer] of await Promise.all(asked)) {
    t.equal(answer.status, 503, way)
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/, way)
    if (way === 'a form') t.match(await (answer as Response).text(), /try again/i)
    else
      t.match(await bodyOf(answer), { result: 'error', code: 'SERVICE_UNAVAILABLE', msg: /try again/ }, way)
  }
}

/** The body of an answer, which some test clients have decoded. */
async function bodyOf(answer: Reply): Promise<unknown> {
  return 'json' in answer ? await (answer as Response).json() : (answer as Answer).body
}

async function expectServed(t: Test, content: string): Promise<void> {
  await pollUntil('it is ready', async () => (await readiness()) === 200)
  t.equal((await message(content)).status, 200)
  const events = await owner.events(queue)
  t.same(
    events.map((event) => event.message?.content),
    [content],
    'refused messages were not sent',
  )
}

await t.test(
  '[OUT1] while the database does not answer, every carrier returns 503 with Retry-After',
  async (t) => {
    proxy.become('refusing')
    await expectUnavailable(t)
    proxy.become('open')
    await expectServed(t, 'after the refusal')
  },
)

await t.test('[OUT2] requests to a hanging database fail after seconds, and can be retried', async (t) => {
  const marked = { queue_id: queue.queueId, local_id: 'once' }
  proxy.become('hanging')
  const [first] = await Promise.all([message('once', marked), expectUnavailable(t)])
  t.equal(first.status, 503)
  proxy.become('open')
  await pollUntil('it is ready', async () => (await readiness()) === 200)
  const again = await message('once', marked)
  t.equal(again.status, 200)
  t.equal((await message('once', marked)).body.id, again.body.id)
  const rows = await sql`select from messages where content = 'once'`
  t.equal(rows.count, 1)
  await owner.events(queue)
})

await t.test(
  '[OUT3] a database that refuses connections, or is read-only, counts as unavailable',
  async (t) => {
    // It waits until they have ended: a busy machine would serve a request by one that is about to.
    const end = () =>
      admin`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = ${database}`
    await admin.unsafe(`alter database ${database} with allow_connections false`)
    try {
      await end()
      await expectUnavailable(t)
    } finally {
      await admin.unsafe(`alter database ${database} with allow_connections true`)
    }
    await expectServed(t, 'after the closing')
    await admin.unsafe(`alter database ${database} set default_transaction_read_only = on`)
    await end()
    await pollUntil('it is not ready', async () => (await readiness()) === 503)
    t.match(await message('unwritten'), { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    t.equal((await owner.get('/attachments')).status, 200, 'reads still work')
    await admin.unsafe(`alter database ${database} reset default_transaction_read_only`)
    await end()
    await expectServed(t, 'after the reading')
  },
)

await t.test(
  '[OUT4] only statements that the database cannot run at present are refused as unavailable',
  async (t) => {
    await sql.unsafe(`
    create table fault (code text);
    create function fail() returns trigger language plpgsql as $$
      declare wanted text := (select code from fault);
      begin
        if wanted is not null then raise exception 'on purpose' using errcode = wanted; end if;
        return null;
      end $$;
    create trigger fail before insert on event_log for each statement execute function fail()`)
    const statusOf = async (code: string) => {
      await sql`delete from fault`
      await sql`insert into fault values (${code})`
      const { status, headers } = await message(code)
      t.equal(headers.has('retry-after'), status === 503, code)
      return status
    }
    // Disk full, out of memory, cancelled or too slow, a lock timeout, a deadlock, an I/O error.
    for (const code of ['53100', '53200', '57014', '55P03', '40P01', '58030', '25006', '25P03']) {
      t.equal(await statusOf(code), 503, code)
      t.equal(await readiness(), 200, 'the database itself serves')
    }
    t.equal(await statusOf('XX000'), 500, 'a bug stays an internal error')
    await sql`delete from fault`
    await expectServed(t, 'after the faults')
  },
)
