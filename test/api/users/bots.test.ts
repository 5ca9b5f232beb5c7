import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { Client, type Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const host = new URL(server.node.url).hostname

const create = (fields: Fields, person: Person = 'member') =>
  server.as(person).post('/bots', { full_name: 'Helper', short_name: 'helper', ...fields })
const update = (id: number, fields: Fields, person: Person = 'member') =>
  server.as(person).patch(`/bots/${id}`, fields)
const regenerate = (id: number, person: Person = 'member') =>
  server.as(person).post(`/bots/${id}/api_key/regenerate`)
const ofBots = (events: readonly WireEvent[]) =>
  events.filter(({ type }: { type: string }) => type === 'realm_bot')
const asHelper = (key: string) => new Client(server.node.url, 8, `helper-bot@${host}`, key)
const helper = {
  user_id: 8,
  email: `helper-bot@${host}`,
  full_name: 'Helper',
  bot_type: 1,
  is_active: true,
  owner_id: 4,
  api_key: '',
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
}

t.test('[USER40] a member creates a bot; administrators and its owner get a bot event', async (t) => {
  let key = ''
  const events = await expectConsistent(server, async () => {
    const { status, body } = await create({})
    key = body.api_key
    t.match({ status, body }, { status: 200, body: { user_id: 8, api_key: /^[A-Za-z0-9]{32}$/ } })
  })
  for (const person of ['owner', 'member'] as const)
    t.match(ofBots(events[person]), [{ op: 'add', bot: helper }], person)
  for (const person of ['member2', 'guest'] as const) {
    t.same(ofBots(events[person]), [], person)
    t.match(events[person]?.[0], { type: 'realm_user', op: 'add', person: { user_id: 8, bot_owner_id: 4 } })
  }
  t.match(await asHelper(key).must('GET', '/users/me'), { is_bot: true, bot_owner_id: 4 })
  const { bots } = await member.must('GET', '/bots')
  t.match(bots, [{ user_id: 7 }, { user_id: 8, username: helper.email, full_name: 'Helper', api_key: '' }])
  t.same((await owner.must('GET', '/bots')).bots, [])
})

t.test('[USER41] the permission and the role decide who creates which bots', async (t) => {
  const fields = { full_name: 'Another', short_name: 'another' }
  expectRefusal(t, await create(fields, 'guest'), 'Insufficient permission')
  expectRefusal(t, await create(fields, 'bot'), 'This endpoint does not accept bot requests.')
  await owner.must('PATCH', '/realm', { can_create_bots_group: { new: 2 } })
  expectRefusal(t, await create(fields), 'Insufficient permission')
  await owner.must('PATCH', '/realm', { can_create_bots_group: { new: 5 } })
  for (const bot_type of [0, 4, 5])
    expectRefusal(t, await create({ ...fields, bot_type }), 'Invalid bot type')
  for (const short_name of ['a b', 'a@b', 'a:b', 'x'.repeat(61)]) {
    expectRefusal(t, await create({ ...fields, short_name }), 'Bad name or username')
  }
  expectRefusal(t, await create({ ...fields, short_name: 'HELPER' }), 'Username already in use')
  expectRefusal(t, await create({ ...fields, full_name: 'Helper' }), 'Name is already in use!')
  expectRefusal(t, await create({ ...fields, full_name: 'x' }), 'Name too short!')
  expectRefusal(t, await create({ ...fields, full_name: 'x'.repeat(101) }), 'Name too long!')
  expectRefusal(t, await create({ ...fields, full_name: 'a*b' }), 'Invalid characters in name!')
  expectRefusal(t, await create({ ...fields, full_name: 'Bot|15' }), 'Invalid format!')
})

t.test('[USER42] a bot can be renamed and given to another owner', async (t) => {
  const events = await expectConsistent(server, async () => {
    const { body } = await update(8, { full_name: 'Renamed', bot_owner_id: 5 })
    t.match(body, { full_name: 'Renamed', bot_owner: emailOf('member2'), default_sending_stream: null })
    t.equal((await update(8, { full_name: 'Renamed', bot_owner_id: 5 }, 'owner')).status, 200)
  })
  const renamed = { op: 'update', bot: { user_id: 8, full_name: 'Renamed' } }
  t.match(ofBots(events.owner), [renamed, { op: 'update', bot: { user_id: 8, owner_id: 5 } }])
  t.match(ofBots(events.member), [renamed, { op: 'delete', bot: { user_id: 8 } }])
  t.match(ofBots(events.member2), [{ op: 'add', bot: { user_id: 8, owner_id: 5 } }])
  t.same(ofBots(events.guest), [])
  t.match(events.guest, [
    { type: 'realm_user', person: { user_id: 8, full_name: 'Renamed' } },
    { type: 'realm_user', person: { user_id: 8, avatar_source: 'J' } },
    { type: 'realm_user', person: { user_id: 8, bot_owner_id: 5 } },
  ])
})

t.test('[USER43] only its owner and administrators manage a bot', async (t) => {
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await update(8, { full_name: 'Stolen' }, person), 'Insufficient permission')
    expectRefusal(t, await regenerate(8, person), 'Insufficient permission')
  }
  for (const id of [4, 999]) {
    expectRefusal(t, await update(id, { full_name: 'Stolen' }, 'owner'), 'No such bot')
    expectRefusal(t, await regenerate(id, 'owner'), 'No such bot')
  }
  const give = (bot_owner_id: number) => update(8, { bot_owner_id }, 'administrator')
  expectRefusal(t, await give(999), 'Failed to change owner, no such user')
  expectRefusal(t, await give(gone.userId), 'Failed to change owner, user is deactivated')
  expectRefusal(t, await give(7), "Failed to change owner, bots can't own other bots")
  const rename = (full_name: string) => update(8, { full_name }, 'member2')
  expectRefusal(t, await rename('x'), 'Name too short!')
  expectRefusal(t, await rename('x'.repeat(101)), 'Name too long!')
  expectRefusal(t, await rename('a*b'), 'Invalid characters in name!')
  expectRefusal(t, await rename('Bot|15'), 'Invalid format!')
})

