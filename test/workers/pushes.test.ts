/** Pushes of messages to browsers and phones: sent once, not after they were read, and withdrawn by reading. */

import t from 'tap'
import type { Sql } from '../../db/connection/connect.ts'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import {
  type OddPushAnswer,
  type PushBrowser,
  type PushService,
  startPushService,
} from '../harness/providers/start-push-service.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

interface Shown {
  readonly web_push?: number
  readonly notification?: {
    readonly title: string
    readonly body: string
    readonly navigate: string
    readonly tag: string
    readonly data: unknown
  }
  readonly app_badge?: number
  readonly withdrawn?: readonly string[]
}

async function start(
  t: TestContext,
  service: PushService,
  options: { redis?: boolean; env?: Record<string, string> } = {},
) {
  const server = await startTestServer(t, { ...options, env: { ...service.env, ...options.env } })
  const [member, owner] = [server.as('member'), server.as('owner')]
  const { sql } = server.node.services
  return {
    server,
    member,
    owner,
    sql,
    env: {
      ...service.env,
      ...options.env,
      DATABASE_URL: server.databaseUrl,
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: server.config.redisPrefix,
    },
    startWorker: async () => {
      const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
      let isClosed = false
      const close = async () => {
        if (!isClosed) await worker.close()
        isClosed = true
      }
      t.teardown(close)
      return { close, metrics: worker.metrics }
    },
    addBrowser: async (person = member) => {
      const browser = service.subscribe()
      await person.must('PATCH', '/settings', { enable_offline_push_notifications: true })
      await person.must('POST', '/users/me/web_push', browser.fields)
      return browser
    },
    write: async (content: string, to = member) =>
      (await owner.must('POST', '/messages', { type: 'direct', to: [to.userId], content })).id,
    read: (ids: readonly number[]) =>
      member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: ids }),
    /** Makes all that waits for its time due, and wakes the worker. */
    hurry: async () => {
      await sql`update pushes set due_at = now() where due_at is not null`
      await sql`update pending_notifications set due_at = now()`
      await sql`select pg_notify('parley_pending', 'push')`
    },
    /** Whether nothing is waiting or under way. */
    isQuiet: async () =>
      (await sql`select from pending_notifications where way = 'push'`).length === 0 &&
      (await sql`select from pushes where shown_at is null`).length === 0,
  }
}

/** A claim lasts for sixty seconds; no wait of these tests is as long. */
const isPostponed = (sql: Sql) =>
  sql`(due_at is not null and abs(extract(epoch from due_at - now()) - 55) > 6)`

const shownIn = ({ received }: PushBrowser): Shown[] => received.map(({ text }) => JSON.parse(text) as Shown)

