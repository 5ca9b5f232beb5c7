/** The committer: many changes at once, each as if it were alone. */

import t from 'tap'
import { connect, connectLog, type Sql } from '../../db/connection/connect.ts'
import { loadState } from '../../server/state/load-state.ts'
import { type Change, Committer } from '../../server/actors/committer.ts'
import { OverloadError } from '../../server/actors/overload-error.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { deactivateUser } from '../harness/worlds/account-changes.ts'
import type { NewEvent } from '../../server/domain/events.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import type { Feed } from '../../server/log/feed.ts'
import type { OrganizationState } from '../../server/state/organization-state.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeEntry } from '../log/make-entry.ts'
import { makeChannel } from '../harness/worlds/make-channel.ts'
import { pollUntil } from '../services/poll-until.ts'
import { describeState } from '../state/describe-state.ts'

const OWNER = 1 as UserId
const MEMBER = 4 as UserId

/** A writer on a database with people and one channel, to which everyone is subscribed. */
async function openWriter(t: Parameters<typeof createDatabase>[0]) {
  const url = await createDatabase(t, 'people')
  const writer = await openLocalWriter(url)
  t.teardown(() => writer.close())
  await writer.committer.submit(createChannel())
  return { ...writer, url }
}

function createChannel(): Change<ChannelId> {
  return {
    kind: 'structure',
    decide(state) {
      const id = state.nextChannelId
      const channel = makeChannel(id)
      const audience = { kind: 'users', users: state.rights.activeUsers } as const
      return {
        events: [
          { event: { type: 'stream/create', channels: [channel] }, audience },
          {
            event: { type: 'subscription/add', channels: [channel], userIds: [OWNER, MEMBER] },
            audience,
          },
        ],
        reply: () => id,
      }
    },
  }
}

function messageTo(channelId: number, event: Partial<MessageSent> = {}): NewEvent {
  const { event: message } = makeEntry(0, {}, { channelId: channelId as ChannelId, ...event })
  return { event: message, audience: { kind: 'subscribers', channelId: channelId as ChannelId } }
}

function send(
  content: string,
  more: Partial<MessageSent> = {},
  change: Partial<Change<EventId>> = {},
): Change<EventId> {
  return {
    kind: 'messages',
    decide: () => ({ events: [messageTo(1, { content, ...more })], reply: (id) => id }),
    ...change,
  }
}

const settle = async (results: Promise<EventId>[]) =>
  (await Promise.allSettled(results)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason))

const shared = await openWriter(t)

await t.test(
  '[COMMIT1] changes submitted together are committed together, in the order of submission',
  async (t) => {
    const { committer, sql, state } = shared
    const before = state.appliedId
    const ids = await Promise.all(
      Array.from({ length: 300 }, (_, index) => committer.submit(send(`${index}`))),
    )
    t.same(
      ids,
      Array.from({ length: 300 }, (_, index) => before + index + 1),
    )
    const stored = await sql<{ id: number; content: string }[]>`select id, content from messages order by id`
    t.same(
      stored,
      ids.map((id, index) => ({ id, content: `${index}` })),
    )
    const [row] = await sql<{ count: number }[]>`
      select count(distinct xmin::text)::int as count from messages where id > ${before}`
    t.equal(row?.count, 2, 'two transactions: a batch is bounded')
  },
)

await t.test('[COMMIT16] a message waits for one other change, however many came before it', async (t) => {
  const { committer, sql } = shared
  const changes = Array.from({ length: 4 }, () => committer.submit(createChannel()))
  const id = await committer.submit(send('in between'))
  await Promise.all(changes)
  const rows = await sql<{ id: number }[]>`
    select id from event_log where event ->> 'type' = 'stream/create' order by id desc limit 4`
  t.ok(rows.filter((row) => row.id < id).length <= 1, 'the other changes come after it')
})

await t.test('[COMMIT2] the local state includes a change when its answer arrives', async (t) => {
  const { committer, state } = shared
  const id = await committer.submit(createChannel())
  t.ok(state.channels.has(id))
  const sent = await committer.submit(send('x'))
  t.equal(state.appliedId, sent)
})

await t.test('[COMMIT3] a refused decision fails alone', async (t) => {
  const { committer } = shared
  const refusing = send(
    'refused',
    {},
    {
      decide() {
        throw new Error('no')
      },
    },
  )
  const results = await settle([
    committer.submit(send('a')),
    committer.submit(refusing),
    committer.submit(send('b')),
  ])
  t.match(results, [Number, { message: 'no' }, Number])
  t.equal(results[2], results[0] + 1)
})

