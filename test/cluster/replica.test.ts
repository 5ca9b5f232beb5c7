/** A standby that pages and searches are read from: it lags, hangs, is promoted, is gone. */

import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { checkConfig } from '../../server/checks/check-config.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { Client, type Fields } from '../harness/client/client.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { startPair } from '../harness/databases/start-pair.ts'
import { ACCOUNTS, createPeople, emailOf, type Person } from '../harness/servers/start-server.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWebProcess } from './start-web-process.ts'

const MESSAGES = 60
/** The results of reads. */
const RESULTS = ['replica', 'behind', 'away', 'busy', 'failed'] as const

const { primary, standby } = await startPair(t)
const proxy = await openDatabaseProxy(t, standby.url)
const [sql, standbySql] = [primary.url, standby.url].map((url) => connect(url, 1, 'parley-test'))
if (!sql || !standbySql) throw new Error('there are two servers')
t.teardown(() => Promise.all([sql, standbySql].map((one) => one.end({ timeout: 1 }))))
await migrate(sql)
await createPeople(primary.url)
const web = await startWebProcess(t, {
  DATABASE_URL: primary.url,
  DATABASE_REPLICA_URL: proxy.url,
  DATABASE_CONNECTIONS: '4',
  DATA_DIR: await makeFolder(t),
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
})
const as = (person: Person) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(web.url, id, emailOf(person), key)
}
const member = as('member')
await member.subscribe(['general'], { principals: [4, 5] })
const ids: number[] = []
for (let count = 0; count < MESSAGES; count++)
  ids.push(await member.send('general', 'topic', `marmalade number ${count}`))

async function readResults() {
  const found = await scrape(web.url)
  return Object.fromEntries(
    RESULTS.map((result) => [result, found.find('parley_replica_reads_total', { result }) ?? 0]),
  )
}

/** The result of a read, and the ids of its messages. */
async function read(person: Person, fields: Fields): Promise<{ ids: number[]; result: string | undefined }> {
  const before = await readResults()
  const { messages } = await as(person).must('GET', '/messages', fields)
  const after = await readResults()
  return {
    ids: messages.map(({ id }) => id),
    result: RESULTS.find((one) => after[one] !== before[one]),
  }
}

interface Wanted {
  readonly ids: readonly number[]
  readonly result: (typeof RESULTS)[number]
}

/** Reads until the result is the wanted one: a busy machine may answer too late for it. The ids are right each time. */
async function expectRead(t: Test, person: Person, fields: Fields, { ids, result }: Wanted): Promise<void> {
  await pollUntil(`a read ends as ${result}`, async () => {
    const found = await read(person, fields)
    t.same(found.ids, ids, `after ${found.result}`)
    return found.result === result
  })
}

const ofSender = { narrow: [{ operator: 'sender', operand: emailOf('member') }] }
const older = { ...ofSender, anchor: ids[20], num_before: 10, num_after: 10 }
const wantedOlder = ids.slice(10, 31)
const find = (word: string) => ({
  narrow: [{ operator: 'search', operand: word }],
  anchor: 'newest',
  num_before: 100,
  num_after: 0,
})
const findFitting = (word: string) => ({ ...find(word), sort: 'fit', num_before: 5 })
const check = async (primaryUrl = primary.url) => {
  const config = readConfig({ DATABASE_URL: primaryUrl, DATABASE_REPLICA_URL: standby.url }) as Config
  return (await checkConfig(config)).find(({ part }) => part === 'replica')
}
const untilServed = () =>
  pollUntil('the standby answers', async () => (await read('member', older)).result === 'replica')