t.test(
  '[WEBPUSH12] a message is pushed once to each browser of its reader, and to no one else',
  async (t) => {
    const service = await startPushService(t)
    const { server, member, owner, addBrowser, startWorker, write, isQuiet } = await start(t, service, {
      redis: true,
    })
    await Promise.all([startWorker(), startWorker()])
    const [one, other, foreign, own] = [
      await addBrowser(),
      await addBrowser(),
      await addBrowser(server.as('member2')),
      await addBrowser(owner),
    ]
    const id = await write('Lunch at **noon**? :smile:\n\n```spoiler Where\nsecret place\n```')
    await pollUntil('both have it', () => one.received.length === 1 && other.received.length === 1)
    const { full_name: name } = await owner.must('GET', '/users/me')
    const [shown] = shownIn(one)
    t.match(shown, {
      web_push: 8030,
      app_badge: 1,
      notification: {
        title: name,
        body: 'Lunch at noon? 🙂\nWhere',
        navigate: `/#narrow/dm/${owner.userId}/near/${id}`,
        data: { messageId: id, place: { type: 'direct', to: [owner.userId, member.userId] } },
      },
    })
    const { headers } = one.received[0] ?? {}
    t.match(headers, { urgency: 'high', ttl: '86400' })
    t.equal(headers?.['topic'], shown?.notification?.tag, 'a later one of the conversation replaces it')
    t.not(shown?.notification?.tag, shownIn(other)[0]?.notification?.tag, 'services cannot tell who talks')
    const next = await write('Or at one?')
    await pollUntil('both have the next', () => one.received.length === 2 && other.received.length === 2)
    t.equal(shownIn(one)[1]?.notification?.tag, shown?.notification?.tag)
    t.equal(shownIn(one)[1]?.app_badge, 2)
    t.ok(next > id)

    await owner.must('POST', '/channels/create', {
      name: 'bridge',
      subscribers: [owner.userId, member.userId],
    })
    const { full_name: memberName } = await member.must('GET', '/users/me')
    const inChannel = { type: 'channel', to: 'bridge', topic: 'the deck' }
    await owner.must('POST', '/messages', { ...inChannel, content: 'for nobody' })
    await owner.must('POST', '/messages', { ...inChannel, content: `@**${memberName}** look` })
    await pollUntil('the mention arrives', () => one.received.length === 3)
    t.match(shownIn(one)[2]?.notification, {
      title: `${name} (bridge › the deck)`,
      body: `@${memberName} look`,
    })
    t.match(shownIn(one)[2]?.notification?.navigate, /#narrow\/channel\/\d+\/topic\/the\.20deck\/near\/\d+$/)
    await pollUntil('nothing waits', isQuiet)
    t.same([foreign.received, own.received, service.faults], [[], [], []])
  },
)

t.test(
  '[WEBPUSH13] a message that was read is not pushed, and reading withdraws a notification',
  async (t) => {
    const service = await startPushService(t)
    const { addBrowser, startWorker, write, read, hurry, isQuiet, sql, member } = await start(t, service)
    const browser = await addBrowser()
    const early = await write('read at once')
    await read([early])
    const first = await write('first')
    await startWorker()
    await pollUntil('the unread one arrives', () => browser.received.length === 1)
    await pollUntil('nothing waits', isQuiet)
    t.match(shownIn(browser)[0]?.notification, { body: 'first' })
    const second = await write('second')
    await pollUntil('the second arrives', () => browser.received.length === 2)
    await pollUntil('nothing waits', isQuiet) // Else it is looked at again only after a minute.
    const { tag } = shownIn(browser)[1]?.notification ?? {}

    await read([first])
    await hurry()
    await pollUntil('one is looked after', async () => (await sql`select from pushes`).length === 1)
    t.equal(browser.received.length, 2, 'another message of the conversation still stands there')
    await read([second])
    await pollUntil('it is withdrawn', () => browser.received.length === 3)
    t.same(shownIn(browser)[2], { withdrawn: [tag], app_badge: 0 })
    t.match(browser.received[2]?.headers, { urgency: 'normal', topic: tag })
    await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)

    const third = await write('third')
    await pollUntil('the third arrives', () => browser.received.length === 4)
    await pollUntil('nothing waits', isQuiet)
    await hurry()
    await pollUntil('it rests', async () => (await sql`select from pushes where due_at is null`).length === 1)
    await member.must('POST', '/mark_all_as_read')
    await pollUntil('it is withdrawn', () => browser.received.length === 5)
    t.ok(third > second)

    await write('fourth')
    await pollUntil('the fourth arrives', () => browser.received.length === 6)
    await pollUntil('nothing waits', isQuiet)
    await sql`update web_push_subscriptions set endpoint = 'https://web.push.apple.com/x'`
    await member.must('POST', '/mark_all_as_read')
    await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
    t.equal(
      (await sql`select from web_push_subscriptions where last_answer = '201'`).length,
      1,
      'Apple was not asked',
    )
  },
)

t.test('[WEBPUSH14] a push has no text of direct messages if its reader wants none on screens', async (t) => {
  const service = await startPushService(t)
  const { addBrowser, startWorker, write, member } = await start(t, service)
  const browser = await addBrowser()
  await startWorker()
  await member.must('PATCH', '/settings', { pm_content_in_desktop_notifications: false })
  await write('secret')
  await pollUntil('it arrives', () => browser.received.length === 1)
  t.match(shownIn(browser)[0]?.notification, { body: 'New direct message' })
  t.notMatch(JSON.stringify(shownIn(browser)), /secret/)
})

