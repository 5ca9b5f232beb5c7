import t from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate, giveKeyBack } from '../../harness/worlds/add-user.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

const remove = (person: Person, userId: number | 'me', on: TestServer = server) =>
  on.as(person).delete(`/users/${userId}`)
const restore = (person: Person, userId: number, on: TestServer = server) =>
  on.as(person).post(`/users/${userId}/reactivate`)
const types = (events: readonly WireEvent[]) =>
  events.map(({ type, op }: { type: string; op: string }) => `${type}/${op}`)
const DEACTIVATED = 'Account is deactivated'
const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' }

t.test(
  '[DEACT1] deactivation locks a user out at once; reactivation restores the account, without its keys',
  async (t) => {
    const person = await addUser(server, 'person')
    const queue = await person.register()
    const received = await expectConsistent(server, async () => {
      t.same((await remove('administrator', person.userId)).body, { result: 'success', msg: '' })
    })
    for (const events of Object.values(received)) {
      t.match(events[0], {
        type: 'realm_user',
        op: 'update',
        person: { user_id: person.userId, is_active: false },
      })
    }
    expectRefusal(t, await person.get('/users/me'), DEACTIVATED, UNAUTHORIZED)
    const back = await expectConsistent(server, async () => {
      t.same((await restore('administrator', person.userId)).body, { result: 'success', msg: '' })
    })
    t.match(back.guest?.[0], { op: 'update', person: { user_id: person.userId, is_active: true } })
    expectRefusal(t, await person.get('/users/me'), 'Invalid API key', UNAUTHORIZED)
    await giveKeyBack(server, person)
    t.equal((await person.get('/users/me')).status, 200)
    const poll = { queue_id: queue.queueId, last_event_id: queue.lastEventId, dont_block: true }
    t.match((await person.get('/events', poll)).body, { code: 'BAD_EVENT_QUEUE_ID' })
  },
)

t.test(
  '[DEACT2] subscriptions disappear and return with one event for channels with the same observers',
  async (t) => {
    const person = await addUser(server, 'subscriber')
    const other = [person.userId]
    await owner.subscribe(['one', 'two'], { principals: [1, ...other] })
    await owner.subscribe(['hidden'], { principals: [1, ...other], invite_only: true })
    await owner.subscribe(['two'], { principals: [6] })
    const received = await expectConsistent(server, () => remove('owner', person.userId))
    const peers = (events: readonly WireEvent[]) =>
      events.filter(({ type }: { type: string }) => type === 'subscription')
    const idOf = (name: string) => server.node.services.state.findChannelByName(name)?.channel.id
    t.match(peers(received.member), [
      { op: 'peer_remove', stream_ids: [idOf('one')], user_ids: other },
      { op: 'peer_remove', stream_ids: [idOf('two')], user_ids: other },
    ])
    t.equal(peers(received.owner).length, 3)
    t.match(peers(received.guest), [{ op: 'peer_remove', stream_ids: [idOf('two')] }])
    t.equal(peers(received.guest).length, 1)
    await owner.subscribe(['three', 'four'], { principals: [1, 4] })
    const back = await expectConsistent(server, () => restore('owner', person.userId))
    t.match(peers(back.guest), [{ op: 'peer_add', stream_ids: [idOf('two')], user_ids: other }])
    await giveKeyBack(server, person)
    const { subscriptions } = await person.must('GET', '/users/me/subscriptions')
    t.same(subscriptions.map(({ name }: { name: string }) => name).sort(), ['hidden', 'one', 'two'])
  },
)

t.test('[DEACT3] channels with the same observers share one event', async (t) => {
  const person = await addUser(server, 'busy')
  await owner.subscribe(['a', 'b', 'c', 'd'], { principals: [1, person.userId] })
  const events = await expectConsistent(server, () => remove('owner', person.userId))
  const [peers, ...more] = events.member?.filter(({ type }) => type === 'subscription') ?? []
  t.equal(peers.stream_ids.length, 4)
  t.same(more, [])
})

