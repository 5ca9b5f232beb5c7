/** Push services that hang: they get one request at a time, and hold up no others. */

import { BlockList } from 'node:net'
import t from 'tap'
import { GuardedFetch, type GuardOptions } from '../../server/outbound/guarded-fetch.ts'
import { makeServerKey } from '../../server/outbound/web-push-keys.ts'
import { PushFigures } from '../../workers/jobs/push/push-figures.ts'
import { sendPushes } from '../../workers/jobs/push/send-pushes.ts'
import { postWebPush, type WebPushSender } from '../../workers/jobs/push/web/post-web-push.ts'
import { SilentServices } from '../../workers/jobs/push/web/silent-services.ts'
import { Vapid } from '../../workers/jobs/push/web/vapid.ts'
import { type PushBrowser, startPushService } from '../harness/providers/start-push-service.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Milliseconds that a service may take, and one more. */
const LONG_MS = 2_001
const DAY_SECONDS = 86_400
/** Requests that may wait for a turn: few, so that all have time for it. */
const WAITING_MAX = 4

const SILENT = { kind: 'unsent', answer: 'service silent' } as const

/** A sender that reads the given clock, and takes turns as the given guard does. */
function createSender(nowMs: () => number, options: GuardOptions = {}): WebPushSender {
  const networks = new BlockList()
  networks.addAddress('127.0.0.1')
  return {
    fetch: new GuardedFetch({ networks, hosts: [] }, { ...options, reusesConnections: true }),
    vapid: new Vapid(makeServerKey(), 'mailto:operator@example.org'),
    silent: new SilentServices(nowMs),
  }
}

function postTo(sender: WebPushSender, { fields: { endpoint, p256dh, auth } }: PushBrowser) {
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  const message = { plain: Buffer.from('hello'), urgency: 'high', ttlSeconds: 60 } as const
  return postWebPush(sender, { endpoint, ...keys }, message)
}

t.test('[WEBPUSH22] a push service that hangs is asked one at a time, until it answers', async (t) => {
  const [hanging, other] = [await startPushService(t), await startPushService(t)]
  let nowMs = 1_000
  const sender = createSender(() => nowMs)
  const post = (browser: PushBrowser) => postTo(sender, browser)
  const [held, next, elsewhere] = [hanging.subscribe(), hanging.subscribe(), other.subscribe()]
  const gate = Promise.withResolvers<void>()
  held.gate = gate.promise

  const first = post(held)
  await pollUntil('it waits', () => held.asked === 1)
  nowMs++
  t.match(await post(next), { kind: 'taken' }, 'one that waits is no reason')
  const second = post(held)
  await pollUntil('it waits, too', () => held.asked === 2)
  nowMs += LONG_MS
  t.match(await post(next), { kind: 'taken' }, 'nor is an old one, since another was answered meanwhile')
  held.odd = 'broken'
  const third = post(held)
  await pollUntil('a third waits', () => held.asked === 3)
  gate.resolve()
  t.match(await Promise.all([first, second]), [{ kind: 'taken' }, { kind: 'taken' }])
  t.match(await third, { kind: 'later', answer: 'no answer' })
  t.match(await post(next), { kind: 'taken' }, 'a cut connection is no silence')

  held.odd = undefined
  const shut = Promise.withResolvers<void>()
  held.gate = shut.promise
  const silent = post(held)
  await pollUntil('it waits', () => held.asked === 4)
  nowMs += LONG_MS
  t.same(await post(next), SILENT, 'it is silent')
  t.equal(next.asked, 3, 'and was not asked')
  t.match(await post(elsewhere), { kind: 'taken' }, 'others are')
  held.odd = 'broken'
  shut.resolve()
  t.match(await silent, { kind: 'taken' })
  t.match(await post(next), { kind: 'taken' }, 'until it answers')

  const lost = Promise.withResolvers<void>()
  held.gate = lost.promise
  const ends = post(held)
  await pollUntil('it waits', () => held.asked === 5)
  nowMs += LONG_MS
  lost.resolve()
  t.match(await ends, { kind: 'later' }, 'its request ends without an answer')
  held.gate = undefined
  held.odd = undefined
  const probe = Promise.withResolvers<void>()
  next.gate = probe.promise
  const asked = post(next)
  await pollUntil('one request finds out', () => next.asked === 5)
  t.same(await post(held), SILENT, 'and no other goes along')
  probe.resolve()
  t.match(await asked, { kind: 'taken' })
  t.match(await post(held), { kind: 'taken' })
  t.same([hanging.faults, other.faults], [[], []])
})