t.test(
  '[WEBPUSH15] a push service may be slow, full or broken: the push arrives later, and once',
  async (t) => {
    const service = await startPushService(t)
    const { addBrowser, startWorker, write, hurry, sql } = await start(t, service)
    const browser = await addBrowser()
    await startWorker()
    const odd: readonly OddPushAnswer[] = [
      { status: 500 },
      { status: 503 },
      { status: 429, headers: { 'retry-after': '1800' } },
      { status: 429, headers: { 'retry-after': new Date(Date.now() + 1_700_000).toUTCString() } },
      'broken',
    ]
    let asked = 0
    for (const [index, answer] of odd.entries()) {
      browser.odd = answer
      if (index === 0) await write('patience')
      else await hurry()
      asked++
      await pollUntil('it was sent', () => browser.asked === asked)
      await pollUntil(
        'it waits',
        async () =>
          (await sql`select from pushes where tries = ${asked} and ${isPostponed(sql)}`).length === 1,
      )
      const [row] = await sql<{ wait: number }[]>`
      select extract(epoch from due_at - now())::float8 as wait from pushes`
      const isAsked = typeof answer === 'object' && answer.status === 429
      t.ok(isAsked ? (row?.wait ?? 0) > 1_500 : (row?.wait ?? 0) < 1_500, `${index}`)
    }
    browser.odd = undefined
    await hurry()
    await pollUntil('it arrives', () => browser.received.length === 1)
    t.match(shownIn(browser), [{ notification: { body: 'patience' } }])
  },
)

t.test('[WEBPUSH16] a device that is gone is dropped, and hopeless pushes are given up', async (t) => {
  const service = await startPushService(t)
  const { addBrowser, startWorker, write, hurry, sql, member, isQuiet } = await start(t, service)
  const { metrics } = await startWorker()
  for (const status of [404, 410]) {
    const browser = await addBrowser()
    browser.odd = { status }
    await write('gone')
    await pollUntil(
      'it is dropped',
      async () => (await member.must('GET', '/users/me/web_push')).subscriptions?.length === 0,
    )
  }
  const browser = await addBrowser()
  for (const [status, asked] of [
    [403, 1],
    [400, 1],
    [413, 2],
  ] as const) {
    browser.odd = { status }
    browser.asked = 0
    await write('refused')
    await pollUntil('it is given up', async () => browser.asked === asked && (await isQuiet()))
    t.match((await member.must('GET', '/users/me/web_push')).subscriptions, [{ last_answer: String(status) }])
  }
  browser.odd = { status: 500 }
  browser.asked = 0
  await write('never')
  for (let tries = 1; tries <= 10; tries++) {
    await pollUntil('it was tried', () => browser.asked === tries)
    await pollUntil(
      'it waits or is gone',
      async () => (await sql`select from pushes where not ${isPostponed(sql)}`).length === 0,
    )
    await hurry()
  }
  await pollUntil('it is given up', isQuiet)
  t.equal(browser.asked, 10)
  const counts = metrics.find(({ name }) => name === 'parley_pushes_total')?.read()
  t.match(counts, [
    { labels: { way: 'web', result: 'dropped' }, value: 2 },
    { labels: { way: 'web', result: 'failed' }, value: 4 },
    { labels: { way: 'web', result: 'postponed' }, value: 9 },
  ])
})

t.test(
  '[WEBPUSH17] the work of a killed worker goes to another at once, and a lost Redis loses no push',
  async (t) => {
    const service = await startPushService(t)
    const redis = await startRedis(t)
    const { addBrowser, startWorker, write, env, isQuiet, sql } = await start(t, service, {
      env: { REDIS_URL: redis.url },
    })
    const killed = startWorkerProcess(t, { ...env, REDIS_URL: redis.url })
    const [browser, quick] = [await addBrowser(), await addBrowser()]
    browser.odd = 'silent'
    await write('survivor')
    await pollUntil('the service was asked', () => browser.asked === 1)
    await pollUntil(
      'the other push is noted',
      async () => (await sql`select from pushes where shown_at is not null`).length === 1,
    )
    await startWorker()
    // No claim ends by time while the test lasts.
    await sql`update pushes set due_at = now() + interval '1 day' where claimed_by is not null`
    await killed.kill()
    browser.odd = undefined
    await pollUntil('it arrives by the other worker', () => browser.received.length === 1)
    await redis.client.flushall()
    await write('waiting')
    await pollUntil('both arrive', () => browser.received.length === 2)
    await pollUntil('nothing waits', isQuiet)
    await redis.client.flushall()
    await write('after')
    await pollUntil('it arrives', () => browser.received.length === 3)
    const bodies = new Set(shownIn(browser).map(({ notification }) => notification?.body))
    t.same(bodies, new Set(['after', 'survivor', 'waiting']))
    t.equal(quick.asked, 3, 'what the service had taken is not sent again')
  },
)