t.test('[DEACT4] clients without archived channels get no events of them', async (t) => {
  const person = await addUser(server, 'archivist')
  const trusted = { direct_members: [1, person.userId], direct_subgroups: [] }
  const options = { principals: [1, 4, person.userId], can_remove_subscribers_group: trusted }
  await owner.subscribe(['old'], options)
  const id = server.node.services.state.findChannelByName('old')?.channel.id
  await owner.must('DELETE', `/streams/${id}`)
  const plain = await owner.register()
  const events = await expectConsistent(server, () => remove('owner', person.userId))
  t.match(
    events.owner?.filter(({ type }) => type === 'subscription'),
    [{ op: 'peer_remove', stream_ids: [id] }],
  )
  t.match(
    events.owner?.filter(({ type }) => type === 'stream'),
    [{ op: 'update', stream_id: id, property: 'can_remove_subscribers_group' }],
  )
  t.same(
    (await owner.events(plain)).filter(({ type }) => type === 'subscription' || type === 'stream'),
    [],
  )
})

t.test('[DEACT5] group memberships disappear and return', async (t) => {
  const person = await addUser(server, 'grouped')
  const { group_id } = await owner.must('POST', '/user_groups/create', {
    name: 'crew',
    description: '',
    members: [1, person.userId],
  })
  const events = await expectConsistent(server, () => remove('owner', person.userId))
  const left = events.guest?.filter(({ type }) => type === 'user_group').map((one) => one.group_id)
  t.same(left, [4, 5, group_id])
  await expectConsistent(server, () => restore('owner', person.userId))
  const { members } = await owner.must('GET', `/user_groups/${group_id}/members`)
  t.same(members, [1, person.userId])
})

t.test('[DEACT6] clients without deactivated groups get no events of their members', async (t) => {
  const person = await addUser(server, 'retired')
  const { group_id } = await owner.must('POST', '/user_groups/create', {
    name: 'retired crew',
    description: '',
    members: [1, person.userId],
    can_leave_group: { direct_members: [person.userId, 1], direct_subgroups: [] },
  })
  await owner.must('POST', `/user_groups/${group_id}/deactivate`)
  const plain = await owner.register()
  await expectConsistent(server, () => remove('owner', person.userId))
  const heard = (await owner.events(plain)).filter((one) => one.group_id === group_id)
  t.same(heard, [])
})

t.test('[DEACT7] group settings omit deactivated users and show them again after reactivation', async (t) => {
  const person = await addUser(server, 'trusted')
  const trusted = { direct_members: [1, person.userId], direct_subgroups: [] }
  const alone = { direct_members: [1], direct_subgroups: [] }
  await owner.subscribe(['held'], { can_remove_subscribers_group: trusted })
  await owner.subscribe(['held quietly'], { can_remove_subscribers_group: trusted, invite_only: true })
  const { group_id } = await owner.must('POST', '/user_groups/create', {
    name: 'held crew',
    description: '',
    members: [1],
    can_join_group: trusted,
    can_manage_group: trusted,
  })
  await owner.must('PATCH', '/realm', { can_add_custom_emoji_group: { new: trusted } })
  for (const [act, setting] of [
    [remove, alone],
    [restore, trusted],
  ] as const) {
    const received = await expectConsistent(server, () => act('owner', person.userId))
    const updates = (events: readonly WireEvent[]) =>
      events.filter(
        ({ type, op }: { type: string; op: string }) => type !== 'realm_user' && op?.startsWith('update'),
      )
    t.match(updates(received.member), [
      { type: 'stream', property: 'can_remove_subscribers_group', name: 'held', value: setting },
      {
        type: 'user_group',
        group_id,
        data: { can_join_group: setting, can_manage_group: setting },
      },
      { type: 'realm', op: 'update_dict', data: { can_add_custom_emoji_group: setting } },
    ])
    t.equal(updates(received.member).length, 3)
    t.equal(updates(received.owner).length, 4)
    t.equal(updates(received.guest).length, 2)
  }
})

