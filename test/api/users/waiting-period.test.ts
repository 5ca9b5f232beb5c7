import t from 'tap'
import { createUser } from '../../harness/worlds/account-changes.ts'
import { createApiKey } from '../../../server/changes/passwords.ts'
import { ROLES, type RoleName } from '../../../server/domain/entities.ts'
import { Client } from '../../harness/client/client.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const DAY_MS = 24 * 3600 * 1000
const MINUTE_MS = 60_000
const FULL_MEMBERS = 4

async function start(t: TestContext) {
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock })
  const owner = server.as('owner')
  const wait = (waiting_period_threshold: number) =>
    owner.must('PATCH', '/realm', { waiting_period_threshold })
  return { server, clock, owner, wait }
}

/** A user who joins now. */
async function join(
  { node }: TestServer,
  clock: ManualClock,
  name: string,
  role: RoleName = 'member',
): Promise<Client> {
  const [key, email] = [createApiKey(), `${name}@example.com`]
  const { id } = await node.services.committer.submit(
    createUser(
      {
        email,
        fullName: name,
        role: ROLES[role],
        isActive: true,
        botType: null,
        botOwnerId: null,
        timezone: '',
        joinedAt: Math.floor(clock.nowMs() / 1000),
        avatarVersion: 1,
      },
      key,
    ),
  )
  return new Client(node.url, id, email, key)
}

/** Lets time pass until the jobs of each minute have run. */
async function pass({ node }: TestServer, clock: ManualClock, ms: number): Promise<void> {
  clock.leap(ms - MINUTE_MS)
  clock.advance(MINUTE_MS)
  await node.services.committer.drain()
}

const isFull = ({ node }: TestServer, { userId }: Client) =>
  node.services.state.groups.get(FULL_MEMBERS as never).directMembers.has(userId as never)
const ofGroups = (events: readonly WireEvent[]) =>
  events.filter(({ type }: { type: string }) => type === 'user_group')

t.test('[FULL1] without a waiting period members are full members at once', async (t) => {
  const { server, clock } = await start(t)
  t.ok(isFull(server, await join(server, clock, 'new')))
  t.notOk(isFull(server, await join(server, clock, 'visitor', 'guest')))
})

t.test('[FULL2] a new member becomes a full member after the waiting period', async (t) => {
  const { server, clock, wait } = await start(t)
  await wait(3)
  const person = await join(server, clock, 'new')
  const guest = await join(server, clock, 'visitor', 'guest')
  t.notOk(isFull(server, person))
  await pass(server, clock, 3 * DAY_MS - 2 * MINUTE_MS)
  t.notOk(isFull(server, person))
  const received = await expectConsistent(server, () => pass(server, clock, 2 * MINUTE_MS))
  for (const events of Object.values(received)) {
    t.match(events, [{ op: 'add_members', group_id: FULL_MEMBERS, user_ids: [person.userId] }])
    t.equal(events.length, 1)
  }
  t.ok(isFull(server, person))
  t.notOk(isFull(server, guest))
})

t.test('[FULL3] due members become full members together, once', async (t) => {
  const { server, clock, wait } = await start(t)
  await wait(1)
  const first = await join(server, clock, 'first')
  const second = await join(server, clock, 'second')
  await pass(server, clock, DAY_MS - 2 * MINUTE_MS)
  const events = await expectConsistent(server, () => pass(server, clock, 3 * MINUTE_MS))
  t.match(ofGroups(events.member), [{ op: 'add_members', user_ids: [first.userId, second.userId] }])
  const after = await expectConsistent(server, () => pass(server, clock, 5 * MINUTE_MS))
  t.same(ofGroups(after.member), [])
})

