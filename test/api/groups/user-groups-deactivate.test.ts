import t from 'tap'
import type { GroupId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

async function create(name: string, fields: Fields = {}): Promise<number> {
  const given = { name, description: '', members: [4], ...fields }
  return (await member.must('POST', '/user_groups/create', given)).group_id
}
const attempt = (person: Person, id: number) => server.as(person).post(`/user_groups/${id}/deactivate`)
const IN_USE = 'To deactivate this user group, please remove all usages of it.'
const inUse = (...objections: readonly object[]) => ({ code: 'CANNOT_DEACTIVATE_GROUP_IN_USE', objections })

t.test('[GROUP70] clients that know deactivated groups get that event, others a removal', async (t) => {
  const id = await create('done')
  const older = await member.register()
  const received = await expectConsistent(server, async () => {
    t.same((await attempt('member', id)).body, { result: 'success', msg: '' })
  })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.match(received[person], [
      { type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } },
    ])
    t.same(received[person]?.[0]?.data, { deactivated: true })
    t.equal(received[person]?.length, 1)
  }
  const events = await member.events(older)
  t.same(withoutIds(events), [{ type: 'user_group', op: 'remove', group_id: id }])
  t.same((await member.must('GET', `/user_groups/${id}/members`)).members, [4])
})

t.test('[GROUP121] a group that returns shows no deactivated members to older clients', async (t) => {
  const leaving = await addUser(server, 'leaving')
  const id = await create('returning', { members: [4, leaving.userId] })
  await owner.must('POST', `/user_groups/${id}/deactivate`)
  await deactivate(server, leaving.userId)
  const older = await member.register()
  await owner.must('PATCH', `/user_groups/${id}`, { deactivated: false })
  t.match(await member.events(older), [{ type: 'user_group', op: 'add', group: { id, members: [4] } }])
})

