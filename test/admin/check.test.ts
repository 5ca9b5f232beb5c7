/** The check finds a planted difference of each kind, and none in a database that was used by many clients. */

import t from 'tap'
import { findContradictions } from '../../db/backup/consistency.ts'
import { connect, type Transaction } from '../../db/connection/connect.ts'
import { findWronglyIndexed } from '../../db/search/search-consistency.ts'
import { check } from '../../server/admin/check.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { runEntry } from '../start/run-entry.ts'

const server = await startTestServer(t)
const { sql, fileStore, state } = server.node.services
const member = server.as('member')
const owner = server.as('owner')
await owner.subscribe(['general', 'other'], { principals: [4, 5, 6] })
const url = await mustPostFile(member, 'some bytes', 'bytes.txt')
const key = url.split('/').slice(3, 5).join('/')
const first = await member.send('general', 'a topic', `the [first](${url}) message, 漢字 too`)
const second = await member.send('general', 'a topic', 'the second @**all** message')
await member.send('general', 'a topic', 'a deleted message')
const direct = await member.sendDirect([5, 6], 'a direct message')
await owner.must('DELETE', `/messages/${second + 1}`)
await member.must('PATCH', `/messages/${first}`, { content: 'the first, edited' })
await member.must('PATCH', `/messages/${second}`, { topic: 'moved', propagate_mode: 'change_one' })
await member.must('POST', `/messages/${second}/reactions`, { emoji_name: 'tada' })
await member.must('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
await server.as('guest').must('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'read' })
await server.as('member2').must('DELETE', '/users/me/subscriptions', { subscriptions: ['other'] })
await server.as('member2').must('POST', '/users/me/muted_users/6')
await indexMessages(sql)
await member.must('PATCH', `/messages/${second}`, { content: 'edited after it was indexed' })

t.test(
  '[CHECK1] a database in use has no differences, and its server the same state in memory',
  async (t) => {
    const result = await check(server.databaseUrl, fileStore)
    t.strictSame(result.differences, [])
    t.match(result, { ok: true, is_log_complete: true, processes: 1, files: 1 })
    t.equal(result.log_entries, result.last_event_id)
    t.match(result.usage, {
      counts: { files: 1, is_estimated: false },
      largest_channels: [{ name: 'general' }],
    })
  },
)

/** Contradictions by kind, each with a change that makes it. */
const PLANTED: readonly (readonly [
  kind: string,
  plant: (tx: Transaction) => PromiseLike<unknown>,
  id: RegExp,
])[] = [
  ['log gap', (tx) => tx`delete from event_log where id = 5`, /^4$/],
  ['log end', (tx) => tx`delete from event_log where id >= (select last_id - 1 from event_counter)`, /^\d+$/],
  ['counter', (tx) => tx`update event_counter set structural_id = last_id + 1`, /^\d+$/],
  ['counter', (tx) => tx`update event_counter set stamped_at = 5`, /^\d+$/],
  ['message without event', (tx) => tx`delete from event_log where id = ${first}`, new RegExp(`^${first}$`)],
  ['event without message', (tx) => tx`delete from messages where id = ${direct}`, new RegExp(`^${direct}$`)],
  [
    'message differs from event',
    (tx) => tx`update messages set sender_id = 5 where id = ${direct}`,
    new RegExp(`^${direct}$`),
  ],
  [
    'message order',
    (tx) => tx`update messages set sent_at = 5 where id = ${second}`,
    new RegExp(`^${second}$`),
  ],
  ['topic', (tx) => tx`update messages set topic = 'x' where id = ${direct}`, new RegExp(`^${direct}$`)],
  ['subscription spans', (tx) => tx`update subscription_spans set until_id = 1 where user_id = 4`, /^\d\/4$/],
  ['subscription spans', (tx) => tx`insert into subscription_spans values (1, 4, 1, ${first})`, /^1\/4$/],
  ['read marks', (tx) => tx`update read_marks set read_ids = '{1000000}' where user_id = 6`, /^6\//],
  [
    'read marks',
    (tx) => tx`update read_marks set unread_ids = '{5}', read_ids = '{5}' where user_id = 6`,
    /^6\//,
  ],
  ['read marks of no place', (tx) => tx`update read_marks set place = 2000 where user_id = 6`, /^6\/2000$/],
  ['parts', (tx) => tx`update messages set has_parts = false`, new RegExp(`^${second}$`)],
  ['conversation', (tx) => tx`update conversations set user_ids = '{4,5,99}'`, /^1$/],
  ['picture', (tx) => tx`update users set avatar_id = 'none' where id = 3`, /^user 3$/],
  ['search words', (tx) => tx`insert into search_words (word) values ('nowhere')`, /^nowhere$/],
  ['reference', (tx) => tx`insert into message_marks values (4, 999999, 2)`, /^999999\/4$/],
  ['reference', (tx) => tx`insert into user_group_members values (5, 99)`, /^5\/99$/],
  [
    'reference',
    (tx) => tx`update messages set channel_id = 99 where id = ${first}`,
    new RegExp(`^${first}$`),
  ],
  ['beyond the log', (tx) => tx`update search_index set through_id = 1000000`, /^1000000$/],
  [
    'beyond the log',
    (tx) => tx`update subscription_spans set from_id = 1000000 where user_id = 4`,
    /^1000000$/,
  ],
  ['ids', (tx) => tx`update channel_folders set id = 5`, /^5$/],
]

t.test('[CHECK2] rows that contradict others or the log are found, with their ids', async (t) => {
  await owner.must('POST', '/channel_folders/create', { name: 'A folder' })
  await sql.begin(async (tx) => t.strictSame(await findContradictions(tx), []))
  for (const [kind, plant, id] of PLANTED) {
    const undone = new Error('undone')
    await sql
      .begin(async (tx) => {
        await plant(tx)
        const found = (await findContradictions(tx)).filter((one) => one.kind === kind)
        t.ok(
          found.some(({ ids }) => ids.some((one) => id.test(one))),
          `${kind}: ${JSON.stringify(found)}`,
        )
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
  }
})

t.test('[CHECK3] a message that the search index misses or has wrongly is found', async (t) => {
  const cases: [plant: (tx: Transaction) => PromiseLike<unknown>, ids: number[]][] = [
    [
      (tx) =>
        tx`delete from search_postings where term = (select id from search_words where word = 'direct')`,
      [direct],
    ],
    [(tx) => tx`delete from search_words where word = 'direct'`, [direct]],
    [(tx) => tx`update search_index set through_id = (select last_id from event_counter)`, []],
    [
      (tx) =>
        tx`update search_postings set offsets = offsets || '\\x0100' where term = (select id from search_words where word = 'direct')`,
      [1],
    ],
  ]
  for (const [plant, ids] of cases) {
    const undone = new Error('undone')
    await sql
      .begin(async (tx) => {
        await plant(tx)
        t.strictSame(await findWronglyIndexed(tx), ids)
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
  }
})

t.test('[CHECK4] tables that differ from the sum of all events are found', async (t) => {
  const admin = connect(server.databaseUrl, 1, 'parley-test')
  t.teardown(() => admin.end())
  await admin`update users set full_name = 'Another' where id = 3`
  const { ok, differences } = await check(server.databaseUrl, fileStore)
  t.notOk(ok)
  t.match(differences, [
    { kind: 'state', ids: ['users 1'] },
    { kind: 'memory', ids: [/: users 1 at event \d+$/] },
  ])
  await admin`update users set full_name = 'The moderator' where id = 3`
})

t.test(
  '[CHECK5] a process whose memory differs from the tables is found, whatever it does meanwhile',
  async (t) => {
    let isOver = false
    const load = (async () => {
      while (!isOver) await member.send('general', 'meanwhile', 'more')
    })()
    t.strictSame((await check(server.databaseUrl, fileStore)).differences, [])
    const channel = state.channels.get(1 as never)
    if (!channel) throw new Error('there is no channel')
    const { subscribers } = channel
    channel.subscribers = subscribers.without([6 as never])
    const { differences } = await check(server.databaseUrl, fileStore)
    channel.subscribers = subscribers
    isOver = true
    await load
    t.match(differences, [{ kind: 'memory', ids: [/: channels 1 at event \d+$/] }])
    t.equal(differences.length, 1)
  },
)

t.test('[CHECK6] missing and cut files are found, and the command ends with 1', async (t) => {
  const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataFolder }
  const run = () => runEntry(t, 'server/admin/main.ts', settings, ['check'])
  const clean = await run()
  t.equal(clean.code, 0)
  t.match(JSON.parse(clean.stdout), { ok: true, processes: 1, files: 1, differences: [] })
  const bytes = async function* () {
    yield Buffer.from('cut')
  }
  await fileStore.write(key, bytes(), 100)
  const cut = await run()
  t.equal(cut.code, 1)
  t.strictSame(JSON.parse(cut.stdout).differences, [
    { kind: 'file', text: 'the bytes of these uploads have the wrong length', ids: [key] },
  ])
  await fileStore.remove(key)
  t.match((await check(server.databaseUrl, fileStore)).differences, [
    { kind: 'file', text: 'the bytes of these uploads are missing', ids: [key] },
  ])
})
