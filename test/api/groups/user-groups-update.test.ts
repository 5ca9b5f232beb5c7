import t from 'tap'
import type { GroupId, UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

async function create(name: string, fields: Fields = {}, person: Person = 'member'): Promise<number> {
  const given = { name, description: 'old', members: [4, 5], ...fields }
  return (await server.as(person).must('POST', '/user_groups/create', given)).group_id
}
const update = (person: Person, id: number, fields: Fields) =>
  server.as(person).patch(`/user_groups/${id}`, fields)
async function groupOf(id: number) {
  const { user_groups: groups } = await owner.must('GET', '/user_groups', {
    include_deactivated_groups: true,
  })
  return groups.find((one: { id: number }) => one.id === id)
}

t.test('[GROUP20] everyone gets the changes of a group in one event', async (t) => {
  const id = await create('first')
  const events = await expectConsistent(server, async () => {
    t.same(
      (await update('member', id, { name: ' second ', description: 'new', can_join_group: { new: 5 } })).body,
      {
        result: 'success',
        msg: '',
      },
    )
  })
  const data = { name: 'second', description: 'new', can_join_group: 5 }
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.same(withoutIds(events[person]), [{ type: 'user_group', op: 'update', group_id: id, data }])
  }
  t.match(await groupOf(id), data)
})

t.test('[GROUP21] an update that changes nothing sends no event; an empty one is refused', async (t) => {
  const id = await create('same', { description: '' })
  const events = await expectConsistent(server, async () => {
    const same = { name: 'same', description: '', deactivated: false, can_leave_group: { new: 6, old: 6 } }
    t.equal((await update('member', id, same)).status, 200)
    t.equal((await update('member', id, { deactivated: true })).status, 200)
    expectRefusal(t, await update('member', id, {}), 'No new data supplied')
    expectRefusal(t, await update('member', id, { unknown: 1 }), 'No new data supplied')
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
})

t.test('[GROUP22] a new name follows the rules of names, and may differ only in case', async (t) => {
  const id = await create('casing')
  await create('taken')
  const refused = async (name: string, msg: string) =>
    expectRefusal(t, await update('member', id, { name }), msg)
  await refused('', "User group name can't be empty!")
  await refused('x'.repeat(101), 'User group name cannot exceed 100 characters.')
  await refused('@x', "User group name cannot start with '@'.")
  await refused('a\tb', 'Invalid character in user group name, at position 2.')
  await refused('TAKEN', "User group 'TAKEN' already exists.")
  t.equal((await update('member', id, { name: 'CASING' })).status, 200)
  t.equal((await groupOf(id)).name, 'CASING')
  expectRefusal(
    t,
    await update('member', id, { description: 'x'.repeat(1_025) }),
    'description is too long (limit: 1024 characters)',
  )
})

t.test('[GROUP23] a permission changes only if its old value is as expected', async (t) => {
  const id = await create('expected')
  const mismatch = "'old' value does not match the expected value."
  const attempt = (change: Fields) => update('member', id, { can_join_group: change })
  expectRefusal(t, await attempt({ new: 5, old: 6 }), mismatch, { code: 'EXPECTATION_MISMATCH' })
  t.equal((await attempt({ new: { direct_members: [4, 5], direct_subgroups: [3] }, old: 8 })).status, 200)
  expectRefusal(t, await attempt({ new: 5, old: { direct_members: [4], direct_subgroups: [3] } }), mismatch, {
    code: 'EXPECTATION_MISMATCH',
  })
  t.equal((await attempt({ new: 5, old: { direct_members: [5, 4], direct_subgroups: [3] } })).status, 200)
  t.equal((await groupOf(id)).can_join_group, 5)
  expectRefusal(t, await attempt({ old: 5 }), 'can_join_group["new"] field is missing: Field required')
  expectRefusal(t, await update('member', id, { can_join_group: 5 }), 'can_join_group is not a dict')
})

t.test('[GROUP24] each of the six permissions can be changed, within its rules', async (t) => {
  const id = await create('six')
  const settings = {
    can_add_members_group: 3,
    can_join_group: 4,
    can_leave_group: 8,
    can_manage_group: { direct_members: [4, 5], direct_subgroups: [id] },
    can_mention_group: 2,
    can_remove_members_group: { direct_members: [], direct_subgroups: [1, 2] },
  }
  const changes = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, { new: value }]))
  const events = await expectConsistent(server, () => update('member', id, changes))
  t.same(events.guest?.[0]?.data, settings)
  t.match(await groupOf(id), settings)
  const refused = async (fields: Fields, msg: string) =>
    expectRefusal(t, await update('member', id, fields), msg)
  await refused(
    { can_manage_group: { new: 6 } },
    "'can_manage_group' setting cannot be set to 'role:everyone' group.",
  )
  await refused(
    { can_mention_group: { new: 1 } },
    "'can_mention_group' setting cannot be set to 'role:owners' group.",
  )
  await refused({ can_join_group: { new: 999 } }, 'Invalid user group ID: 999')
  await refused(
    { can_join_group: { new: { direct_members: [999], direct_subgroups: [] } } },
    'Invalid user ID: 999',
  )
})