t.test('[WEBPUSH18] a push waits while its reader is active, unless they want it then, too', async (t) => {
  const service = await startPushService(t)
  const { addBrowser, startWorker, write, hurry, sql, member } = await start(t, service)
  const browser = await addBrowser()
  const beActive = () => sql`
    insert into last_activity (user_id, active_at) values (${member.userId}, extract(epoch from now())::bigint)
    on conflict (user_id) do update set active_at = excluded.active_at`
  await beActive()
  await startWorker()
  await write('while active')
  await pollUntil(
    'it waits',
    async () =>
      (await sql`select from pending_notifications where due_at > now() + interval '121 seconds'`).length ===
      1,
  )
  t.equal(browser.asked, 0)
  await sql`update last_activity set active_at = active_at - 600`
  await hurry()
  await pollUntil('it arrives when they are away', () => browser.received.length === 1)
  await beActive()
  await member.must('PATCH', '/settings', { enable_online_push_notifications: true })
  await write('at once')
  await pollUntil('it arrives', () => browser.received.length === 2)
})

t.test('[WEBPUSH19] a silence drops pushes for good, and texts are hidden by choice', async (t) => {
  const service = await startPushService(t)
  const { server, member, owner, sql, addBrowser, startWorker, write, isQuiet, hurry } = await start(
    t,
    service,
  )
  const browser = await addBrowser()
  const set = (settings: object) => member.must('PATCH', '/settings', { ...settings })
  const waiting = () => sql`select from pending_notifications`
  await write('before the worker') // It waits, and the silence comes first.
  t.equal((await waiting()).length, 1)
  await set({ parley_quiet_hours: '1,2,3,4,5,6,7 00:00-00:00 UTC' })
  await write('in quiet hours')
  await set({ parley_quiet_hours: '', parley_notifications_paused_until: 4_000_000_000 })
  await write('in a pause')
  t.equal((await waiting()).length, 1, 'a send writes nothing for users who want silence')
  await startWorker()
  await pollUntil('the first is dropped', isQuiet)
  await set({ parley_notifications_paused_until: 0, parley_hide_notification_text: true })
  browser.odd = { status: 503 }
  await write('secret')
  await pollUntil('a push waits for its second try', async () => {
    const rows = await sql`select from pushes where tries = 1 and ${isPostponed(sql)}`
    return rows.length === 1
  })
  browser.odd = undefined
  await set({ parley_notifications_paused_until: 4_000_000_000 })
  await hurry()
  await pollUntil('it is dropped, too', isQuiet)
  await set({ parley_notifications_paused_until: 0 })
  await write('secret')
  await owner.subscribe(['general'], { principals: [owner.userId, member.userId] })
  await server.as('owner').send('general', 'a topic', `@**The member|${member.userId}** secret`)
  await pollUntil('both arrive', () => browser.received.length === 2)
  t.same(
    shownIn(browser)
      .map(({ notification }) => notification?.body ?? '')
      .sort((a, b) => a.localeCompare(b)),
    ['New direct message', 'New message'],
  )
  await set({ default_language: 'de' })
  await write('secret')
  await pollUntil('the third arrives', () => browser.received.length === 3)
  t.match(shownIn(browser)[2]?.notification, {
    body: 'Neue Direktnachricht',
    data: { answer: { label: 'Antworten', placeholder: 'Nachricht schreiben' } },
  })
})