await t.test(
  '[COMMIT4] data that the database refuses fails alone and leaves no hole in the log',
  async (t) => {
    const { committer, sql, state } = shared
    const bad = (content: string) => send(`${content} \0`) // A text of PostgreSQL has no such character.
    const changes = Array.from({ length: 40 }, (_, index) =>
      index % 13 === 5 ? bad(`${index}`) : send(`${index}`),
    )
    const results = await settle(changes.map((change) => committer.submit(change)))
    for (const [index, result] of results.entries()) {
      if (index % 13 === 5) t.match(result, { code: '22P05' })
      else t.type(result, 'number')
    }
    const ids = results.filter((result) => typeof result === 'number')
    t.same(
      ids,
      [...ids].sort((a, b) => a - b),
      'the others keep their order',
    )
    await checkLog(t, sql, state)
  },
)

await t.test('[COMMIT5] an answer that cannot be encoded fails alone', async (t) => {
  const { committer } = shared
  const speechless = send(
    'x',
    {},
    {
      decide: () => ({
        events: [messageTo(1)],
        reply() {
          throw new Error('speechless')
        },
      }),
    },
  )
  const results = await settle([committer.submit(speechless), committer.submit(send('y'))])
  t.match(results, [{ message: 'speechless' }, Number])
})

await t.test('[COMMIT6] a send with the local id of an earlier one gets the earlier answer', async (t) => {
  const { committer, sql } = shared
  const marked = (localId: string, content: string) =>
    send(
      content,
      { queueId: 'queue', localId },
      {
        async findEarlier() {
          const [row] = await sql<{ id: EventId }[]>`
          select message_id as id from message_sends where queue_id = 'queue' and local_id = ${localId}`
          return row?.id
        },
      },
    )
  const first = await committer.submit(marked('1', 'first'))
  t.equal(await committer.submit(marked('1', 'again')), first)
  const changes = Array.from({ length: 30 }, (_, index) => marked(`${(index % 10) + 1}`, `${index}`))
  const ids = await Promise.all(changes.map((change) => committer.submit(change)))
  for (const [index, id] of ids.entries()) t.equal(id, ids[index % 10])
  t.equal(ids[0], first)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from messages join message_sends on message_id = id`
  t.equal(row?.count, 10)
})

await t.test('[COMMIT7] a decision made on stale state is made again on fresh state, once', async (t) => {
  const { committer, state, url, sql } = await openWriter(t)
  const other = await openLocalWriter(url)
  t.teardown(() => other.close())
  await other.committer.submit(deactivateUser(MEMBER))
  const seen: boolean[] = []
  const change = (isActiveWanted: boolean): Change<EventId> =>
    send(
      'from the member',
      {},
      {
        decide(now) {
          seen.push(now.getUser(MEMBER).isActive)
          if (now.getUser(MEMBER).isActive !== isActiveWanted) throw new Error('no longer')
          return { events: [messageTo(1)], reply: (id) => id }
        },
      },
    )
  t.equal(state.getUser(MEMBER).isActive, true, 'this one has not received it')
  const results = await settle([committer.submit(change(true)), committer.submit(send('of another'))])
  t.match(results, [{ message: 'no longer' }, Number])
  t.same(seen, [true, false])
  t.equal(state.getUser(MEMBER).isActive, false)
  await checkLog(t, sql, state)
})

await t.test('[COMMIT8] messages of another process do not make a decision stale', async (t) => {
  const { committer, state, url } = await openWriter(t)
  const other = await openLocalWriter(url)
  t.teardown(() => other.close())
  const first = await other.committer.submit(send('elsewhere'))
  let decided = 0
  const id = await committer.submit(
    send(
      'here',
      {},
      {
        decide() {
          decided++
          return { events: [messageTo(1)], reply: (own) => own }
        },
      },
    ),
  )
  t.equal(decided, 1)
  t.equal(id, first + 1)
  t.equal(state.appliedId, id, 'entries in between were read')
})

await t.test('[COMMIT9] a change without events is answered and commits nothing', async (t) => {
  const { committer, state } = shared
  const before = state.appliedId
  t.equal(
    await committer.submit({ kind: 'structure', decide: () => ({ events: [], reply: () => 'nothing' }) }),
    'nothing',
  )
  t.equal(state.appliedId, before)
})

await t.test('[COMMIT10] changes beyond the limit of waiting ones are refused at once', async (t) => {
  const { committer } = shared
  const idle: Change<string> = { kind: 'messages', decide: () => ({ events: [], reply: () => 'done' }) }
  const waiting: Promise<string>[] = []
  t.throws(() => {
    for (let count = 0; count <= 20_000; count++) waiting.push(committer.submit(idle))
  }, OverloadError)
  t.equal(waiting.length, 20_000)
  t.ok((await Promise.all(waiting)).every((answer) => answer === 'done'))
  t.equal(await committer.submit(idle), 'done', 'then it takes more')
})

await t.test('[COMMIT11] draining waits for all submitted changes', async (t) => {
  const { committer } = shared
  const answered: EventId[] = []
  for (let count = 0; count < 600; count++) {
    void committer.submit(send(`${count}`)).then((id) => answered.push(id))
  }
  await committer.drain()
  t.equal(answered.length, 600)
})

await t.test('[COMMIT12] two nodes that change everything at once write one log without holes', async (t) => {
  const server = await startTestServer(t, { redis: true })
  const other = await server.startAnotherNode()
  const [owner, otherOwner] = [server.as('owner'), other.as('owner')]
  await owner.subscribe(['busy', 'calm'], { principals: [1, 2, 3, 4, 5] })
  const work: Promise<unknown>[] = []
  for (let round = 0; round < 30; round++) {
    const [here, there] = round % 2 === 0 ? [owner, otherOwner] : [otherOwner, owner]
    work.push(
      here.send('busy', 'topic', `message ${round}`),
      there.send('calm', 'topic', `message ${round}`),
      there.sendDirect([4], `direct ${round}`),
      here.subscribe([`channel ${round % 7}`], { principals: [4, 5] }),
      there.subscribe([`channel ${round % 5}`]),
      there.delete('/users/me/subscriptions', { subscriptions: ['busy'], principals: [5 - (round % 2)] }),
      here.subscribe(['busy'], { principals: [4, 5] }),
    )
  }
  await Promise.all(work)
  const { sql } = server.node.services
  const [last] = await sql<{ id: number }[]>`select last_id as id from event_counter`
  for (const { node } of [server, other]) {
    const { state } = node.services
    await pollUntil('the node has received everything', () => state.appliedId === last?.id)
    await checkLog(t, sql, state)
  }
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from messages`
  t.equal(row?.count, 90)
})