t.test('[FULL4] a new threshold takes effect in the same change', async (t) => {
  const { server, clock, wait } = await start(t)
  const person = await join(server, clock, 'new')
  const longer = await expectConsistent(server, () => wait(7))
  t.match(longer.member, [
    { type: 'realm', op: 'update_dict', data: { waiting_period_threshold: 7 } },
    { op: 'remove_members', group_id: FULL_MEMBERS, user_ids: [person.userId] },
  ])
  t.ok(isFull(server, server.as('member')), 'older accounts stay full members')
  t.notOk(isFull(server, person))
  const none = await expectConsistent(server, () => wait(0))
  t.match(ofGroups(none.guest), [{ op: 'add_members', user_ids: [person.userId] }])
})

t.test('[FULL5] full members see only private channels that are open to them', async (t) => {
  const { server, clock, owner, wait } = await start(t)
  await owner.subscribe(['lounge'], {
    invite_only: true,
    principals: [1, 4],
    can_subscribe_group: FULL_MEMBERS,
  })
  const person = await join(server, clock, 'new')
  await wait(2)
  const join2 = () => person.post('/users/me/subscriptions', { subscriptions: [{ name: 'lounge' }] })
  expectRefusal(t, await join2(), 'Unable to access channel (lounge).')
  await pass(server, clock, 2 * DAY_MS - 2 * MINUTE_MS)
  const queue = await person.register()
  await pass(server, clock, 3 * MINUTE_MS)
  t.match(await person.events(queue), [
    { op: 'add_members' },
    { type: 'stream', op: 'create', streams: [{ name: 'lounge' }] },
    { type: 'subscription', op: 'peer_add', user_ids: [1, 4] },
  ])
  t.equal((await join2()).status, 200)
  // A subscriber stays one; member2 is a full member until nobody is.
  const events = await expectConsistent(server, () => wait(36_600))
  t.match(events.member2?.slice(-1), [{ type: 'stream', op: 'delete' }])
  t.same(
    events.member?.filter(({ type }) => type === 'stream'),
    [],
  )
})

t.test('[FULL6] moderators and higher roles count as full members without waiting', async (t) => {
  const { server, clock, owner, wait } = await start(t)
  await wait(30)
  const person = await join(server, clock, 'new')
  await expectConsistent(server, () => owner.must('PATCH', `/users/${person.userId}`, { role: 300 }))
  t.ok(server.node.services.state.groups.membersOf(FULL_MEMBERS as never).has(person.userId as never))
  await expectConsistent(server, () => owner.must('PATCH', `/users/${person.userId}`, { role: 400 }))
  t.notOk(isFull(server, person))
})

t.test('[FULL7] a user whose waiting period ends while deactivated returns as a full member', async (t) => {
  const { server, clock, owner, wait } = await start(t)
  await wait(3)
  const person = await join(server, clock, 'new')
  await owner.must('DELETE', `/users/${person.userId}`)
  await pass(server, clock, 3 * DAY_MS - 2 * MINUTE_MS)
  const events = await expectConsistent(server, () => pass(server, clock, 3 * MINUTE_MS))
  t.same(ofGroups(events.owner), [])
  const back = await expectConsistent(server, () => owner.must('POST', `/users/${person.userId}/reactivate`))
  t.match(ofGroups(back.owner), [{ group_id: FULL_MEMBERS }, { group_id: 5 }])
})

t.test('[FULL8] several nodes promote a member once', async (t) => {
  const { server, clock, wait } = await start(t)
  const other = await server.startAnotherNode()
  await wait(1)
  const person = await join(server, clock, 'new')
  clock.leap(DAY_MS)
  clock.advance(MINUTE_MS)
  await Promise.all([server.node, other.node].map(({ services }) => services.committer.drain()))
  const rows = await server.node.services.sql<{ userIds: number[] }[]>`
    select event->'userIds' as "userIds" from event_log
    where event->>'type' = 'user_group/add_members' and (event->>'groupId')::int = ${FULL_MEMBERS}`
  t.equal(rows.filter(({ userIds }) => userIds.includes(person.userId)).length, 1)
})