t.test('[USER44] after regeneration only the new key is valid', async (t) => {
  const first = (await regenerate(8, 'member2')).body.api_key
  t.equal((await asHelper(first).get('/users/me')).status, 200)
  const second = (await regenerate(8, 'administrator')).body.api_key
  t.equal((await asHelper(first).get('/users/me')).status, 401)
  t.equal((await asHelper(second).get('/users/me')).status, 200)
})

t.test(
  '[USER45] bots appear and disappear with the role of their manager and with their account',
  async (t) => {
    const lifted = await expectConsistent(server, () => owner.must('PATCH', '/users/4', { role: 200 }))
    t.match(ofBots(lifted.member), [{ op: 'add', bot: { user_id: 8 } }])
    const lowered = await expectConsistent(server, () => owner.must('PATCH', '/users/4', { role: 400 }))
    t.match(ofBots(lowered.member), [{ op: 'delete', bot: { user_id: 8 } }])
    const account = await expectConsistent(server, async () => {
      await server.as('member2').must('DELETE', '/users/8')
      await owner.must('POST', '/users/8/reactivate')
      await owner.must('PATCH', '/users/8', { full_name: 'Again' })
    })
    for (const person of ['owner', 'member2'] as const) {
      t.match(ofBots(account[person]), [
        { op: 'update', bot: { is_active: false } },
        { op: 'update', bot: { is_active: true } },
        { op: 'update', bot: { full_name: 'Again' } },
      ])
    }
    t.same(ofBots(account.member), [])
  },
)

t.test('[USER46] a person has at most 100 bots', async (t) => {
  const user = server.node.services.state.getUser(8 as never)
  const events = Array.from({ length: 99 }, (_, index) => {
    const id = (server.node.services.state.users.size + 1 + index) as never
    const bot = {
      ...user,
      id,
      email: `many${index}@example.com`,
      fullName: `Many ${index}`,
      botOwnerId: 4 as never,
    }
    return { type: 'realm_user/add' as const, user: bot }
  })
  await commitEvents(server, events)
  expectRefusal(t, await create({ full_name: 'Last', short_name: 'last' }), 'Too many bots (maximum 100).')
})