await t.test(
  '[COMMIT14] a process that pauses while it holds the lock of the log loses it, and its change is refused whole',
  async (t) => {
    const { committer, url, sql, feed } = await openWriter(t)
    const stale = await loadState(sql)
    const logSql = connectLog(url)
    t.teardown(() => logSql.end({ timeout: 1 }))
    await committer.submit(deactivateUser(MEMBER)) // From here every decision on that state is refused.
    const stopped = Promise.withResolvers<void>()
    let hasLock = false
    const slowFeed = {
      appliedId: stale.appliedId,
      async catchUp() {
        const holders =
          await sql`select from pg_stat_activity where wait_event = 'ClientRead' and state = 'idle in transaction'
        and datname = current_database()`
        if (holders.length === 0) return // It is also asked without the lock.
        hasLock = true
        await stopped.promise
        slowFeed.appliedId = feed.appliedId
      },
    }
    const slow = new Committer({
      sql: logSql,
      state: stale,
      feed: slowFeed as unknown as Feed,
      publish: () => {},
    })
    const failing = slow.submit(send('never')).catch((error: unknown) => error)
    await pollUntil('it has the lock', () => hasLock)
    await committer.submit(send('meanwhile'))
    stopped.resolve()
    t.type(await failing, Error)
    t.same(await sql`select content from messages`, [{ content: 'meanwhile' }])
  },
)