t.test(
  '[WEBPUSH20] notifications of messages that were deleted or moved away are withdrawn, once',
  async (t) => {
    const service = await startPushService(t)
    const { server, addBrowser, startWorker, write, read, sql, member, owner } = await start(t, service)
    const browser = await addBrowser()
    let worker = await startWorker()
    const both = [owner.userId, member.userId]
    const create = async (name: string, subscribers: readonly number[]) =>
      (await owner.must('POST', '/channels/create', { name, subscribers, invite_only: true })).id
    await create('bridge', both)
    const [mess, cabin] = [await create('mess', both), await create('cabin', [owner.userId])]
    const mention = () => server.as('owner').send('bridge', 'deck', `@**The member|${member.userId}** look`)
    const move = (id: number, channelId: unknown) =>
      owner.must('PATCH', `/messages/${id}`, {
        stream_id: channelId,
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: false,
      })
    /** They rest then, so that only what follows makes them due. */
    const isShown = async (count: number) => {
      await pollUntil(
        'it is shown',
        async () => (await sql`select from pushes where shown_at is not null and tries = 0`).length === count,
      )
      await sql`update pushes set due_at = null`
    }
    const isGone = () =>
      pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
    /** The kinds of pushes so far, each with its mark. */
    const marks = () =>
      shownIn(browser).map(({ notification, withdrawn }) => [notification?.tag ?? null, ...(withdrawn ?? [])])
    const last = () => shownIn(browser).at(-1)

    const deleted = await mention()
    await isShown(1)
    const tag = last()?.notification?.tag ?? ''
    await owner.must('DELETE', `/messages/${deleted}`)
    await isGone()
    t.same(last(), { withdrawn: [tag], app_badge: 0 })

    const away = await mention()
    await isShown(1)
    await move(away, cabin)
    await isGone()
    t.same(marks(), [[tag], [null, tag], [tag], [null, tag]], 'the reader may not read the other channel')

    const moved = await mention()
    await isShown(1)
    await move(moved, mess)
    await pollUntil('it rests', async () => (await sql`select from pushes where due_at is null`).length === 1)
    t.equal(marks().length, 5, 'the reader may read it there')
    await read([moved])
    await isGone()
    t.same(marks().slice(5), [[null, tag]], 'under the mark that the browser shows')

    const ids = [await write('one'), await write('two'), await write('three')]
    await isShown(3)
    await worker.close()
    const direct = last()?.notification?.tag ?? ''
    for (const id of ids.slice(0, 2)) await owner.must('DELETE', `/messages/${id}`)
    worker = await startWorker()
    await pollUntil('one is left', async () => (await sql`select from pushes`).length === 1)
    t.equal(marks().length, 9, 'the third message of the conversation stands there')
    await owner.must('DELETE', `/messages/${ids[2]}`)
    await isGone()
    t.same(marks().slice(9), [[null, direct]])

    const pair = [await write('four'), await write('five')]
    await isShown(2)
    await worker.close()
    for (const id of pair) await owner.must('DELETE', `/messages/${id}`)
    await startWorker()
    await isGone()
    t.same(marks().slice(10), [[direct], [direct], [null, direct]], 'one withdrawal for both')
  },
)

t.test('[WEBPUSH21] a message that is read while its push is under way is withdrawn at once', async (t) => {
  const service = await startPushService(t)
  const { addBrowser, startWorker, write, read, sql } = await start(t, service)
  const browser = await addBrowser()
  const other = await addBrowser()
  // A look that is left for later comes after the test.
  await sql.unsafe(`
    create function put_off() returns trigger language plpgsql as $$ begin
      new.due_at := new.due_at + interval '1 day';
      return new;
    end $$;
    create trigger put_off before update on pushes for each row
      when (new.shown_at is not null and new.due_at > now() + interval '30 seconds') execute function put_off()`)
  await startWorker()
  const gate = Promise.withResolvers<void>()
  browser.gate = gate.promise
  const id = await write('seen elsewhere')
  await pollUntil('it is under way', () => browser.asked === 1)
  await read([id])
  gate.resolve()
  const isWithdrawn = (one: PushBrowser) => shownIn(one).at(-1)?.withdrawn?.length === 1
  await pollUntil('both are withdrawn', () => isWithdrawn(browser) && isWithdrawn(other))
  await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
  t.same([browser.received.length, other.received.length], [2, 2])
})
