import t from 'tap'
import type { GroupId, UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Answer, Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

let count = 0
/** A group that only owners may change, except for the given permissions. */
async function create(fields: Fields = {}): Promise<number> {
  const given = {
    name: `group ${count++}`,
    description: '',
    members: [],
    can_add_members_group: 8,
    can_join_group: 8,
    can_leave_group: 8,
    can_manage_group: 8,
    can_mention_group: 8,
    can_remove_members_group: 8,
    ...fields,
  }
  return (await owner.must('POST', '/user_groups/create', given)).group_id
}
const change = (person: Person, id: number, fields: Fields) =>
  server.as(person).post(`/user_groups/${id}/members`, fields)
const changeSubgroups = (person: Person, id: number, fields: Fields) =>
  server.as(person).post(`/user_groups/${id}/subgroups`, fields)
const membersOf = async (id: number, fields: Fields = {}) =>
  (await member.must('GET', `/user_groups/${id}/members`, fields)).members
const subgroupsOf = async (id: number, fields: Fields = {}) =>
  (await member.must('GET', `/user_groups/${id}/subgroups`, fields)).subgroups
const only = (...ids: number[]) => ({ direct_members: ids, direct_subgroups: [] })

t.test('[GROUP40] added and removed members are sent to everyone, each in one event', async (t) => {
  const [inner, outer] = [await create(), await create()]
  const id = await create({ members: [4], subgroups: [inner] })
  const events = await expectConsistent(server, async () => {
    const body = await owner.must('POST', `/user_groups/${id}/members`, {
      add: [6, 5, 6],
      delete: [4, 4],
      add_subgroups: [3, outer],
      delete_subgroups: [inner],
    })
    t.same(body, { result: 'success', msg: '' })
  })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.same(withoutIds(events[person]), [
      { type: 'user_group', op: 'add_members', group_id: id, user_ids: [5, 6] },
      { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [4] },
      { type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: [3, outer] },
      { type: 'user_group', op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [inner] },
    ])
  }
  t.same(await membersOf(id, { direct_member_only: true }), [5, 6])
  t.same(await subgroupsOf(id, { direct_subgroup_only: true }), [3, outer])
})

t.test('[GROUP41] subgroups have their own operation', async (t) => {
  const [one, two, id] = [await create(), await create(), await create()]
  t.same((await changeSubgroups('owner', id, { add: [two, one, two] })).body, { result: 'success', msg: '' })
  t.same(await subgroupsOf(id), [one, two])
  const events = await expectConsistent(server, () =>
    changeSubgroups('owner', id, { add: [3], delete: [one] }),
  )
  t.same(withoutIds(events.guest), [
    { type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: [3] },
    { type: 'user_group', op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [one] },
  ])
  t.same(await subgroupsOf(id, { direct_subgroup_only: true }), [3, two])
})

t.test('[GROUP42] a request must change something', async (t) => {
  const id = await create()
  const nothing =
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'
  expectRefusal(t, await change('owner', id, {}), nothing)
  expectRefusal(t, await change('owner', id, { add: [], delete: [], add_subgroups: [] }), nothing)
  const noSubgroups = 'Nothing to do. Specify at least one of "add" or "delete".'
  expectRefusal(t, await changeSubgroups('owner', id, {}), noSubgroups)
  expectRefusal(t, await changeSubgroups('owner', id, { add: [], delete: [] }), noSubgroups)
})

