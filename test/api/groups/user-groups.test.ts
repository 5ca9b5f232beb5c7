import t from 'tap'
import type { GroupId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')

const attempt = (person: Person, name: string, fields: Fields = {}) =>
  server.as(person).post('/user_groups/create', { name, description: '', members: [], ...fields })
async function create(person: Person, name: string, fields: Fields = {}): Promise<number> {
  const { status, body } = await attempt(person, name, fields)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.group_id
}
async function groupOf(id: number, person: Person = 'owner') {
  const { user_groups: groups } = await server.as(person).must('GET', '/user_groups')
  return groups.find((one: { id: number }) => one.id === id)
}
const SETTINGS = {
  can_add_members_group: { direct_members: [4], direct_subgroups: [] },
  can_join_group: 8,
  can_leave_group: 6,
  can_manage_group: { direct_members: [4], direct_subgroups: [] },
  can_mention_group: 6,
  can_remove_members_group: 8,
}

t.test('[GROUP1] a new group is sent to everyone, guests included', async (t) => {
  let id = 0
  const events = await expectConsistent(server, async () => {
    const body = await member.must('POST', '/user_groups/create', {
      name: '  Design ',
      description: 'How things *look*\nand feel',
      members: [5, 6, 5, 7],
      subgroups: [3, 2, 3],
    })
    id = body.group_id
    t.same(body, { result: 'success', msg: '', group_id: 9 })
  })
  const group = {
    id,
    name: 'Design',
    description: 'How things *look*\nand feel',
    creator_id: 4,
    members: [5, 6, 7],
    direct_subgroup_ids: [2, 3],
    is_system_group: false,
    deactivated: false,
    ...SETTINGS,
  }
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.match(events[person], [{ type: 'user_group', op: 'add', group }])
    t.equal(events[person]?.length, 1)
    const { date_created: createdAt, ...rest } = await groupOf(id, person)
    t.same(rest, group)
    t.ok(Number.isSafeInteger(createdAt) && Number(createdAt) > 1_600_000_000)
  }
})

t.test('[GROUP2] a group can be without members, and its creator need not be a member', async (t) => {
  const id = await create('member', 'empty')
  t.match(await groupOf(id), { members: [], direct_subgroup_ids: [], description: '' })
})

