/**
 * Attacks with an account: ids that imitate others, names that reveal channels, sizes that block the server.
 */

import t from 'tap'
import { CHANNEL_PERMISSIONS, completePermissions } from '../../../server/domain/groups/permissions.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

await t.test('[LEAK1] an id whose lower 32 bits equal those of a user belongs to nobody', async (t) => {
  const server = await startTestServer(t)
  const member = server.as('member')
  await addCrowd(server, 20, 1_700_000_000)
  const { group_id: groupId } = await member.must('POST', '/user_groups/create', {
    name: 'group',
    description: '',
    members: [],
  })
  for (const id of [2 ** 32 + member.userId, member.userId - 2 ** 32, 2 ** 52 + member.userId]) {
    const attempts = [
      member.post('/user_groups/create', { name: 'other', description: '', members: [id] }),
      member.post('/user_groups/create', {
        name: 'other',
        description: '',
        members: [],
        can_manage_group: { direct_members: [id], direct_subgroups: [] },
      }),
      member.post(`/user_groups/${groupId}/members`, { add: [id] }),
    ]
    for (const attempt of attempts) expectRefusal(t, await attempt, `Invalid user ID: ${id}`)
  }
})

await t.test('[LEAK2] a user who cannot create channels does not learn that a name is taken', async (t) => {
  const server = await startTestServer(t)
  const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
  await owner.subscribe(['secret'], { invite_only: true })
  const attempt = (client: Client, name: string) => client.post('/channels/create', { name, subscribers: [] })
  for (const name of ['secret', 'free']) {
    expectRefusal(t, await attempt(guest, name), 'Must be an organization member')
  }
  const answer = await attempt(member, 'secret')
  t.equal(answer.status, 409, 'a user who may create it gets the error')
  await owner.must('PATCH', '/realm', { can_create_public_channel_group: { new: 2 } })
  for (const name of ['secret', 'free']) {
    const subscriptions = [{ name }]
    for (const answer of [
      await attempt(member, name),
      await member.post('/users/me/subscriptions', { subscriptions }),
      await member.patch('/users/me/subscriptions', { add: subscriptions }),
    ]) {
      expectRefusal(t, answer, 'Insufficient permission')
    }
    const { subscribed, unauthorized } = await member.must('POST', '/users/me/subscriptions', {
      subscriptions,
      authorization_errors_fatal: false,
    })
    t.same([subscribed, unauthorized], [{}, [name]], 'a taken name and a free one look alike')
  }
})

await t.test('[LEAK3] a guest cannot delete messages of others, even with the permission', async (t) => {
  const server = await startTestServer(t)
  const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
  const holders = { direct_members: [guest.userId, member.userId], direct_subgroups: [] }
  await owner.subscribe(['channel'], {
    principals: [owner.userId, member.userId, guest.userId],
    can_delete_any_message_group: holders,
  })
  await owner.must('PATCH', '/realm', { can_delete_any_message_group: { new: holders } })
  const { stream_id: id } = await owner.must('GET', '/get_stream_id', { stream: 'channel' })
  await owner.send('channel', 'topic', 'content')
  const attempt = (client: Client) => client.post(`/streams/${id}/delete_topic`, { topic_name: 'topic' })
  expectRefusal(t, await attempt(guest), 'Insufficient permission')
  t.equal((await attempt(member)).status, 200)
})

await t.test(
  '[LEAK4] a former subscriber does not get the new name of a channel, from memory or the log',
  async (t) => {
    const server = await startTestServer(t, { redis: true })
    const [owner, member] = [server.as('owner'), server.as('member')]
    await owner.subscribe(['before'], { invite_only: true, principals: [owner.userId, member.userId] })
    const { stream_id: id } = await owner.must('GET', '/get_stream_id', { stream: 'before' })
    const options = { event_types: ['message'] }
    const [fromMemory, fromLog] = [await member.register(options), await member.register(options)]
    const byOldName = await member.register({ ...options, narrow: [['channel', 'before']] })
    const byNewName = await member.register({ ...options, narrow: [['channel', 'after']] })
    const messageId = await owner.send('before', 'topic', 'content')
    await owner.must('DELETE', '/users/me/subscriptions', {
      subscriptions: ['before'],
      principals: [member.userId],
    })
    await owner.must('PATCH', `/streams/${id}`, { new_name: 'after' })
    // A node that started later has none of this in memory.
    const other = (await server.startAnotherNode()).as('member')
    const received = [
      await member.events(fromMemory),
      await other.events(fromLog),
      await other.events(byOldName),
    ]
    for (const events of received) {
      t.same(
        events.map(({ message }) => [message.id, message.display_recipient]),
        [[messageId, 'before']],
      )
    }
    t.same(await other.events(byNewName), [])
  },
)

