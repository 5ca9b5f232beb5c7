import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const OWNER = 100
const ADMINISTRATOR = 200
const MODERATOR = 300
const MEMBER = 400
const GUEST = 600

const server = await startTestServer(t)
const owner = server.as('owner')
const administrator = server.as('administrator')
const member = server.as('member')
const member2 = server.as('member2')

const setRole = (person: Person, userId: number, role: unknown, on: TestServer = server) =>
  on.as(person).patch(`/users/${userId}`, { role })
const roleOf = async (userId: number) => (await owner.must('GET', `/users/${userId}`)).user.role
const types = (events: readonly WireEvent[]) =>
  events.map(({ type, op }: { type: string; op?: string }) => (op === undefined ? type : `${type}/${op}`))
const ofType = (events: readonly WireEvent[], type: string) =>
  events.filter((one: { type: string }) => one.type === type)

/** Ids of the system groups with a user as direct member, as clients see them. */
async function groupsOf(client: Client): Promise<number[]> {
  const { state } = await owner.register({ fetch_event_types: ['realm_user_groups'] })
  return state.realm_user_groups
    .filter((one) => one.is_system_group && one.members.includes(client.userId))
    .map((one) => one.id)
}

t.test('[ROLE1] a new role changes the groups of the user, and everyone gets events', async (t) => {
  const person = await addUser(server, 'changing')
  t.same(await groupsOf(person), [4, 5])
  for (const [role, groups] of [
    [MODERATOR, [3]],
    [ADMINISTRATOR, [2]],
    [OWNER, [1]],
    [GUEST, [6]],
    [MEMBER, [4, 5]],
  ] as const) {
    const received = await expectConsistent(server, async () => {
      t.same((await setRole('owner', person.userId, role)).body, { result: 'success', msg: '' })
    })
    for (const events of Object.values(received)) {
      t.match(events[0], { type: 'realm_user', op: 'update', person: { user_id: person.userId, role } })
      t.ok(types(events).includes('user_group/remove_members'))
      t.ok(types(events).includes('user_group/add_members'))
    }
    t.same(await groupsOf(person), groups)
    t.equal(await roleOf(person.userId), role)
  }
})

t.test('[ROLE2] the same role, or none, sends no event', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.equal((await setRole('administrator', member.userId, MEMBER)).status, 200)
    t.equal((await setRole('administrator', owner.userId, OWNER)).status, 200)
    t.same((await administrator.patch(`/users/${member.userId}`)).body, { result: 'success', msg: '' })
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
})

t.test('[ROLE3] a role is one of the five numbers', async (t) => {
  for (const role of [0, 500, -100, 1e15]) {
    expectRefusal(t, await setRole('owner', member.userId, role), 'Invalid role')
  }
  for (const role of [1.5, [400], null, '"member"']) {
    expectRefusal(t, await setRole('owner', member.userId, role), 'role is not an integer')
  }
  expectRefusal(t, await setRole('owner', member.userId, 'member'), 'role is not valid JSON')
})

t.test('[ROLE4] only administrators change roles, and only of known users', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await setRole(person, member.userId, MODERATOR), 'Insufficient permission')
  }
  // Its owner does not matter: an owner could raise it above themselves.
  expectRefusal(t, await setRole('member', server.as('bot').userId, ADMINISTRATOR), 'Insufficient permission')
  for (const id of [0, 999]) expectRefusal(t, await setRole('owner', id, MEMBER), 'No such user')
})

t.test('[ROLE5] only owners grant and revoke the role of owner', async (t) => {
  const message = 'Must be an organization owner'
  expectRefusal(t, await setRole('administrator', member.userId, OWNER), message)
  expectRefusal(t, await setRole('administrator', administrator.userId, OWNER), message)
  expectRefusal(t, await setRole('administrator', owner.userId, MEMBER), message)
  const second = await addUser(server, 'second')
  t.equal((await setRole('administrator', second.userId, ADMINISTRATOR)).status, 200)
  t.equal((await setRole('owner', second.userId, OWNER)).status, 200)
  t.equal((await setRole('owner', second.userId, MEMBER)).status, 200)
})