t.test('[GROUP71] users who manage a group, or all groups, deactivate it, once', async (t) => {
  const id = await create('managed', { can_manage_group: { direct_members: [5, 6], direct_subgroups: [] } })
  for (const person of ['administrator', 'moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await attempt(person, id), 'Insufficient permission')
  }
  t.equal((await attempt('member2', id)).status, 200)
  expectRefusal(t, await attempt('owner', id), 'User group is deactivated.')
  t.equal((await attempt('owner', await create('of an owner'))).status, 200)
  expectRefusal(t, await attempt('owner', 8), 'Insufficient permission')
  expectRefusal(t, await attempt('owner', 999), 'Invalid user group')
})

t.test('[GROUP72] a subgroup is in use, even of a deactivated group', async (t) => {
  const id = await create('inner')
  const outer = await create('outer', { subgroups: [id] })
  const asleep = await create('asleep', { subgroups: [id] })
  await owner.must('POST', `/user_groups/${asleep}/deactivate`)
  const objection = { type: 'subgroup', supergroup_ids: [outer, asleep] }
  const events = await expectConsistent(server, async () => {
    expectRefusal(t, await attempt('member', id), IN_USE, inUse(objection))
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  await owner.must('PATCH', `/user_groups/${asleep}`, { deactivated: false })
  for (const one of [outer, asleep]) {
    await owner.must('POST', `/user_groups/${one}/subgroups`, { delete: [id] })
  }
  t.equal((await attempt('member', id)).status, 200)
})

t.test('[GROUP73] a group with permissions is in use, except for its permissions over itself', async (t) => {
  const id = await create('holder')
  await member.must('PATCH', `/user_groups/${id}`, { can_manage_group: { new: id } })
  const other = await create('held', {
    can_join_group: id,
    can_add_members_group: { direct_members: [4], direct_subgroups: [id, 2] },
  })
  const channels = ['board', 'den'] as const
  await member.subscribe([channels[0]])
  await member.subscribe([channels[1]])
  const [boardId, denId] = channels.map((name) => channelIdOf(server, name))
  const setting = id as GroupId
  await setUpChannel(server, 'board', { kind: 'permission', permission: 'canSendMessage', setting })
  await setUpChannel(server, 'board', { kind: 'permission', permission: 'canSubscribe', setting })
  await setUpChannel(
    server,
    'den',
    {
      kind: 'permission',
      permission: 'canAdministerChannel',
      setting: { directMembers: [], directSubgroups: [1 as GroupId, setting] },
    },
    { kind: 'archived', isArchived: true },
  )
  await commitEvents(server, [
    {
      type: 'realm/update_dict',
      changes: { permissions: { canCreateGroups: setting, canInviteUsers: setting } },
    },
  ])
  expectRefusal(
    t,
    await attempt('member', id),
    IN_USE,
    inUse(
      { type: 'channel', channel_id: boardId, settings: ['can_send_message_group', 'can_subscribe_group'] },
      { type: 'channel', channel_id: denId, settings: ['can_administer_channel_group'] },
      { type: 'user_group', group_id: other, settings: ['can_add_members_group', 'can_join_group'] },
      { type: 'realm', settings: ['can_create_groups', 'can_invite_users_group'] },
    ),
  )
  await commitEvents(server, [
    {
      type: 'realm/update_dict',
      changes: { permissions: { canCreateGroups: 5 as GroupId, canInviteUsers: 5 as GroupId } },
    },
  ])
  const nobody = 8 as GroupId
  for (const permission of ['canSendMessage', 'canSubscribe'] as const) {
    await setUpChannel(server, 'board', { kind: 'permission', permission, setting: nobody })
  }
  await setUpChannel(server, 'den', {
    kind: 'permission',
    permission: 'canAdministerChannel',
    setting: nobody,
  })
  await owner.must('PATCH', `/user_groups/${other}`, {
    can_join_group: { new: 8 },
    can_add_members_group: { new: 8 },
  })
  t.equal((await attempt('member', id)).status, 200)
})

t.test('[GROUP74] channels that the caller cannot see are neither named nor counted', async (t) => {
  const id = await create('spies')
  await member.subscribe(['visible'])
  const setting = id as GroupId
  await setUpChannel(server, 'visible', { kind: 'permission', permission: 'canResolveTopics', setting })
  const visible = {
    type: 'channel',
    channel_id: channelIdOf(server, 'visible'),
    settings: ['can_resolve_topics_group'],
  }
  const hidden = { type: 'channel', settings: ['can_create_topic_group', 'can_send_message_group'] }
  await owner.subscribe(['secret'], { invite_only: true })
  await setUpChannel(server, 'secret', { kind: 'permission', permission: 'canSendMessage', setting })
  await setUpChannel(server, 'secret', { kind: 'permission', permission: 'canCreateTopic', setting })
  expectRefusal(t, await attempt('member', id), IN_USE, inUse(visible, hidden))
  await owner.subscribe(['more secret'], { invite_only: true })
  await setUpChannel(server, 'more secret', { kind: 'permission', permission: 'canSendMessage', setting })
  expectRefusal(t, await attempt('member', id), IN_USE, inUse(visible, hidden))
  expectRefusal(
    t,
    await attempt('owner', id),
    IN_USE,
    inUse(
      visible,
      {
        type: 'channel',
        channel_id: channelIdOf(server, 'secret'),
        settings: ['can_send_message_group', 'can_create_topic_group'],
      },
      {
        type: 'channel',
        channel_id: channelIdOf(server, 'more secret'),
        settings: ['can_send_message_group'],
      },
    ),
  )
})

t.test('[GROUP100] older clients deactivate a group by DELETE, with the same permission', async (t) => {
  const remove = (person: Person, id: number) => server.as(person).delete(`/user_groups/${id}`)
  const id = await create('of old')
  const holder = await create('around it', { subgroups: [id] })
  expectRefusal(t, await remove('member2', id), 'Insufficient permission')
  expectRefusal(t, await remove('owner', 999), 'Invalid user group')
  const objection = { type: 'subgroup', supergroup_ids: [holder] }
  expectRefusal(t, await remove('member', id), IN_USE, inUse(objection))
  await member.must('POST', `/user_groups/${holder}/subgroups`, { delete: [id] })
  const events = await expectConsistent(server, async () => {
    t.same((await remove('member', id)).body, { result: 'success', msg: '' })
  })
  t.match(events.owner, [{ type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } }])
  expectRefusal(t, await remove('member', id), 'User group is deactivated.')
})