t.test('[WEBPUSH23] pushes that wait for their turn are no silence of their service', async (t) => {
  const [hanging, other] = [await startPushService(t), await startPushService(t)]
  let nowMs = 1_000
  const sender = createSender(() => nowMs, { turns: { max: 2, perHostMax: 2, waitingMax: WAITING_MAX } })
  const post = (browser: PushBrowser) => postTo(sender, browser)
  const [held, cut, well] = [hanging.subscribe(), hanging.subscribe(), other.subscribe()]
  const [gate, knife] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  held.gate = gate.promise
  cut.gate = knife.promise
  cut.odd = 'broken'

  const first = post(held)
  const second = post(cut)
  await pollUntil('both turns are taken', () => held.asked + cut.asked === 2)
  const early = post(well)
  const alike = [post(held), post(cut)]
  nowMs += LONG_MS
  const late = post(well)
  t.same(await post(cut), SILENT, 'the one that hangs is silent')
  knife.resolve()
  t.match(await second, { kind: 'later', answer: 'no answer' }, 'it was asked')
  t.match(await Promise.all([early, late]), [{ kind: 'taken' }, { kind: 'taken' }], 'the other is not')
  t.same(await Promise.all(alike), [SILENT, SILENT], 'pushes that waited meanwhile do not go along')
  t.same([held.asked, cut.asked, well.asked], [1, 1, 2])

  const queued = Promise.withResolvers<void>()
  well.gate = queued.promise
  const last = post(well)
  await pollUntil('no turn is free', () => well.asked === 3)
  const crowd = Array.from({ length: WAITING_MAX }, () => post(well))
  t.same(await post(well), { kind: 'unsent', answer: undefined }, 'one that may not even wait has no answer')
  queued.resolve()
  gate.resolve()
  for (const result of await Promise.all([first, last, ...crowd])) if (result.kind !== 'taken') t.fail(result)
  t.same([hanging.faults, other.faults], [[], []])
})

t.test(
  '[WEBPUSH24] a push that a silent service keeps here costs no try for a day, and its device says so',
  async (t) => {
    const service = await startPushService(t)
    const server = await startTestServer(t, { env: service.env })
    const [member, owner] = [server.as('member'), server.as('owner')]
    const { sql } = server.node.services
    const browser = service.subscribe()
    await member.must('PATCH', '/settings', { enable_offline_push_notifications: true })
    await member.must('POST', '/users/me/web_push', browser.fields)
    let nowMs = 1_000
    const web = createSender(() => nowMs)
    const clock = new ManualClock(Date.now())
    const sender = await openTestSender(t, server, clock)
    const publicUrl = 'http://localhost'
    const work = async () => {
      await sql`update pushes set due_at = now() where due_at is not null`
      await sendPushes({
        sql,
        relay: undefined,
        web: { sql, publicUrl, openSender: async () => web },
        organizationId: '',
        organizationUrl: publicUrl,
        figures: new PushFigures(),
        clock,
        openSender: async () => sender,
        readActivity: async () => new Map(),
      })
    }
    const write = () =>
      owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'hi' })
    const readTries = async () =>
      (await sql<{ tries: number }[]>`select tries from pushes where shown_at is null`).map(
        ({ tries }) => tries,
      )
    const answers = async () =>
      (await member.must('GET', '/users/me/web_push')).subscriptions?.map((one) => one.last_answer)

    const other = web.silent.begin(service.url)
    other.dial()
    nowMs += LONG_MS
    await write()
    await work()
    const [begun] = await sql<{ at: string }[]>`select now()::text as at`
    await work()
    t.same([await readTries(), browser.asked, await answers()], [[0], 0, ['service silent']])
    const [row] = await sql<{ isLater: boolean }[]>`
      select due_at > ${begun?.at ?? ''}::text::timestamptz + interval '4 seconds' as "isLater" from pushes`
    t.same(row, { isLater: true }, 'it waits')
    other.end(true)
    await work()
    t.same([await readTries(), browser.asked, await answers()], [[], 1, ['201']])

    const another = web.silent.begin(service.url)
    another.dial()
    nowMs += LONG_MS
    await write()
    await work()
    const age = (seconds: number) =>
      sql`update pushes set asked_at = to_timestamp(${Math.floor(clock.nowMs() / 1_000) - seconds})`
    await age(DAY_SECONDS - 1)
    await work()
    t.same(await readTries(), [0])
    await age(DAY_SECONDS)
    for (let tries = 1; tries < 10; tries++) {
      await work()
      t.same(await readTries(), [tries], 'after a day, each costs one')
    }
    await work()
    t.same([await readTries(), browser.asked], [[], 1], 'so that it ends')
    another.end(false)
  },
)