t.test('[ROLE6] the only owner cannot lose the role; bots and deactivated owners do not count', async (t) => {
  const server = await startTestServer(t)
  const message = 'The owner permission cannot be removed from the only organization owner.'
  expectRefusal(t, await setRole('owner', 1, MEMBER, server), message)
  const botId = server.as('bot').userId
  await server.as('owner').must('PATCH', `/bots/${botId}`, { bot_owner_id: 1 })
  t.equal((await setRole('owner', botId, OWNER, server)).status, 200)
  expectRefusal(t, await setRole('owner', 1, MEMBER, server), message)
  const gone = await addUser(server, 'gone', { role: 'owner' })
  await deactivate(server, gone.userId)
  expectRefusal(t, await setRole('owner', 1, MEMBER, server), message)
  t.equal((await setRole('owner', gone.userId, MEMBER, server)).status, 200)
  t.equal((await setRole('owner', 4, OWNER, server)).status, 200)
  t.equal((await setRole('owner', 1, ADMINISTRATOR, server)).status, 200)
})

t.test('[ROLE7] the role of the notification bot cannot be changed', async (t) => {
  const server = await startTestServer(t)
  const asOwner = server.as('owner')
  await asOwner.must('PATCH', '/realm', { send_channel_events_messages: true })
  const { channel } = await makeSystemBot(server)
  t.ok(channel)
  const { state } = await asOwner.register({ fetch_event_types: ['realm_user'] })
  const [bot] = state.cross_realm_bots
  expectRefusal(t, await setRole('owner', bot.user_id, OWNER, server), 'No such user')
  expectRefusal(t, await asOwner.delete(`/users/${bot.user_id}`), 'No such user')
  expectRefusal(t, await asOwner.post(`/users/${bot.user_id}/reactivate`), 'No such user')
})

/** Does something that makes the notification bot write. */
async function makeSystemBot(server: TestServer) {
  const owner = server.as('owner')
  await owner.subscribe(['noted'])
  const channel = server.node.services.state.findChannelByName('noted')
  await owner.must('PATCH', `/streams/${channel?.channel.id}`, { new_name: 'noted again' })
  return { channel }
}

t.test(
  '[ROLE8] a guest who becomes a member gains sight of public channels and their subscribers',
  async (t) => {
    const server = await startTestServer(t)
    const owner = server.as('owner')
    await owner.subscribe(['open', 'shared'], { principals: [1, 4] })
    await owner.subscribe(['shared'], { principals: [6] })
    await owner.subscribe(['secret'], { invite_only: true })
    await owner.must('POST', '/default_streams', { stream_id: 1 })
    const events = await expectConsistent(server, () => setRole('owner', 6, MEMBER, server))
    t.same(types(events.guest), [
      'realm_user/update',
      'user_group/remove_members',
      'user_group/add_members',
      'user_group/add_members',
      'stream/create',
      'subscription/peer_add',
      'default_streams',
    ])
    t.match(ofType(events.guest, 'stream'), [{ streams: [{ name: 'open' }] }])
    t.match(ofType(events.guest, 'subscription'), [{ stream_ids: [1], user_ids: [1, 4] }])
    t.match(ofType(events.guest, 'default_streams'), [{ default_streams: [1] }])
    t.same(ofType(events.member, 'default_streams'), [])
    t.same(ofType(events.member, 'stream'), [])
  },
)

t.test('[ROLE71] a role that changes nothing about default channels sends none', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['start'])
  await server.as('owner').must('POST', '/default_streams', { stream_id: 1 })
  const events = await expectConsistent(server, () => setRole('owner', 4, ADMINISTRATOR, server))
  t.ok(types(events.member).includes('realm_user/update'))
  t.same(ofType(events.member, 'default_streams'), [])
})

