/** Users are recorded as seen: once a day, soon, and by any process. */

import { notify } from '../../server/events/notify.ts'
import t from 'tap'
import type { Change } from '../../server/actors/committer.ts'
import { SeenUsersRecorder } from '../../server/actors/seen-users-recorder.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { dayOf } from '../../server/domain/messages/weekly-traffic.ts'
import { createLogger } from '../../server/logger.ts'
import { startNode } from '../../server/node/node.ts'
import { loadState } from '../../server/state/load-state.ts'
import { OrganizationState } from '../../server/state/organization-state.ts'
import { addUser, deactivate } from '../harness/worlds/add-user.ts'
import { Client } from '../harness/client/client.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { openStream } from '../events/open-stream.ts'
import { describeState } from '../state/describe-state.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Noon of a day, in UTC. */
const NOON_MS = Date.parse('2027-03-01T12:00:00Z')
const TODAY = dayOf(NOON_MS / 1000)

async function startAt(t: Parameters<typeof startTestServer>[0], startMs: number) {
  const clock = new ManualClock(startMs)
  const server = await startTestServer(t, { clock })
  /** A minute passes, and its record is committed. */
  const passMinute = async () => {
    clock.advance(MINUTE_MS)
    await server.node.services.committer.drain()
  }
  return { clock, server, passMinute }
}

/** The users seen by day, from the log. */
async function readSeen({ node }: TestServer): Promise<[day: number, userIds: readonly number[]][]> {
  const rows = await node.services.sql<{ event: Extract<LogEvent, { type: 'users_seen' }> }[]>`
    select event from event_log where event->>'type' = 'users_seen' order by id`
  return rows.map(({ event }) => [event.day, event.userIds])
}

t.test('[SEEN1] users who make requests are recorded within a minute, in one event', async (t) => {
  const { server, passMinute } = await startAt(t, NOON_MS)
  await server.as('member').must('GET', '/users/me')
  await server.as('owner').must('GET', '/users/me')
  await server.as('member').must('GET', '/streams')
  t.same(await readSeen(server), [])
  await passMinute()
  t.same(await readSeen(server), [[TODAY, [1, 4]]])
  await passMinute()
  t.equal((await readSeen(server)).length, 1, 'a minute without requests commits nothing')
})

t.test('[SEEN2] a user is recorded once a day', async (t) => {
  const { clock, server, passMinute } = await startAt(t, NOON_MS)
  for (let count = 0; count < 3; count++) {
    await server.as('member').must('GET', '/users/me')
    await passMinute()
  }
  t.same(await readSeen(server), [[TODAY, [4]]])
  await server.as('guest').must('GET', '/users/me')
  await server.as('member').must('GET', '/users/me')
  await passMinute()
  t.same((await readSeen(server)).slice(1), [[TODAY, [6]]], 'another user of the same day')
  clock.leap(DAY_MS)
  await server.as('member').must('GET', '/users/me')
  await passMinute()
  t.same((await readSeen(server)).slice(2), [[TODAY + 1, [4]]])
})

t.test(
  '[SEEN3] a user is recorded for the day of the request, even if the day has changed since',
  async (t) => {
    const { clock, server, passMinute } = await startAt(t, NOON_MS + DAY_MS / 2 - 10_000)
    await server.as('member').must('GET', '/users/me')
    await server.as('owner').must('GET', '/users/me')
    clock.leap(20_000)
    await server.as('owner').must('GET', '/users/me')
    await passMinute()
    t.same(await readSeen(server), [
      [TODAY, [4]],
      [TODAY + 1, [1]],
    ])
  },
)

t.test('[SEEN4] a request without valid credentials records nobody', async (t) => {
  const { server, passMinute } = await startAt(t, NOON_MS)
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const { url, userId, email } = server.as('member')
  const impostor = new Client(url, userId, email, 'k'.repeat(32))
  for (const client of [gone, impostor, server.anyone]) t.equal((await client.get('/users/me')).status, 401)
  await server.anyone.must('GET', '/server_settings')
  await passMinute()
  t.same(await readSeen(server), [])
})

t.test('[SEEN5] refused requests and event streams record their user, too', async (t) => {
  const { clock, server, passMinute } = await startAt(t, NOON_MS)
  t.equal((await server.as('member').get('/streams/999')).status, 400)
  const guest = server.as('guest')
  const queue = await guest.register({ fetch_event_types: [], idle_queue_timeout: 'mobile' })
  await passMinute()
  t.same(await readSeen(server), [[TODAY, [4, 6]]])
  clock.leap(DAY_MS)
  const stream = await openStream(guest, queue)
  await passMinute()
  t.same((await readSeen(server)).slice(1), [[TODAY + 1, [6]]])
  await stream.close()
})

