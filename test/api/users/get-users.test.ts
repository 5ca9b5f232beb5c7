import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, PEOPLE, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t, { env: { GRAVATAR: 'on' } })
const owner = server.as('owner')
const guest = server.as('guest')

const OWNER = {
  user_id: 1,
  delivery_email: emailOf('owner'),
  email: emailOf('owner'),
  full_name: 'The owner',
  date_joined: '2023-11-14T22:13:20+00:00',
  is_active: true,
  is_owner: true,
  is_admin: true,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: 100,
  timezone: '',
  avatar_url: null,
  avatar_version: 1,
  is_imported_stub: false,
}
const GRAVATAR = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/

t.test('[USER1] everyone can list all people and bots, active and deactivated', async (t) => {
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  for (const person of ['owner', 'guest', 'bot'] as const) {
    const { members, ...rest } = await server.as(person).must('GET', '/users')
    t.same(rest, { result: 'success', msg: '' })
    t.same(
      members.map((one) => one.full_name),
      [...PEOPLE.map((one) => `The ${one}`), 'The gone'],
    )
    t.same(members[0], OWNER)
    t.match(members.at(-1), { is_active: false })
  }
})

t.test('[USER2] a user is found by id', async (t) => {
  t.same(await guest.must('GET', '/users/1'), { result: 'success', msg: '', user: OWNER })
  const { user } = await guest.must('GET', '/users/7')
  t.match(user, { is_bot: true, bot_type: 1, bot_owner_id: 4, role: 400, is_owner: false, is_admin: false })
  const roles = [
    { role: 100, is_owner: true, is_admin: true, is_guest: false },
    { role: 200, is_owner: false, is_admin: true, is_guest: false },
    { role: 300, is_owner: false, is_admin: false, is_guest: false },
    { role: 400, is_owner: false, is_admin: false, is_guest: false },
    { role: 400 },
    { role: 600, is_owner: false, is_admin: false, is_guest: true },
  ]
  for (const [index, role] of roles.entries()) {
    t.match((await owner.must('GET', `/users/${index + 1}`)).user, role)
  }
})

t.test('[USER8] a list can be limited to some users; the notification bot is in no list', async (t) => {
  const { members } = await guest.must('GET', '/users', { user_ids: [6, 1, 999, 1] })
  t.same(
    members.map((one) => one.user_id),
    [1, 6],
  )
  t.same((await guest.must('GET', '/users', { user_ids: [] })).members, [])
  expectRefusal(t, await guest.get('/users', { user_ids: ['x'] }), 'user_ids[0] is not an integer')
  expectRefusal(t, await guest.get('/users', { user_ids: 1 }), 'user_ids is not a list')
})

t.test('[USER3] unknown users and invalid ids are refused', async (t) => {
  for (const id of [0, 999, 999_999_999]) expectRefusal(t, await owner.get(`/users/${id}`), 'No such user')
  for (const id of ['-1', '1.5', 'you', '1e0']) {
    expectRefusal(t, await owner.get(`/users/${id}`), 'No such user')
  }
})

t.test('[USER4] avatar URLs are left to clients that compute gravatars', async (t) => {
  const fields = { client_gravatar: false }
  t.match((await owner.must('GET', '/users/1', fields)).user, { avatar_url: GRAVATAR })
  const { members } = await owner.must('GET', '/users', fields)
  for (const { avatar_url } of members) t.match(avatar_url, GRAVATAR)
  t.equal((await owner.must('GET', '/users/1', { client_gravatar: true })).user.avatar_url, null)
})

t.test('[USER5] profiles of people are included on request; bots have none', async (t) => {
  const fields = { include_custom_profile_fields: true }
  t.same((await owner.must('GET', '/users/1', fields)).user, { ...OWNER, profile_data: {} })
  t.notOk('profile_data' in (await owner.must('GET', '/users/7', fields)).user)
  const { members } = await owner.must('GET', '/users', fields)
  t.same(
    members.map((one) => 'profile_data' in one),
    members.map((one) => !one.is_bot),
  )
})

t.test('[USER6] the own user includes the newest received message', async (t) => {
  t.same(await owner.must('GET', '/users/me'), {
    result: 'success',
    msg: '',
    ...OWNER,
    avatar_url: (await owner.must('GET', '/users/1', { client_gravatar: false })).user.avatar_url,
    profile_data: {},
    max_message_id: 0,
  })
  const bot = await server.as('bot').must('GET', '/users/me')
  t.notOk('profile_data' in bot)
  await owner.subscribe(['town'])
  const direct = await owner.sendDirect([4], 'hello')
  const inTown = await owner.send('town', 'topic', 'hello')
  const newest = async (person: 'owner' | 'member' | 'member2') =>
    (await server.as(person).must('GET', '/users/me')).max_message_id
  t.equal(await newest('owner'), inTown)
  t.equal(await newest('member'), direct)
  t.equal(await newest('member2'), 0)
})

t.test('[USER7] everyone gets events of new and deactivated users', async (t) => {
  let id = 0
  const added = await expectConsistent(server, async () => {
    id = (await addUser(server, 'late')).userId
  })
  for (const events of Object.values(added)) {
    t.match(events, [{ type: 'realm_user', op: 'add', person: { user_id: id, full_name: 'The late' } }])
  }
  const removed = await expectConsistent(server, () => deactivate(server, id))
  for (const events of Object.values(removed)) {
    t.match(events, [{ type: 'realm_user', op: 'update', person: { user_id: id, is_active: false } }])
  }
})

t.test('[USER9] the notification bot is registered separately and cannot be looked up', async (t) => {
  await owner.must('PATCH', '/realm', { send_channel_events_messages: true })
  const events = await expectConsistent(server, async () => {
    await owner.subscribe(['noted'])
    const channel = server.node.services.state.findChannelByName('noted')
    await owner.must('PATCH', `/streams/${channel?.channel.id}`, { new_name: 'noted again' })
  })
  const added = events.guest?.find(({ type, op }) => type === 'realm_user' && op === 'add')
  t.match(added, { person: { is_system_bot: true, is_bot: true } })
  const { state } = await guest.register({ fetch_event_types: ['realm_user'] })
  const [bot] = state.cross_realm_bots
  t.match(bot, { is_system_bot: true, user_id: added.person.user_id })
  expectRefusal(t, await guest.get(`/users/${bot.user_id}`), 'No such user')
  expectRefusal(t, await guest.get(`/users/${bot.email}`), 'No such user')
  const { members } = await guest.must('GET', '/users')
  t.notOk(members.some((one) => one.user_id === bot.user_id))
})