await t.test('[LEAK5] the channels of one request name at most 100,000 users and groups', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const attempt = (count: number) =>
    owner.post('/users/me/subscriptions', {
      subscriptions: Array.from({ length: 250 }, (_, index) => ({ name: `channel ${index}` })),
      can_subscribe_group: { direct_members: Array<number>(60).fill(owner.userId), direct_subgroups: [] },
      can_resolve_topics_group: {
        direct_members: [],
        direct_subgroups: Array<number>(count - 60).fill(5),
      },
    })
  expectRefusal(
    t,
    await attempt(401),
    'Too many users and groups in the permissions of the channels of one request (maximum 100000).',
  )
  t.equal((await attempt(400)).status, 200)
})

await t.test(
  '[LEAK6] a user who created very many channels can be deactivated and reactivated',
  async (t) => {
    const server = await startTestServer(t)
    const { userId } = server.as('member')
    const permissions = completePermissions(CHANNEL_PERMISSIONS, {}, userId as UserId)
    // Written for a server that starts later. Each names its creator, so each is an event of three values.
    const { sql } = server.node.services
    await sql`
    insert into channels (id, name, description, rendered_description, created_at, creator_id, is_private,
      is_web_public, is_history_public, topics_policy, permissions)
    select id, 'channel ' || id, '', '', 1700000000, ${userId}, false, false, true, 'inherit',
      ${sql.json(permissions as never)} from generate_series(1, 22000) as id`
    const { node } = await server.startAnotherNode()
    const { userId: ownerId, email, key } = server.as('owner')
    const owner = new Client(node.url, ownerId, email, key)
    t.equal((await owner.delete(`/users/${userId}`)).status, 200)
    const stream = () => owner.must('GET', '/streams/22000')
    t.same((await stream()).stream.can_administer_channel_group, { direct_members: [], direct_subgroups: [] })
    t.equal((await owner.post(`/users/${userId}/reactivate`)).status, 200)
    t.same((await stream()).stream.can_administer_channel_group, {
      direct_members: [userId],
      direct_subgroups: [],
    })
  },
)

await t.test(
  '[LEAK7] all groups together have at most 10,000 subgroups, system groups included',
  async (t) => {
    const server = await startTestServer(t)
    const { sql } = server.node.services
    // Written for a server that starts later: so many requests would take too long.
    await sql`insert into user_groups (id, name, description, permissions)
    select id, 'group ' || id, '', (select permissions from user_groups where id = 1) from generate_series(9, 208) as id`
    await sql`insert into user_group_subgroups (group_id, subgroup_id)
    select g, s from generate_series(109, 208) g, generate_series(9, 108) s order by g, s limit 9993`
    const { node } = await server.startAnotherNode()
    const { userId, email, key } = server.as('owner')
    const owner = new Client(node.url, userId, email, key)
    const create = (name: string, subgroups: number[]) =>
      owner.post('/user_groups/create', { name, description: '', members: [], subgroups })
    const last = await create('the last one', [9])
    t.equal(last.status, 200)
    const path = `/user_groups/${last.body.group_id}`
    const attempts = [
      create('one too many', [9]),
      owner.post(`${path}/subgroups`, { add: [10] }),
      owner.post(`${path}/members`, { add_subgroups: [10] }),
    ]
    for (const attempt of attempts) {
      expectRefusal(t, await attempt, 'Too many subgroups in all user groups (maximum 10000).')
    }
    t.equal((await owner.post(`${path}/subgroups`, { delete: [9] })).status, 200)
    t.equal((await owner.post(`${path}/subgroups`, { add: [10] })).status, 200)
  },
)