await t.test(
  '[COMMIT15] the database stamps messages, whatever the clocks of the processes say',
  async (t) => {
    const { committer, url, sql, state } = await openWriter(t)
    const other = await openLocalWriter(url)
    t.teardown(() => other.close())
    const clockOf = async () => {
      const [row] = await sql<
        { now: number }[]
      >`select floor(extract(epoch from clock_timestamp()))::bigint as now`
      return row?.now as number
    }
    const before = await clockOf()
    for (const hours of [1, -1, 0, 5]) {
      const sentAt = before + hours * 3600
      await committer.submit(send('alone', { sentAt }))
      await other.committer.submit({ ...send('with others', { sentAt: sentAt - 7200 }), kind: 'structure' })
    }
    const after = await clockOf()
    const rows = await sql<{ stored: number; logged: number }[]>`
    select m.sent_at as stored, (l.event ->> 'sentAt')::bigint as logged
    from messages m join event_log l on l.id = m.id order by m.id`
    const stamps = rows.map(({ stored }) => stored)
    t.equal(stamps.length, 8)
    t.same(
      stamps,
      [...stamps].sort((a, b) => a - b),
      'none is earlier than the one before',
    )
    t.ok(stamps.every((stamp) => before <= stamp && stamp <= after))
    t.same(
      rows.map(({ logged }) => logged),
      stamps,
      'the log agrees',
    )
    await pollUntil('everything was received', () => other.state.appliedId >= state.appliedId)
    t.equal(other.state.getChannel(1 as ChannelId).lastMessageAt, stamps.at(-1), 'the state agrees')
  },
)

await t.test(
  '[COMMIT13] when the database goes away, changes under way fail, and none is lost or doubled',
  async (t) => {
    const server = await startTestServer(t, { env: { LOG_LEVEL: 'silent' } })
    const owner = server.as('owner')
    await owner.subscribe(['storm'], { principals: [1, 4] })
    const listener = server.as('member')
    const queue = await listener.register({ event_types: ['message'] })
    const sender = await owner.register({ event_types: [] })
    const post = (number: number) =>
      owner.post('/messages', {
        type: 'channel',
        to: '"storm"',
        topic: 'topic',
        content: `${number}`,
        queue_id: sender.queueId,
        local_id: `${number}`,
      })
    const admin = connect(server.databaseUrl, 1, 'parley-test')
    t.teardown(() => admin.end())
    const answers: ReturnType<typeof post>[] = []
    let cut = 0
    for (let number = 0; number < 400; number++) {
      answers.push(post(number))
      if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (number % 100 === 50) cut += await cutConnections(admin)
    }
    const sent = new Map<number, number>()
    const failed: number[] = []
    for (const [number, answer] of (await Promise.all(answers)).entries()) {
      if (answer.status === 200) sent.set(number, answer.body.id)
      else {
        t.ok(answer.status >= 500, `a failure is the server's own: ${answer.status}`)
        failed.push(number)
      }
    }
    t.ok(cut > 0, 'connections were cut')
    // The node recovers by itself; clients without an answer ask again.
    for (const number of failed) {
      const answer = await pollUntil(`message ${number} is sent`, async () => {
        const retry = await post(number)
        return retry.status === 200 ? retry : undefined
      })
      sent.set(number, answer.body.id)
    }
    const { sql, state } = server.node.services
    const rows = await admin<{ id: number; content: string }[]>`select id, content from messages order by id`
    t.same(new Map(rows.map(({ id, content }) => [Number(content), id])), sent)
    t.equal(rows.length, 400, 'each once')
    const heard: number[] = []
    await pollUntil('the listener has received all', async () => {
      for (const event of await listener.events(queue))
        if (event.type === 'message') heard.push(event.message.id)
      return heard.length >= 400
    })
    t.same(
      heard,
      rows.map(({ id }) => id),
    )
    await checkLog(t, admin, state)
    // A lost connection that is not used again would block closing its pool.
    await Promise.all(Array.from({ length: 16 }, () => sql`select pg_sleep(0.02)`.catch(() => undefined)))
  },
)

/** Cuts the connections of web nodes to a database; returns how many. */
async function cutConnections(admin: Sql): Promise<number> {
  const rows = await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'parley-web'`
  return rows.length
}

/** The log has every number once, the counter fits, and the state equals the tables. */
async function checkLog(
  t: { same(found: unknown, wanted: unknown, message: string): unknown },
  sql: Sql,
  state: OrganizationState,
): Promise<void> {
  const rows = await sql<{ id: number }[]>`select id from event_log order by id`
  t.same(
    rows.map(({ id }) => id),
    Array.from({ length: rows.length }, (_, index) => index + 1),
    'no hole',
  )
  const [counter] = await sql<{ id: number }[]>`select last_id as id from event_counter`
  t.same(counter?.id, rows.length, 'the counter fits')
  t.same(describeState(state), describeState(await loadState(sql)), 'the state equals the tables')
}