t.test('[GROUP25] users who manage a group, or all groups, change it; guests never', async (t) => {
  const id = await create('managed', { can_manage_group: { direct_members: [5, 6], direct_subgroups: [] } })
  t.equal((await update('member2', id, { description: 'by its manager' })).status, 200)
  t.equal((await update('owner', id, { description: 'by an owner' })).status, 200)
  for (const person of ['administrator', 'moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await update(person, id, { description: person }), 'Insufficient permission')
  }
  const manageAll = (setting: unknown) =>
    commitEvents(server, [
      { type: 'realm/update_dict', changes: { permissions: { canManageAllGroups: setting as GroupId } } },
    ])
  await manageAll({ directMembers: [3, 6], directSubgroups: [] })
  t.equal((await update('moderator', id, { description: 'by one who manages all' })).status, 200)
  for (const person of ['owner', 'guest'] as const) {
    expectRefusal(t, await update(person, id, { description: person }), 'Insufficient permission')
  }
  await manageAll(1)
})

t.test('[GROUP26] system and unknown groups cannot be changed', async (t) => {
  expectRefusal(t, await update('owner', 5, { name: 'x' }), 'Insufficient permission')
  expectRefusal(t, await update('owner', 8, { can_manage_group: { new: 1 } }), 'Insufficient permission')
  for (const id of [0, 999]) expectRefusal(t, await update('owner', id, { name: 'x' }), 'Invalid user group')
})

t.test('[GROUP27] a reactivated group returns unchanged, also to clients that got its removal', async (t) => {
  const gone = await addUser(server, 'gone')
  const inner = await create('inner')
  const id = await create('back', { members: [4, gone.userId], subgroups: [inner, 3] })
  await member.must('POST', `/user_groups/${id}/deactivate`)
  await deactivate(server, gone.userId)
  const older = await owner.register({ fetch_event_types: ['realm_user_groups'] })
  t.notOk(older.state.realm_user_groups.some((one: { id: number }) => one.id === id))
  const received = await expectConsistent(server, async () => {
    t.equal(
      (await update('member', id, { deactivated: false, name: 'again', can_join_group: { new: 5 } })).status,
      200,
    )
  })
  t.match(received.guest, [
    {
      type: 'user_group',
      op: 'update',
      group_id: id,
      data: { deactivated: false, name: 'again', can_join_group: 5 },
    },
  ])
  t.equal(received.guest?.length, 1)
  const events = await owner.events(older)
  t.equal(events.length, 1)
  t.match(events[0], { type: 'user_group', op: 'add' })
  t.same(events[0].group, await groupOf(id))
  t.match(events[0].group, {
    name: 'again',
    deactivated: false,
    members: [4],
    direct_subgroup_ids: [3, inner],
    can_join_group: 5,
  })
})

t.test('[GROUP28] changes of a deactivated group reach only clients that know such groups', async (t) => {
  const id = await create('asleep')
  await member.must('POST', `/user_groups/${id}/deactivate`)
  const older = await owner.register()
  const events = await expectConsistent(server, async () => {
    t.equal((await update('member', id, { name: 'fast asleep', can_leave_group: { new: 8 } })).status, 200)
  })
  t.match(events.member2, [{ type: 'user_group', op: 'update', data: { name: 'fast asleep' } }])
  t.same(await owner.events(older), [])
  t.match(await groupOf(id), { name: 'fast asleep', deactivated: true, can_leave_group: 8 })
  expectRefusal(t, await update('member2', id, { deactivated: false }), 'Insufficient permission')
})

t.test(
  '[GROUP29] a deactivated user is neither shown in a permission nor part of its expected value',
  async (t) => {
    const leaver = await addUser(server, 'leaver')
    const id = await create('kept', {
      can_join_group: { direct_members: [5, leaver.userId], direct_subgroups: [] },
    })
    await deactivate(server, leaver.userId as UserId)
    t.same((await groupOf(id)).can_join_group, { direct_members: [5], direct_subgroups: [] })
    const change = { new: 5, old: { direct_members: [5], direct_subgroups: [] } }
    t.equal((await update('member', id, { can_join_group: change })).status, 200)
  },
)