t.test('[DEACT8] the bots of a person are deactivated with them, and stay so when they return', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['workshop'], { principals: [1, 4, 7] })
  const events = await expectConsistent(withoutMember(server), () => remove('owner', 4, server))
  t.match(events.member2?.slice(0, 2), [
    { person: { user_id: 4, is_active: false } },
    { person: { user_id: 7, is_active: false } },
  ])
  t.match(events.member2?.[2], { op: 'peer_remove', user_ids: [4, 7] })
  expectRefusal(t, await server.as('bot').get('/users/me'), DEACTIVATED, UNAUTHORIZED)
  expectRefusal(t, await restore('owner', 7, server), "The bot's owner is deactivated.")
  t.equal((await restore('owner', 4, server)).status, 200)
  expectRefusal(t, await server.as('bot').get('/users/me'), DEACTIVATED, UNAUTHORIZED)
  t.equal((await restore('administrator', 7, server)).status, 200)
  expectRefusal(t, await server.as('bot').get('/users/me'), 'Invalid API key', UNAUTHORIZED)
  const { api_key } = await server.as('owner').must('POST', '/bots/7/api_key/regenerate')
  const { url, email } = server.as('bot')
  t.equal((await new Client(url, 7, email, api_key).get('/users/me')).status, 200)
})

t.test('[DEACT20] a deactivation ends keys and sessions for good; people log in again', async (t) => {
  const person = await addUser(server, 'returning')
  const { sql, passwords } = server.node.services
  const password = 'correct horse battery'
  await storePasswordHash(sql, person.userId as UserId, await passwords.hash(password))
  const browser = new Browser(server.node.url)
  t.equal((await browser.logIn(person.email, password)).status, 200)
  const fetchKey = () => server.anyone.post('/fetch_api_key', { username: person.email, password })
  const { api_key: second } = (await fetchKey()).body
  const ticket = (await person.must('POST', '/events/ticket')).ticket as string
  t.equal((await remove('owner', person.userId)).status, 200)
  t.equal((await restore('owner', person.userId)).status, 200)
  const [row] = await sql`select api_key_hashes as keys from users where id = ${person.userId}`
  t.same(row?.['keys'], [])
  for (const key of [person.key, second])
    expectRefusal(
      t,
      await new Client(person.url, person.userId, person.email, key).get('/users/me'),
      'Invalid API key',
      UNAUTHORIZED,
    )
  t.equal((await browser.send('GET', '/json/users/me')).status, 401)
  const stream = await fetch(`${person.url}/api/v1/events/stream?queue_id=x&ticket=${ticket}`, {
    headers: { accept: 'text/event-stream' },
  })
  t.equal(stream.status, 401)
  await stream.body?.cancel()
  const { api_key: next } = (await fetchKey()).body
  const again = new Client(person.url, person.userId, person.email, next)
  t.equal((await again.get('/users/me')).status, 200)
})

t.test(
  '[DEACT71] a bot that is deactivated before its owner is not mentioned again, and its name is free',
  async (t) => {
    const server = await startTestServer(t)
    t.equal((await remove('member', 7, server)).status, 200)
    const twin = { full_name: 'The bot', short_name: 'twin' }
    t.equal((await server.as('member2').post('/bots', twin)).status, 200)
    t.equal((await restore('owner', 7, server)).status, 400, 'its name is taken meanwhile')
    const events = await expectConsistent(withoutMember(server), () => remove('owner', 4, server))
    const persons = events.member2.flatMap(({ person }) => (person ? [person.user_id] : []))
    t.same(persons, [4])
  },
)