t.test('[GROUP43] a request makes all of its changes or none', async (t) => {
  const inner = await create()
  const id = await create({ members: [4] })
  const events = await expectConsistent(server, async () => {
    expectRefusal(t, await change('owner', id, { add: [5, 999] }), 'Invalid user ID: 999')
    expectRefusal(t, await change('owner', id, { add: [5, 4] }), 'User 4 is already a member of this group')
    expectRefusal(
      t,
      await change('owner', id, { add: [5], delete: [4, 6] }),
      "There is no member '6' in this user group",
    )
    expectRefusal(t, await change('owner', id, { delete: [999] }), 'Invalid user ID: 999')
    expectRefusal(
      t,
      await change('owner', id, { add: [5], add_subgroups: [inner, 999] }),
      'Invalid user group ID: 999',
    )
    expectRefusal(
      t,
      await change('owner', id, { add: [5], delete_subgroups: [inner] }),
      `User group ${inner} is not a subgroup of this group.`,
    )
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.same(await membersOf(id), [4])
})

t.test('[GROUP44] deactivated users are neither shown, added nor removed', async (t) => {
  const gone = await addUser(server, 'gone')
  const id = await create({ members: [4, gone.userId] })
  await deactivate(server, gone.userId as UserId)
  const msg = `Invalid user ID: ${gone.userId}`
  expectRefusal(t, await change('owner', id, { add: [gone.userId] }), msg)
  expectRefusal(t, await change('owner', id, { delete: [gone.userId] }), msg)
  t.same(await membersOf(id), [4])
  t.same(await membersOf(id, { direct_member_only: true }), [4])
})

t.test('[GROUP45] subgroups are active groups, each once, and never form a cycle', async (t) => {
  const [a, b, c, asleep] = [await create(), await create(), await create(), await create()]
  await owner.must('POST', `/user_groups/${asleep}/deactivate`)
  t.equal((await changeSubgroups('owner', a, { add: [b] })).status, 200)
  t.equal((await changeSubgroups('owner', b, { add: [c] })).status, 200)
  const events = await expectConsistent(server, async () => {
    for (const attempt of [
      (id: number, add: readonly number[]) => changeSubgroups('owner', id, { add }),
      (id: number, add: readonly number[]) => change('owner', id, { add_subgroups: add }),
    ]) {
      expectRefusal(t, await attempt(a, [b]), `User group ${b} is already a subgroup of this group.`)
      for (const [id, add] of [
        [c, a],
        [b, a],
        [a, a],
      ] as const) {
        expectRefusal(
          t,
          await attempt(id, [3, add]),
          `User group ${id} is already a subgroup of one of the passed subgroups.`,
        )
      }
      expectRefusal(t, await attempt(a, [asleep]), `Invalid user group ID: ${asleep}`)
      expectRefusal(t, await attempt(a, [-1]), 'Invalid user group ID: -1')
    }
    expectRefusal(t, await changeSubgroups('owner', a, { delete: [999] }), 'Invalid user group ID: 999')
    expectRefusal(
      t,
      await changeSubgroups('owner', a, { delete: [c] }),
      `User group ${c} is not a subgroup of this group.`,
    )
  })
  t.same(events.guest, [])
  t.same(await subgroupsOf(a), [b, c])
})

t.test('[GROUP46] groups are nested at most 50 deep', async (t) => {
  let top = await create()
  for (let depth = 2; depth <= 50; depth++) top = await create({ subgroups: [top] })
  const tooDeep = 'User groups are nested too deeply (maximum 50 levels).'
  const empty = await create()
  expectRefusal(t, await changeSubgroups('owner', empty, { add: [top] }), tooDeep)
  expectRefusal(t, await change('owner', empty, { add_subgroups: [top] }), tooDeep)
  const answer = await owner.post('/user_groups/create', {
    name: 'too deep',
    description: '',
    members: [],
    subgroups: [top],
  })
  expectRefusal(t, answer, tooDeep)
  t.equal((await changeSubgroups('owner', top, { add: [empty] })).status, 200)
  t.equal((await subgroupsOf(top)).length, 50)
})

t.test('[GROUP47] adding members needs the permission to add or to manage; guests never add', async (t) => {
  const id = await create({ can_add_members_group: only(4, 6), can_manage_group: only(5, 6) })
  t.equal((await change('member', id, { add: [1] })).status, 200)
  t.equal((await change('member2', id, { add: [2] })).status, 200)
  t.equal((await change('owner', id, { add: [3] })).status, 200)
  for (const person of ['administrator', 'moderator', 'guest', 'bot'] as const) {
    expectRefusal(t, await change(person, id, { add: [4] }), 'Insufficient permission')
    expectRefusal(t, await change(person, id, { add_subgroups: [1] }), 'Insufficient permission')
    expectRefusal(t, await changeSubgroups(person, id, { add: [1] }), 'Insufficient permission')
  }
  expectRefusal(t, await change('member', id, { delete: [1] }), 'Insufficient permission')
  expectRefusal(t, await changeSubgroups('member', id, { add: [1], delete: [1] }), 'Insufficient permission')
  t.equal((await change('member', id, { add_subgroups: [1] })).status, 200)
  t.equal((await changeSubgroups('member2', id, { add: [2] })).status, 200)
  t.same(await membersOf(id, { direct_member_only: true }), [1, 2, 3])
})

t.test('[GROUP48] removing members needs the permission to remove or to manage', async (t) => {
  const id = await create({
    members: [1, 2, 3, 7],
    subgroups: [1, 2, 3],
    can_remove_members_group: only(4, 6),
    can_manage_group: only(5, 6),
  })
  t.equal((await change('member', id, { delete: [1] })).status, 200)
  t.equal((await change('member2', id, { delete: [2] })).status, 200)
  t.equal((await change('owner', id, { delete: [3] })).status, 200)
  for (const person of ['administrator', 'moderator', 'guest', 'bot'] as const) {
    expectRefusal(t, await change(person, id, { delete: [7] }), 'Insufficient permission')
    expectRefusal(t, await change(person, id, { delete_subgroups: [1] }), 'Insufficient permission')
    expectRefusal(t, await changeSubgroups(person, id, { delete: [1] }), 'Insufficient permission')
  }
  expectRefusal(t, await change('member', id, { add: [1] }), 'Insufficient permission')
  t.equal((await change('member', id, { delete_subgroups: [1] })).status, 200)
  t.equal((await changeSubgroups('member2', id, { delete: [2] })).status, 200)
  t.same(await membersOf(id, { direct_member_only: true }), [7])
})

t.test('[GROUP49] the permission to join allows adding only oneself; guests cannot join', async (t) => {
  const id = await create({ can_join_group: only(4, 6) })
  expectRefusal(t, await change('member', id, { add: [4, 5] }), 'Insufficient permission')
  expectRefusal(t, await change('member', id, { add: [5] }), 'Insufficient permission')
  expectRefusal(t, await change('member', id, { add_subgroups: [1] }), 'Insufficient permission')
  expectRefusal(t, await change('member2', id, { add: [5] }), 'Insufficient permission')
  expectRefusal(t, await change('guest', id, { add: [6] }), 'Insufficient permission')
  t.equal((await change('member', id, { add: [4] })).status, 200)
  t.same(await membersOf(id), [4])
})

t.test('[GROUP50] the permission to leave allows removing only oneself, guests included', async (t) => {
  const id = await create({ members: [4, 5, 6], can_leave_group: only(4, 6) })
  expectRefusal(t, await change('member', id, { delete: [4, 5] }), 'Insufficient permission')
  expectRefusal(t, await change('member', id, { delete: [5] }), 'Insufficient permission')
  expectRefusal(t, await change('member', id, { delete_subgroups: [1] }), 'Insufficient permission')
  expectRefusal(t, await change('member2', id, { delete: [5] }), 'Insufficient permission')
  t.equal((await change('member', id, { delete: [4] })).status, 200)
  t.equal((await change('guest', id, { delete: [6] })).status, 200)
  t.same(await membersOf(id), [5])
})

t.test('[GROUP51] permissions of a group hold for the members of its subgroups', async (t) => {
  const inner = await create({ members: [4] })
  const holder = await create({ subgroups: [inner] })
  const id = await create({ can_add_members_group: holder })
  t.equal((await change('member', id, { add: [4] })).status, 200)
  expectRefusal(t, await change('member2', id, { add: [5] }), 'Insufficient permission')
  t.equal((await changeSubgroups('owner', holder, { delete: [inner] })).status, 200)
  expectRefusal(t, await change('member', id, { add: [5] }), 'Insufficient permission')
})

t.test('[GROUP52] the members of system, deactivated and unknown groups cannot be changed', async (t) => {
  const asleep = await create({ members: [4] })
  await owner.must('POST', `/user_groups/${asleep}/deactivate`)
  for (const [id, msg] of [
    [1, 'Insufficient permission'],
    [asleep, 'User group is deactivated.'],
    [999, 'Invalid user group'],
  ] as const) {
    expectRefusal(t, await change('owner', id, { add: [4] }), msg)
    expectRefusal(t, await change('owner', id, { delete: [1] }), msg)
    expectRefusal(t, await changeSubgroups('owner', id, { add: [3] }), msg)
    expectRefusal(t, await changeSubgroups('owner', id, { delete: [3] }), msg)
  }
  t.same(await membersOf(asleep), [4])
})

t.test('[GROUP53] members are listed with those of subgroups or without', async (t) => {
  const inner = await create({ members: [6, 7] })
  const id = await create({ members: [4], subgroups: [inner, 2] })
  t.same(await membersOf(id), [1, 2, 4, 6, 7])
  t.same(await membersOf(id, { direct_member_only: true }), [4])
  t.same(await membersOf(5), [1, 2, 3, 4, 5, 7])
  t.same(await subgroupsOf(id), [1, 2, inner])
  t.same(await subgroupsOf(id, { direct_subgroup_only: true }), [2, inner])
  t.same(await subgroupsOf(8), [])
  for (const path of [
    '/user_groups/999/members',
    '/user_groups/999/subgroups',
    '/user_groups/999/members/4',
  ]) {
    expectRefusal(t, await member.get(path), 'Invalid user group')
  }
})

t.test('[GROUP54] the membership of each active user can be read', async (t) => {
  const inner = await create({ members: [6] })
  const id = await create({ members: [4], subgroups: [inner] })
  const gone = await addUser(server, 'left')
  await deactivate(server, gone.userId as UserId)
  const isMember = async (userId: number, fields: Fields = {}) =>
    (await server.as('guest').must('GET', `/user_groups/${id}/members/${userId}`, fields))
      .is_user_group_member
  t.equal(await isMember(4), true)
  t.equal(await isMember(4, { direct_member_only: true }), true)
  t.equal(await isMember(6), true)
  t.equal(await isMember(6, { direct_member_only: true }), false)
  t.equal(await isMember(5), false)
  expectRefusal(t, await member.get(`/user_groups/${id}/members/999`), 'No such user')
  expectRefusal(t, await member.get(`/user_groups/${id}/members/${gone.userId}`), 'User is deactivated')
})

t.test(
  '[GROUP55] a user who sees a private channel through a group loses it with the membership',
  async (t) => {
    for (const permission of ['canAdministerChannel', 'canAddSubscribers', 'canSubscribe'] as const) {
      const inner = await create()
      const id = await create({ subgroups: [inner] })
      await owner.subscribe([permission], { invite_only: true })
      await setUpChannel(server, permission, { kind: 'permission', permission, setting: id as GroupId })
      const { stream_id: channelId } = (
        await owner.must('GET', '/streams', { include_all: true })
      ).streams.find((one: { name: string }) => one.name === permission)

      const gained = await expectConsistent(server, () => change('owner', inner, { add: [4, 6] }))
      t.match(gained.member, [
        { type: 'user_group', op: 'add_members' },
        { type: 'stream', op: 'create', streams: [{ stream_id: channelId }] },
        { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: [1] },
      ])
      for (const person of ['owner', 'member2', 'guest'] as const) t.equal(gained[person]?.length, 1, person)

      const lost = await expectConsistent(server, () => changeSubgroups('owner', id, { delete: [inner] }))
      t.match(lost.member, [
        { type: 'user_group', op: 'remove_subgroups' },
        { type: 'stream', op: 'delete', stream_ids: [channelId] },
      ])
      for (const person of ['owner', 'member2', 'guest'] as const) t.equal(lost[person]?.length, 1, person)

      const back = await expectConsistent(server, () => changeSubgroups('owner', id, { add: [inner] }))
      t.match(back.member, [{ op: 'add_subgroups' }, { type: 'stream', op: 'create' }, { op: 'peer_add' }])
      const away = await expectConsistent(server, () => change('owner', inner, { delete: [4] }))
      t.match(away.member, [{ op: 'remove_members' }, { type: 'stream', op: 'delete' }])
    }
  },
)

t.test('[GROUP56] users who see the channel for another reason are not affected', async (t) => {
  const id = await create()
  await owner.subscribe(['shared'], { invite_only: true, principals: [4] })
  await owner.subscribe(['open'])
  for (const name of ['shared', 'open']) {
    await setUpChannel(server, name, {
      kind: 'permission',
      permission: 'canSubscribe',
      setting: id as GroupId,
    })
  }
  const events = await expectConsistent(server, async () => {
    await change('owner', id, { add: [1, 4] })
    await change('owner', id, { delete: [1, 4] })
  })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.match(events[person], [{ op: 'add_members' }, { op: 'remove_members' }])
    t.equal(events[person]?.length, 2, person)
  }
})

t.test(
  '[GROUP57] of two concurrent requests that together close a cycle, at two processes, one is refused',
  async (t) => {
    const pairs: [number, number][] = []
    for (let round = 0; round < 5; round++) pairs.push([await create(), await create()])
    const another = await server.startAnotherNode()
    for (const [a, b] of pairs) {
      const answers = await Promise.all([
        changeSubgroups('owner', a, { add: [b] }),
        another.as('owner').post(`/user_groups/${b}/subgroups`, { add: [a] }),
      ])
      const refused = answers.findIndex(({ status }) => status !== 200)
      t.equal(answers.filter(({ status }) => status === 200).length, 1)
      const group = refused === 0 ? a : b
      expectRefusal(
        t,
        answers[refused] as Answer,
        `User group ${group} is already a subgroup of one of the passed subgroups.`,
      )
    }
  },
)
