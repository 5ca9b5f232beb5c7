/**
 * Searches on a real process: hostile ones, with clients that disconnect, and those of readers of few
 * messages among many.
 */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import { Client, type Fields } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { holdTable } from '../harness/databases/hold-table.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection } from '../wire/send-raw.ts'
import { startWebProcess } from './start-web-process.ts'

/** Messages with the common words: more than one search may compare. */
const STORED = 12_000
/** Blocks of the index with further messages. */
const BLOCKS = 30
const idOf = (block: number, place: number) => block * 16_384 + place

const databaseUrl = await createDatabase(t, 'people')
const sql = connect(databaseUrl, 1, 'parley-test')
const admin = connect(databaseUrl, 2, 'parley-test')
t.teardown(() => Promise.all([sql.end(), admin.end()]))
// Reserves ids for messages from before everything else.
await sql`update event_counter set last_id = ${idOf(BLOCKS + 1, 0)}`
const { url } = await startWebProcess(t, {
  DATABASE_URL: databaseUrl,
  DATABASE_CONNECTIONS: '4',
  DATA_DIR: await makeFolder(t),
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
})
const as = (person: Person) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(url, id, emailOf(person), key)
}
const owner = as('owner')
await owner.subscribe(['town'], { principals: [1, 4, 5] })
await owner.subscribe(['guests'], { principals: [1, 6] })
await sql`update subscription_spans set from_id = 0`
await sql`
  insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, read_by_id)
  select number + 10, 1, 'much', 1, 'common and other words ' || number, '<p>common</p>', 1700000000, 'API', 1
  from generate_series(1, ${STORED}) number
  union all
  select number, 2, 'little', 1, 'common words', '<p>common</p>', 1700000000, 'API', 1 from generate_series(1, 2) number`
await sql`
  insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, read_by_id)
  select block * 16384 + place, case when block % 10 = 0 and place = 7 then 2 else 1 end, 'x', 1,
    case when place = 7 then 'walrus' else 'walrus seal' || block end || case when block % 9 = 0 then ' tusk' else '' end,
    '<p>walrus</p>', 1700000000, 'API', 1
  from generate_series(1, ${BLOCKS}) block, unnest(array[7, 9]) place`
await indexMessages(sql)

const narrowOf = (operand: string) => [{ operator: 'search', operand }]
const find = (person: Person, operand: string, fields: Fields = {}) =>
  as(person).get('/messages', { anchor: 'newest', num_before: 20, narrow: narrowOf(operand), ...fields })
const idsOf = ({ body }: Awaited<ReturnType<typeof find>>) =>
  body.messages?.map(({ id }: { id: number }) => id) as number[]

t.test('[SEARCH14] a reader with few messages finds them among many of others', async (t) => {
  t.same(idsOf(await find('guest', 'common words')), [1, 2])
  t.same(idsOf(await find('guest', 'ommo ord')), [1, 2])
  const newest = Array.from({ length: 20 }, (_, index) => STORED + 10 - 19 + index)
  t.same(idsOf(await find('member', 'common words')), newest)
  const oldest = { anchor: 'oldest', num_before: 0, num_after: 2 }
  t.same(idsOf(await find('owner', 'common words', oldest)), [1, 2])
})

t.test(
  '[SEARCH15] a search that would compare too many messages is refused, or returns how far it came',
  async (t) => {
    // All messages have both words, but never next to each other.
    const reason = 'this search has to compare too many messages; add a longer word, a channel or a sender'
    const extra = { code: 'BAD_NARROW', desc: reason }
    const refused = await find('member', '"common words"')
    expectRefusal(t, refused, `Invalid narrow operator: ${reason}`, extra)
    t.same(idsOf(await find('guest', '"common words"')), [1, 2], "the reader's own channel is small enough")
    await owner.send('town', 'last', 'common words at the end')
    const partial = await find('member', '"common words"')
    t.equal(idsOf(partial).length, 1)
    t.equal(partial.body.found_oldest, false)
  },
)

t.test('[SEARCH16] hostile searches delay neither sends, pages, registrations nor readiness', async (t) => {
  const release = await holdTable(admin, 'search_index')
  const countHeld = async () => {
    const rows = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'parley-searches' and wait_event_type = 'Lock'`
    return rows.length
  }
  const port = Number(new URL(url).port)
  const narrow = JSON.stringify(narrowOf(Array.from({ length: 7 }, () => 'qwertzuiop'.repeat(10)).join('')))
  const path = `/api/v1/messages?${new URLSearchParams({ anchor: 'newest', num_before: '50', narrow })}`
  const sockets = await Promise.all(
    (['guest', 'member2'] as const).flatMap((person) =>
      Array.from({ length: 8 }, async () => {
        const socket = await openConnection(port)
        socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${as(person).authorization}\r\n\r\n`)
        return socket
      }),
    ),
  )
  await pollUntil('searches hold all their connections', async () => (await countHeld()) === 2)
  for (let count = 0; count < 5; count++) await as('member').send('town', 'meanwhile', `still here ${count}`)
  const page = await as('member').get('/messages', {
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator: 'channel', operand: 'town' }],
  })
  t.equal(page.body.messages[0].content, '<p>still here 4</p>')
  t.equal((await as('member').get('/messages', { anchor: 'newest', num_before: 1 })).status, 200)
  await as('member').register()
  t.equal((await fetch(`${url}/health/ready`)).status, 200)
  for (const socket of sockets) socket.destroy()
  const late = find('member', 'meanwhile')
  await release()
  t.equal(idsOf(await late).length, 5, 'others search as before')
  t.equal((await find('guest', 'common words')).status, 200, 'disconnected users can search again, too')
})

t.test('[SEARCH71] a search finds messages many blocks apart, newest or oldest first', async (t) => {
  const newest = (count: number) => ({ num_before: count })
  const oldest = (count: number) => ({ anchor: 'oldest', num_before: 0, num_after: count })
  const findIds = async (operand: string, fields: Fields, person: Person = 'owner') =>
    idsOf(await find(person, operand, fields))
  const all = Array.from({ length: BLOCKS }, (_, index) => [idOf(index + 1, 7), idOf(index + 1, 9)]).flat()
  for (const count of [10, 40, 100]) {
    t.same(await findIds('walrus', newest(count)), all.slice(-count))
    t.same(await findIds('walrus', oldest(count)), all.slice(0, count))
  }
  const tusks = [9, 18, 27].flatMap((block) => [idOf(block, 7), idOf(block, 9)])
  for (const operand of ['walrus tusk', 'tusk "walrus"', 'usk']) {
    t.same(await findIds(operand, newest(100)), tusks, operand)
    t.same(await findIds(operand, oldest(4)), tusks.slice(0, 4), operand)
  }
  const around = { anchor: tusks[3] as number, num_before: 1, num_after: 1 }
  t.same(await findIds('walrus tusk', around), tusks.slice(2, 5))
  t.same(await findIds('seal18 tusk', newest(100)), [idOf(18, 9)])
  t.same(await findIds('"seal17 tusk"', newest(100)), [])
  t.same(
    await findIds('walrus', newest(100), 'guest'),
    [10, 20, 30].map((block) => idOf(block, 7)),
  )
})