/** A server on which `member` is a user who stays active. */
function withoutMember(server: TestServer): TestServer {
  return { ...server, as: (person) => server.as(person === 'member' ? 'moderator' : person) }
}

t.test(
  '[DEACT9] administrators deactivate users, owners other owners, and owners of bots their bots',
  async (t) => {
    const server = await startTestServer(t)
    for (const person of ['moderator', 'member2', 'guest', 'bot'] as const) {
      for (const id of [4, 7, 1]) {
        if (person === 'bot' && id === 7) continue
        expectRefusal(t, await remove(person, id, server), 'Insufficient permission')
      }
    }
    expectRefusal(t, await remove('member', 5, server), 'Insufficient permission')
    const second = await addUser(server, 'second', { role: 'owner' })
    const message = 'Must be an organization owner'
    expectRefusal(t, await remove('administrator', second.userId, server), message)
    t.equal((await remove('member', 7, server)).status, 200)
    t.equal((await remove('owner', second.userId, server)).status, 200)
    for (const person of ['moderator', 'member2', 'guest'] as const) {
      expectRefusal(t, await restore(person, 7, server), 'Insufficient permission')
    }
    expectRefusal(t, await restore('administrator', second.userId, server), message)
    t.equal((await restore('owner', second.userId, server)).status, 200)
    t.equal((await remove('owner', second.userId, server)).status, 200)
  },
)

t.test(
  '[DEACT10] the only owner cannot be deactivated; bots and deactivated owners do not count',
  async (t) => {
    const server = await startTestServer(t)
    expectRefusal(t, await remove('owner', 1, server), 'Cannot deactivate the only organization owner')
    await server.as('owner').must('PATCH', '/bots/7', { bot_owner_id: 1 })
    await server.as('owner').must('PATCH', '/users/7', { role: 100 })
    const second = await addUser(server, 'second', { role: 'owner' })
    await deactivate(server, second.userId)
    expectRefusal(t, await remove('owner', 1, server), 'Cannot deactivate the only organization owner')
    expectRefusal(t, await remove('owner', 'me', server), 'Cannot deactivate the only organization owner.', {
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_owner: true,
      entity: 'organization owner',
    })
    await restore('owner', second.userId, server)
    t.equal((await remove('owner', 'me', server)).status, 200)
  },
)

t.test('[DEACT11] unknown and already deactivated users are refused', async (t) => {
  const gone = await addUser(server, 'gone')
  for (const id of [0, 999]) {
    expectRefusal(t, await remove('owner', id), 'No such user')
    expectRefusal(t, await restore('owner', id), 'No such user')
  }
  t.equal((await remove('owner', gone.userId)).status, 200)
  expectRefusal(t, await remove('owner', gone.userId), 'User is deactivated')
  const events = await expectConsistent(server, async () => {
    t.equal((await restore('owner', member.userId)).status, 200)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
})

t.test('[DEACT12] a person may deactivate their own account, a bot may not', async (t) => {
  const leaving = await addUser(server, 'leaving', { role: 'guest' })
  const message = 'This endpoint does not accept bot requests.'
  expectRefusal(t, await remove('bot', 'me'), message)
  const events = await expectConsistent(server, async () => {
    t.same((await leaving.delete('/users/me')).body, { result: 'success', msg: '' })
  })
  t.same(types(events.member), ['realm_user/update', 'user_group/remove_members'])
  expectRefusal(t, await leaving.delete('/users/me'), DEACTIVATED, UNAUTHORIZED)
})

t.test('[DEACT13] the last person cannot be deactivated, even without an owner', async (t) => {
  const server = await startTestServer(t)
  for (const person of ['owner', 'administrator', 'moderator', 'member2', 'guest'] as const) {
    await deactivate(server, server.as(person).userId)
  }
  expectRefusal(t, await remove('member', 'me', server), 'Cannot deactivate the only user.', {
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    is_last_owner: false,
    entity: 'user',
  })
})
