import t from 'tap'
import { ACCOUNTS, type Person, startTestServer } from '../../harness/servers/start-server.ts'

const MONTH_SECONDS = 30 * 86_400
const server = await startTestServer(t)
const { sql } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const idOf = (person: Person) => ACCOUNTS.get(person)?.id as number
const read = () => owner.must('GET', '/realm/usage')
const workOf = async (kind: string) => (await read()).work.find((one: { kind: string }) => one.kind === kind)

t.test(
  '[USAGE1] messages are counted by channel, user and month, deleted channels without a name',
  async (t) => {
    const before = await read()
    await member.subscribe(['town'])
    await owner.subscribe(['hall'], { invite_only: true })
    for (const text of ['one', 'two', 'three']) await member.send('town', 'a topic', text)
    const old = await owner.send('hall', 'a topic', 'an old one')
    await member.sendDirect([idOf('owner')], 'a direct one')
    await sql`update messages set sent_at = sent_at - ${MONTH_SECONDS + 60} where id = ${old}`
    const usage = await read()
    const added = usage.counts.messages - before.counts.messages
    t.equal(usage.counts.messages, Number((await sql`select count(*) as n from messages`)[0]?.['n']))
    t.ok(added >= 5)
    t.equal(usage.counts.messages_last_month, usage.counts.messages - 1)
    t.equal(usage.counts.is_estimated, false)
    t.match(
      usage.largest_channels.filter(({ name }: { name: string }) => ['town', 'hall'].includes(name)),
      [
        { name: 'town', messages: 3 },
        { name: 'hall', messages: 1 },
      ],
      'also a private channel, the largest first',
    )
    t.match(
      usage.largest_users.find(({ user_id }: { user_id: number }) => user_id === idOf('member')),
      { full_name: 'The member', messages: 4, file_bytes: 0 },
    )
    const { storage, counts } = usage
    t.ok(storage.database > storage.messages + storage.logs && storage.messages > 0 && storage.logs > 0)
    t.match(counts, { bytes_per_message: null, growth_per_month: null }, 'too few to say')
    await sql`update messages set channel_id = 999 where content = 'an old one'`
    t.match(
      (await read()).largest_channels.find(({ stream_id }: { stream_id: number }) => stream_id === 999),
      { name: '', messages: 1 },
    )
  },
)

t.test('[USAGE2] files are counted by owner and month', async (t) => {
  await member.upload('/user_uploads', [new Uint8Array(5_000)])
  await owner.upload('/user_uploads', [new Uint8Array(300)])
  await sql`update uploads set created_at = now() - interval '31 days' where owner_id = ${idOf('owner')}`
  const { storage, counts, largest_users: users } = await read()
  t.equal(storage.files, 5_300)
  t.match(counts, { files: 2, files_last_month: 1, file_bytes_last_month: 5_000 })
  t.match(
    users.filter((one: { file_bytes: number }) => one.file_bytes > 0),
    [
      { user_id: idOf('member'), file_bytes: 5_000 },
      { user_id: idOf('owner'), file_bytes: 300 },
    ],
  )
})

t.test(
  '[USAGE3] with many messages growth is estimated, and with very many a sample is counted',
  async (t) => {
    const { counts } = await read()
    await sql`alter table messages set (autovacuum_enabled = false)` // It would correct the number of rows below.
    await sql`
    insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, mentions, is_for_all)
    select 1000000 + n, channel_id, topic, sender_id, content, rendered, sent_at, client, mentions, is_for_all
    from messages, generate_series(1, 6000) n where content = 'one'`
    const many = await read()
    t.equal(many.counts.is_estimated, false)
    const each = Math.round(many.storage.messages / many.counts.messages)
    t.equal(many.counts.bytes_per_message, each)
    t.equal(many.counts.growth_per_month, many.counts.messages_last_month * each + 5_000)
    await sql`update pg_class set reltuples = 400000 where oid = 'messages'::regclass`
    const sampled = await read()
    t.equal(sampled.counts.is_estimated, true)
    const estimate = sampled.counts.messages / (counts.messages + 6_000)
    t.ok(estimate > 0.5 && estimate < 1.5, `${estimate}`)
    const [town] = sampled.largest_channels
    t.ok(town.name === 'town' && town.messages <= sampled.counts.messages)
    await sql`delete from messages where id > 1000000`
    await sql`analyze messages`
  },
)

t.test('[USAGE4] work that waits is counted by kind, with the time for which the first is due', async (t) => {
  const soon = Math.floor(Date.now() / 1_000) + 86_400
  t.match(await workOf('scheduled_messages'), { waiting: 0, late_seconds: 0 })
  const { scheduled_message_id: id } = await member.must('POST', '/scheduled_messages', {
    type: 'channel',
    to: (await member.must('GET', '/get_stream_id', { stream: 'town' })).stream_id,
    topic: 'later',
    content: 'later',
    scheduled_delivery_timestamp: soon,
  })
  t.match(await workOf('scheduled_messages'), { waiting: 1, late_seconds: 0 })
  await sql`update scheduled_messages set deliver_at = deliver_at - ${86_400 + 3_600} where id = ${id}`
  const late = await workOf('scheduled_messages')
  t.ok(late.waiting === 1 && late.late_seconds >= 3_600 && late.late_seconds < 4_600, `${late.late_seconds}`)
  await owner.must('POST', '/export/realm')
  t.match(await workOf('exports'), { waiting: 1 })
  const kinds = (await read()).work.map(({ kind }: { kind: string }) => kind)
  t.strictSame(
    [...kinds].sort(),
    ['emails', 'exports', 'imports', 'notifications', 'previews', 'pushes', 'received_emails', 'removed_files',
     'scheduled_messages', 'search_index'], // biome-ignore format: a list
  )
})

t.test('[USAGE5] queues are counted, those of clients that are there apart; and devices', async (t) => {
  await member.must('POST', '/register')
  const { queue_id } = await member.must('POST', '/register')
  await owner.must('POST', '/register')
  await sql`update event_queues set seen_at = now() - interval '10 minutes' where id = ${queue_id}`
  const addDevice = (id: number, successAt: string) => sql`
    insert into web_push_subscriptions (id, user_id, endpoint, p256dh, auth, client, key_hash, created_at, last_success_at)
    values (${id}, ${idOf('member')}, ${`https://push.example.com/${id}`}, '', '', '', 'a', now(), ${successAt}::text::timestamptz)`
  await addDevice(1, new Date().toISOString())
  await addDevice(2, '2020-01-01')
  await sql`
    insert into push_tokens (user_id, kind, token, app_id, is_removed, added_at, attempts)
    values (${idOf('member')}, 'fcm', 'a', '', false, now(), 0), (${idOf('member')}, 'fcm', 'b', '', true, now(), 0)`
  const { queues, devices } = await read()
  t.strictSame(queues, { all: 3, connected: 2, users: 2 })
  t.strictSame(devices, { browsers: 2, browsers_reached: 1, phones: 1 })
})

t.test('[USAGE6] only owners may ask for the usage', async (t) => {
  for (const person of ['administrator', 'moderator', 'member', 'guest', 'bot'] as const) {
    const { status, body } = await server.as(person).get('/realm/usage')
    t.match(
      { status, body },
      { status: 400, body: { code: 'BAD_REQUEST', msg: 'Must be an organization owner' } },
    )
  }
  t.equal((await server.anyone.get('/realm/usage')).status, 401)
})