await t.test('[REPLICA1] older pages and searches come from a standby that has everything', async (t) => {
  await untilServed()
  await expectRead(t, 'member', older, { ids: wantedOlder, result: 'replica' })
  await expectRead(t, 'member', find('marmalade'), { ids, result: 'replica' })
  await expectRead(t, 'member2', find('marmalade'), { ids, result: 'replica' })
  const fitting = { ids: ids.slice(37, 38), result: 'replica' } as const
  await expectRead(t, 'member', findFitting('marmalade 37'), fitting) // Sorted by fit, too.
  await expectRead(t, 'guest', find('marmalade'), { ids: [], result: 'replica' }) // Rights are those of the state.
  const newest = { ...ofSender, anchor: 'newest', num_before: 5, num_after: 0 }
  t.same(await read('member', newest), { ids: ids.slice(-5), result: undefined }, 'the newest do not')
  const bad = await member.get('/messages', { ...find('marmalade'), anchor: 'nowhere' })
  t.match(bad, { status: 400 }, 'a refusal stays one')
  t.match(await check(), { state: 'ok', text: /^a standby, \d+ log entries behind$/ })
  t.match(
    await check('postgres://parley@127.0.0.1:1/parley'),
    {
      state: 'fails',
      text: /^a standby; of which database is unknown, since the database of DATABASE_URL cannot/,
    },
    'an absent primary is no fault of the standby',
  )
})

await t.test(
  '[REPLICA2] while the standby lags, the primary answers, and nobody misses anything',
  async (t) => {
    await standbySql`select pg_wal_replay_pause()`
    await pollUntil('it replays no more', async () => {
      const [row] = await standbySql<{ state: string }[]>`select pg_get_wal_replay_pause_state() as state`
      return row?.state === 'paused'
    })
    const late = await member.send('general', 'topic', 'a late marmalade')
    await expectRead(t, 'member', find('marmalade'), { ids: [...ids, late], result: 'behind' })
    await member.must('PATCH', `/messages/${late}`, { content: 'a late jelly' })
    await expectRead(t, 'member2', find('jelly'), { ids: [late], result: 'behind' })
    await expectRead(t, 'member2', findFitting('jelly'), { ids: [late], result: 'behind' })
    await as('owner').must('DELETE', `/messages/${ids[0] as number}`)
    const gone = ids.shift() as number
    t.notOk((await read('member', find('marmalade'))).ids.includes(gone))
    await standbySql`select pg_wal_replay_resume()`
    await untilServed()
    await expectRead(t, 'member', find('marmalade'), { ids, result: 'replica' })
  },
)

await t.test(
  '[REPLICA3] a standby that hangs or is cut off costs a moment, and is used again later',
  async (t) => {
    for (const state of ['hanging', 'refusing'] as const) {
      proxy.become(state)
      t.same(await read('member', older), { ids: wantedOlder, result: 'away' })
      t.same(await read('member', find('marmalade')), { ids, result: 'away' })
      proxy.become('open')
      await untilServed()
    }
  },
)

await t.test('[REPLICA4] a standby that was promoted or is gone is not read from', async (t) => {
  await standby.promote()
  await pollUntil('it is promoted', async () => {
    const [row] = await standbySql<{ is: boolean }[]>`select pg_is_in_recovery() as is`
    return row?.is === false
  })
  await expectRead(t, 'member', older, { ids: wantedOlder, result: 'behind' })
  t.match(await check(), { state: 'fails', text: /^the server is no standby/ })
  await expectRead(t, 'member', find('marmalade'), { ids, result: 'behind' })
  await standby.kill()
  t.match(await check(), { state: 'fails', text: /DATABASE_REPLICA_URL cannot be reached/ })
  t.same(await read('member', find('marmalade')), { ids, result: 'away' })
  t.same(await read('member', older), { ids: wantedOlder, result: 'away' })
})

t.test('[REPLICA5] the setting names one server', (t) => {
  const read = (url: string) => () => readConfig({ DATABASE_REPLICA_URL: url })
  const message = 'DATABASE_REPLICA_URL must name one server, a standby'
  t.throws(read('postgres://a@b,c/d'), { message })
  t.throws(read('postgres://a@b/d?target_session_attrs=primary'), { message })
  t.throws(read('http://a'), { message: /^DATABASE_REPLICA_URL must be an address that starts with/ })
  t.equal(readConfig({ DATABASE_REPLICA_URL: 'postgres://a@b/d' }).databaseReplicaUrl, 'postgres://a@b/d')
  t.equal(readConfig({}).databaseReplicaUrl, undefined)
  t.end()
})