t.test('[ROLE9] a member who becomes a guest sees only subscribed channels', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['open', 'shared'])
  await owner.subscribe(['shared'], { principals: [5] })
  await owner.must('POST', '/default_streams', { stream_id: 1 })
  const events = await expectConsistent(server, () => setRole('owner', 5, GUEST, server))
  t.match(ofType(events.member2, 'stream'), [{ op: 'delete', stream_ids: [1] }])
  t.match(ofType(events.member2, 'default_streams'), [{ default_streams: [] }])
  t.same(ofType(events.member, 'stream'), [])
  // Only the sight of this user has changed.
  t.same(server.node.services.state.defaultChannelIds, [1])
})

t.test('[ROLE10] administrators see private channels, and lose them with the role', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['secret'], { invite_only: true, principals: [1, 4] })
  const lifted = await expectConsistent(server, () => setRole('owner', 5, ADMINISTRATOR, server))
  t.match(ofType(lifted.member2, 'stream'), [{ op: 'create', streams: [{ name: 'secret' }] }])
  t.match(ofType(lifted.member2, 'subscription'), [{ op: 'peer_add', stream_ids: [1], user_ids: [1, 4] }])
  t.same(ofType(lifted.member, 'stream'), [])
  const lowered = await expectConsistent(server, () => setRole('owner', 5, MEMBER, server))
  t.match(ofType(lowered.member2, 'stream'), [{ op: 'delete', stream_ids: [1] }])
})

t.test('[ROLE11] access to a private channel by a role group follows the role', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['lounge'], { invite_only: true, can_subscribe_group: 3 })
  const lifted = await expectConsistent(server, () => setRole('owner', 5, MODERATOR, server))
  t.match(ofType(lifted.member2, 'stream'), [{ op: 'create', streams: [{ name: 'lounge' }] }])
  t.equal(
    (
      await server.as('member2').post('/users/me/subscriptions', {
        subscriptions: [{ name: 'lounge' }],
      })
    ).status,
    200,
  )
})

t.test('[ROLE12] a role change of a deactivated user does not show them as a member', async (t) => {
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const events = await expectConsistent(server, () => setRole('owner', gone.userId, MODERATOR))
  t.same(types(events.owner), ['realm_user/update'])
  await expectConsistent(server, () => owner.must('POST', `/users/${gone.userId}/reactivate`))
  t.same(await groupsOf(gone), [3])
})

t.test(
  '[ROLE13] a queue with all public channels gets none of them after its user becomes a guest',
  async (t) => {
    const server = await startTestServer(t)
    const owner = server.as('owner')
    const listener = server.as('member2')
    await owner.subscribe(['open'])
    await owner.subscribe(['shared'], { principals: [1, 5] })
    const queue = await listener.register({ all_public_streams: true, event_types: ['message'] })
    const contents = async () => (await listener.events(queue)).map((one) => one.message.content)
    await owner.send('open', 'topic', 'to a member')
    t.same(await contents(), ['to a member'])
    await setRole('owner', 5, GUEST, server)
    await owner.send('open', 'topic', 'to a guest')
    await owner.send('shared', 'topic', 'to a subscriber')
    t.same(await contents(), ['to a subscriber'])
    await setRole('owner', 5, MEMBER, server)
    await owner.send('open', 'topic', 'to a member again')
    t.same(await contents(), ['to a member again'])
  },
)

t.test('[ROLE14] a right ends at once with the role', async (t) => {
  t.equal((await setRole('owner', member2.userId, ADMINISTRATOR)).status, 200)
  t.equal((await setRole('member2', member.userId, MODERATOR)).status, 200)
  t.equal((await setRole('member2', member2.userId, MEMBER)).status, 200)
  expectRefusal(t, await setRole('member2', member.userId, MEMBER), 'Insufficient permission')
  t.equal(await roleOf(member.userId), MODERATOR)
  await setRole('owner', member.userId, MEMBER)
})