t.test('[GROUP3] name, description and members are required, in their types', async (t) => {
  const whole = { name: 'x', description: '', members: [] }
  for (const name of ['name', 'description', 'members']) {
    const answer = await owner.post('/user_groups/create', { ...whole, [name]: undefined })
    expectRefusal(t, answer, `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  }
  const bad = async (fields: Fields, msg: string) =>
    expectRefusal(t, await attempt('owner', 'x', fields), msg)
  await bad({ members: 'everyone' }, 'members is not valid JSON')
  await bad({ members: 4 }, 'members is not a list')
  await bad({ members: ['4'] }, 'members[0] is not an integer')
  await bad({ subgroups: [{}] }, 'subgroups[0] is not an integer')
  await bad({ members: Array.from({ length: 10_001 }, () => 4) }, 'members is too long (limit: 10000 items)')
  await bad(
    { subgroups: Array.from({ length: 1_001 }, () => 1) },
    'subgroups is too long (limit: 1000 items)',
  )
  t.equal(
    (await attempt('owner', 'repeated', { members: Array.from({ length: 10_000 }, () => 4) })).status,
    200,
  )
})

t.test('[GROUP4] a name has 1 to 100 code points, all of them visible', async (t) => {
  const refused = async (name: string, msg: string) => expectRefusal(t, await attempt('owner', name), msg)
  const longest = '😀'.repeat(100)
  t.equal((await groupOf(await create('owner', longest))).name, longest)
  await refused(`${longest}x`, 'User group name cannot exceed 100 characters.')
  await refused('x'.repeat(101), 'User group name cannot exceed 100 characters.')
  await refused('', "User group name can't be empty!")
  await refused(' \t\n ', "User group name can't be empty!")
  await refused('a\nb', 'Invalid character in user group name, at position 2.')
  await refused('😀\u0378', 'Invalid character in user group name, at position 2.')
  await refused('a\0b', 'Invalid character in user group name, at position 2.')
})

t.test('[GROUP5] a name cannot begin like a mention or a system group, in any case', async (t) => {
  for (const prefix of ['@', 'role:', 'user:', 'stream:', 'channel:']) {
    const msg = `User group name cannot start with '${prefix}'.`
    expectRefusal(t, await attempt('owner', `${prefix}team`), msg)
    expectRefusal(t, await attempt('owner', ` ${prefix.toUpperCase()}team`), msg)
    await create('owner', `team ${prefix}`)
  }
  expectRefusal(t, await attempt('owner', 'role:owners'), "User group name cannot start with 'role:'.")
})

t.test('[GROUP6] names are unique in any case, deactivated groups included', async (t) => {
  const id = await create('owner', 'Überall')
  for (const name of ['Überall', 'überALL', ' ÜBERALL']) {
    expectRefusal(t, await attempt('member', name), `User group '${name.trim()}' already exists.`)
  }
  await owner.must('POST', `/user_groups/${id}/deactivate`)
  expectRefusal(t, await attempt('member', 'überall'), "User group 'überall' already exists.")
})

t.test('[GROUP7] a description has at most 1,024 code points', async (t) => {
  await create('owner', 'long', { description: '😀'.repeat(1_024) })
  expectRefusal(
    t,
    await attempt('owner', 'longer', { description: '😀'.repeat(1_025) }),
    'description is too long (limit: 1024 characters)',
  )
})

t.test('[GROUP8] members are active users, including bots and guests', async (t) => {
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  for (const id of [999, 0, -1, gone.userId]) {
    expectRefusal(t, await attempt('owner', 'never', { members: [4, id] }), `Invalid user ID: ${id}`)
  }
  t.notOk((await owner.must('GET', '/user_groups')).user_groups.some((one) => one.name === 'never'))
})

t.test('[GROUP9] any active group can be a subgroup of a new one', async (t) => {
  const other = await create('owner', 'closed', { can_manage_group: 8, can_add_members_group: 8 })
  const id = await create('member', 'outer', { subgroups: [other, 6] })
  t.same((await groupOf(id)).direct_subgroup_ids, [6, other])
  const deactivated = await create('owner', 'deactivated subgroup')
  await owner.must('POST', `/user_groups/${deactivated}/deactivate`)
  for (const unknown of [999, 0, -5, deactivated]) {
    expectRefusal(
      t,
      await attempt('owner', 'never', { subgroups: [other, unknown] }),
      `Invalid user group ID: ${unknown}`,
    )
  }
})

t.test(
  '[GROUP10] permissions are a group or a set; a set of one group is that group, an empty set equals nobody',
  async (t) => {
    const other = await create('owner', 'other')
    const id = await create('owner', 'with settings', {
      can_add_members_group: other,
      can_join_group: { direct_members: [], direct_subgroups: [other] },
      can_leave_group: { direct_members: [5, 4, 5], direct_subgroups: [3, other] },
      can_manage_group: { direct_members: [], direct_subgroups: [] },
      can_mention_group: 8,
      can_remove_members_group: 5,
    })
    t.match(await groupOf(id), {
      can_add_members_group: other,
      can_join_group: other,
      can_leave_group: { direct_members: [4, 5], direct_subgroups: [3, other] },
      can_manage_group: 8,
      can_mention_group: 8,
      can_remove_members_group: 5,
    })
  },
)

t.test('[GROUP11] some system groups cannot hold some permissions of a group', async (t) => {
  const refused = async (setting: string, value: unknown, group: string) =>
    expectRefusal(
      t,
      await attempt('owner', 'never', { [setting]: value }),
      `'${setting}' setting cannot be set to 'role:${group}' group.`,
    )
  for (const setting of Object.keys(SETTINGS)) await refused(setting, 7, 'internet')
  for (const setting of [
    'can_add_members_group',
    'can_join_group',
    'can_manage_group',
    'can_remove_members_group',
  ]) {
    await refused(setting, 6, 'everyone')
    await refused(setting, { direct_members: [4], direct_subgroups: [6] }, 'everyone')
  }
  await refused('can_mention_group', 1, 'owners')
  t.equal((await attempt('owner', 'left by all', { can_leave_group: 6, can_mention_group: 6 })).status, 200)
})

t.test('[GROUP12] permissions name active users and groups', async (t) => {
  const refused = async (value: unknown, msg: string) =>
    expectRefusal(t, await attempt('owner', 'never', { can_manage_group: value }), msg)
  await refused(999, 'Invalid user group ID: 999')
  await refused({ direct_members: [999], direct_subgroups: [] }, 'Invalid user ID: 999')
  await refused({ direct_members: [4], direct_subgroups: [998, 999] }, 'Invalid user group ID: 998')
  await refused('role:members', 'can_manage_group is not valid JSON')
  await refused({ direct_members: [4] }, 'Invalid can_manage_group')
  await refused([4], 'Invalid can_manage_group')
})

t.test('[GROUP13] users with the permission create groups, bots included; guests never do', async (t) => {
  for (const person of ['owner', 'administrator', 'moderator', 'member', 'bot'] as const) {
    await create(person, `of ${person}`)
  }
  expectRefusal(t, await attempt('guest', 'of guest'), 'Insufficient permission')
  await commitEvents(server, [
    {
      type: 'realm/update_dict',
      changes: { permissions: { canCreateGroups: 3 as GroupId } },
    },
  ])
  await create('moderator', 'of moderators')
  for (const person of ['member', 'bot', 'guest'] as const) {
    expectRefusal(t, await attempt(person, `second of ${person}`), 'Insufficient permission')
  }
  await commitEvents(server, [
    {
      type: 'realm/update_dict',
      changes: {
        permissions: { canCreateGroups: { directMembers: [guest.userId] as never, directSubgroups: [] } },
      },
    },
  ])
  expectRefusal(t, await attempt('guest', 'of guest'), 'Insufficient permission')
  expectRefusal(t, await attempt('owner', 'second of owner'), 'Insufficient permission')
})

t.test('[GROUP14] the list has active groups, and deactivated ones on request', async (t) => {
  const names = async (person: Person, fields: Fields = {}) =>
    (await server.as(person).must('GET', '/user_groups', fields)).user_groups.map((one) => one.name)
  t.same((await names('guest')).slice(0, 9), [
    'role:owners',
    'role:administrators',
    'role:moderators',
    'role:fullmembers',
    'role:members',
    'role:everyone',
    'role:internet',
    'role:nobody',
    'Design',
  ])
  t.notOk((await names('member')).includes('Überall'))
  t.notOk((await names('member', { include_deactivated_groups: false })).includes('Überall'))
  t.ok((await names('guest', { include_deactivated_groups: true })).includes('Überall'))
  expectRefusal(
    t,
    await owner.get('/user_groups', { include_deactivated_groups: 1 }),
    'include_deactivated_groups is not a boolean',
  )
})

t.test('[GROUP15] registration has the allowed values of each permission', async (t) => {
  const { state } = await owner.register({ fetch_event_types: ['realm'] })
  const rules = state.server_supported_permission_settings
  t.same(Object.keys(rules), ['realm', 'stream', 'group'])
  t.same(Object.keys(rules.group).sort(), Object.keys(SETTINGS).sort())
  t.same(rules.realm.can_access_all_users_group, {
    require_system_group: true,
    allow_internet_group: false,
    allow_nobody_group: false,
    allow_everyone_group: true,
    default_group_name: 'role:everyone',
    default_for_system_groups: null,
    allowed_system_groups: ['role:everyone', 'role:members'],
  })
  t.same(rules.stream.can_administer_channel_group, {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: 'channel_creator',
    default_for_system_groups: null,
    allowed_system_groups: [],
  })
  t.same(rules.group.can_manage_group, {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: 'group_creator',
    default_for_system_groups: 'role:nobody',
    allowed_system_groups: [],
  })
  t.equal(rules.realm.can_create_groups?.default_group_name, 'role:members')
  t.equal(rules.realm.can_manage_all_groups?.allow_nobody_group, false)
})