t.test('[SEEN6] two nodes that see the same user record it once', async (t) => {
  const { server } = await startAt(t, NOON_MS)
  const other = await server.startAnotherNode()
  for (const node of [server, other]) await node.as('member').must('GET', '/users/me')
  await server.as('owner').must('GET', '/users/me')
  await other.as('guest').must('GET', '/users/me')
  await Promise.all([server.node, other.node].map(({ services }) => services.seenUsers.record()))
  const seen = await readSeen(server)
  t.ok(seen.every(([day]) => day === TODAY))
  t.same(
    seen.flatMap(([, userIds]) => userIds).sort((a, b) => a - b),
    [1, 4, 6],
  )
})

t.test('[SEEN7] a node that shuts down records the users it has seen first', async (t) => {
  const { clock, server } = await startAt(t, NOON_MS)
  const { config } = server
  const node = await startNode({ config, logger: createLogger(config.logLevel), clock })
  const { userId, email, key } = server.as('moderator')
  await new Client(node.url, userId, email, key).must('GET', '/users/me')
  await node.close()
  t.same(await readSeen(server), [[TODAY, [3]]])
})

t.test('[SEEN8] memory and tables agree on when each user was seen', async (t) => {
  const { clock, server, passMinute } = await startAt(t, NOON_MS)
  await server.as('member').must('GET', '/users/me')
  await server.as('owner').must('GET', '/users/me')
  await passMinute()
  clock.leap(3 * DAY_MS)
  await server.as('owner').must('GET', '/users/me')
  await passMinute()
  const { state, sql } = server.node.services
  const loaded = await loadState(sql)
  t.same(describeState(loaded), describeState(state))
  t.equal(state.seenUsers.dayOf(1 as UserId), TODAY + 3)
  t.equal(state.seenUsers.dayOf(4 as UserId), TODAY)
  t.equal(state.seenUsers.dayOf(6 as UserId), dayOf(1_700_000_000), 'or when they joined')
  for (const one of [state, loaded]) {
    t.same(one.usersOfInterest(clock.nowMs() / 1000).toArray(), [1, 4, 7])
    t.same(one.usersOfInterest((NOON_MS + 15 * DAY_MS) / 1000).toArray(), [1, 7])
  }
})

t.test('[SEEN9] a failed write fails no request, and the next request tries again', async (t) => {
  const state = new OrganizationState()
  const errors: unknown[] = []
  const changes: Change<unknown>[] = []
  let isBroken = true
  const recorder = new SeenUsersRecorder({
    state,
    clock: new ManualClock(NOON_MS),
    onError: (error) => errors.push(error),
    committer: {
      async submit(change: Change<unknown>) {
        if (isBroken) throw new Error('the database is gone')
        changes.push(change)
      },
    } as never,
  })
  t.teardown(() => recorder.stop())
  recorder.note(4 as UserId)
  await recorder.record()
  t.match(errors, [{ message: 'the database is gone' }])
  isBroken = false
  await recorder.record()
  t.same(changes, [])
  recorder.note(4 as UserId)
  await recorder.record()
  t.match(changes[0]?.decide(state).events, [{ day: TODAY, userIds: [4] }])
})

t.test('[SEEN10] many users are recorded in events of a bounded size', async (t) => {
  const state = new OrganizationState()
  const changes: Change<unknown>[] = []
  const recorder = new SeenUsersRecorder({
    state,
    clock: new ManualClock(NOON_MS),
    onError: (error) => t.fail(String(error)),
    committer: { submit: async (change: Change<unknown>) => changes.push(change) } as never,
  })
  t.teardown(() => recorder.stop())
  for (let id = 12_000; id >= 1; id--) recorder.note(id as UserId)
  await recorder.record()
  const events = notify(state, changes[0]?.decide(state).events ?? []).entries
  const lists = events.map(({ event }) => (event.type === 'users_seen' ? event.userIds : []))
  t.same(
    lists.map(({ length }) => length),
    [5_000, 5_000, 2_000],
  )
  t.same(
    lists.flat(),
    Array.from({ length: 12_000 }, (_, index) => index + 1),
  )
  t.ok(events.every(({ audience }) => audience.kind === 'nobody'))
})
