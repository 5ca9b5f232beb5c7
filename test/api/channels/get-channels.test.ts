import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { deactivate } from '../../harness/worlds/add-user.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['public'])
await owner.subscribe(['joined'], { principals: [4, 5, 6, 7] })
await owner.subscribe(['owned'], { principals: [4] })
await member.subscribe(['private'], { invite_only: true })
await member.subscribe(['ours'], { invite_only: true, principals: [4, 5, 6] })

const NOTHING = { include_public: false, include_subscribed: false }
async function list(person: Person, fields: Fields = {}): Promise<string[]> {
  const { streams } = await server.as(person).must('GET', '/streams', fields)
  return streams.map(({ name }: { name: string }) => name).sort()
}

t.test('[CHAN1] by default the list has public channels and those of the caller, complete', async (t) => {
  t.same(await list('owner'), ['joined', 'owned', 'public'])
  t.same(await list('member'), ['joined', 'ours', 'owned', 'private', 'public'])
  t.same(await list('member2'), ['joined', 'ours', 'owned', 'public'])
  t.same(await list('guest'), ['joined', 'ours'])
  t.same(await list('bot'), ['joined', 'owned', 'public'])
  const { streams } = await owner.must('GET', '/streams')
  t.notOk('is_default' in streams[0])
})

t.test('[CHAN2] without any filter the list is empty', async (t) => {
  for (const person of ['owner', 'member', 'guest'] as const) t.same(await list(person, NOTHING), [])
})

t.test('[CHAN3] each filter adds its channels', async (t) => {
  const only = (person: Person, filter: string) => list(person, { ...NOTHING, [filter]: true })
  t.same(await only('member2', 'include_public'), ['joined', 'owned', 'public'])
  t.same(await only('member2', 'include_subscribed'), ['joined', 'ours'])
  t.same(await only('member2', 'include_all'), ['joined', 'ours', 'owned', 'public'])
  t.same(await only('owner', 'include_all'), ['joined', 'ours', 'owned', 'private', 'public'])
  t.same(await only('owner', 'include_can_access_content'), ['joined', 'owned', 'public'])
  t.same(await only('member2', 'include_can_access_content'), ['joined', 'ours', 'owned', 'public'])
  for (const none of ['include_web_public', 'include_default', 'include_owner_subscribed']) {
    t.same(await only('member', none), [], none)
  }
  t.same(await list('member', { ...NOTHING, exclude_archived: false }), [])
})

t.test('[CHAN4] filters are combined by union', async (t) => {
  t.same(await list('member2', { include_public: true, include_subscribed: false }), [
    'joined',
    'owned',
    'public',
  ])
  t.same(await list('member2', { include_public: false }), ['joined', 'ours'])
  t.same(await list('owner', { ...NOTHING, include_all: true, include_can_access_content: true }), [
    'joined',
    'ours',
    'owned',
    'private',
    'public',
  ])
})

t.test('[CHAN5] guests do not get public channels', async (t) => {
  for (const filter of ['include_public', 'include_all', 'include_can_access_content']) {
    t.same(await list('guest', { include_subscribed: true, [filter]: true }), ['joined', 'ours'], filter)
  }
  t.same(await list('guest', { ...NOTHING, include_public: true }), [])
})

t.test('[CHAN6] the default flag of a channel is shown if default channels are requested', async (t) => {
  const { streams } = await owner.must('GET', '/streams', { include_default: true })
  t.ok(streams.every((one) => one.is_default === false))
  t.equal(streams.length, 3)
})

t.test('[CHAN7] include_all_active needs an administrator', async (t) => {
  for (const person of ['owner', 'administrator'] as const) {
    t.same(await list(person, { ...NOTHING, include_all_active: true }), [
      'joined',
      'ours',
      'owned',
      'private',
      'public',
    ])
  }
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(
      t,
      await server.as(person).get('/streams', { include_all_active: true }),
      'Must be an organization administrator',
    )
  }
})

t.test('[CHAN8] a filter must be a boolean', async (t) => {
  expectRefusal(t, await owner.get('/streams', { include_all: 'perhaps' }), 'include_all is not valid JSON')
  expectRefusal(t, await owner.get('/streams', { include_all: 1 }), 'include_all is not a boolean')
})

t.test('[CHAN9] a bot can list the channels of its owner', async (t) => {
  const owned = { ...NOTHING, include_owner_subscribed: true }
  t.same(await list('bot', owned), ['joined', 'ours', 'owned', 'private'])
  t.same(await list('bot', { ...owned, include_subscribed: true }), ['joined', 'ours', 'owned', 'private'])
  t.same(await list('bot', { ...NOTHING, include_all: true }), ['joined', 'owned', 'public'])
})

const WEB_PUBLIC = { kind: 'privacy', isPrivate: false, isWebPublic: true, isHistoryPublic: true } as const

t.test('[CHAN10] archived channels are listed only if they are not excluded', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['kept', 'archived'])
  await setUpChannel(server, 'archived', { kind: 'archived', isArchived: true })
  const list = async (fields: Fields) => (await owner.must('GET', '/streams', fields)).streams
  const names = async (fields: Fields) => (await list(fields)).map((one) => one.name)
  t.same(await names({}), ['kept'])
  t.same(await names({ exclude_archived: true, include_all: true }), ['kept'])
  t.same(await names({ exclude_archived: true, include_all_active: true }), ['kept'])
  t.same(await names({ exclude_archived: false }), ['kept', 'archived'])
  t.same(await names({ ...NOTHING, exclude_archived: false, include_all: true }), ['kept', 'archived'])
  t.same(await names({ ...NOTHING, exclude_archived: false, include_all_active: true }), ['kept', 'archived'])
  t.match(await list({ exclude_archived: false }), [{ is_archived: false }, { is_archived: true }])
})

t.test('[CHAN11] web-public channels are listed on request for everyone, guests included', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['open', 'public'])
  await setUpChannel(server, 'open', WEB_PUBLIC)
  for (const person of ['owner', 'member', 'guest', 'bot'] as const) {
    const { streams } = await server
      .as(person)
      .must('GET', '/streams', { ...NOTHING, include_web_public: true })
    t.match(streams, [{ name: 'open', is_web_public: true, invite_only: false }], person)
    t.equal(streams.length, 1)
  }
  const guest = server.as('guest')
  const names = async (fields: Fields) =>
    (await guest.must('GET', '/streams', fields)).streams.map((one) => one.name)
  t.same(await names({}), [], 'public, but not for guests')
  t.same(await names({ ...NOTHING, include_all: true }), ['open'])
  t.same(await names({ ...NOTHING, include_can_access_content: true }), ['open'])
})

t.test('[CHAN12] default channels are listed on request if the caller can see them', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['first', 'second', 'third'])
  await server.as('owner').subscribe(['second'], { principals: [6] })
  const channelIds = [channelIdOf(server, 'first'), channelIdOf(server, 'second')]
  await commitEvents(server, [{ type: 'default_streams', channelIds }])
  const list = async (person: Person, fields: Fields) =>
    (await server.as(person).must('GET', '/streams', fields)).streams.map((one) => [one.name, one.is_default])
  const defaults = { ...NOTHING, include_default: true }
  const both = [
    ['first', true],
    ['second', true],
  ]
  t.same(await list('member', defaults), both)
  t.same(await list('guest', defaults), [['second', true]])
  t.same(await list('member', { include_default: true }), [...both, ['third', false]])
  t.same(
    await list('member', {}),
    ['first', 'second', 'third'].map((name) => [name, undefined]),
  )
})

t.test(
  '[CHAN13] include_all lists a private channel to users who administer it or may join it',
  async (t) => {
    const server = await startTestServer(t)
    await server.as('owner').subscribe(['closed', 'joinable', 'administered'], { invite_only: true })
    const members = SYSTEM_GROUPS.members
    const permission = 'permission' as const
    await setUpChannel(server, 'joinable', { kind: permission, permission: 'canSubscribe', setting: members })
    await setUpChannel(server, 'administered', {
      kind: permission,
      permission: 'canAdministerChannel',
      setting: { directMembers: [5 as UserId, 6 as UserId], directSubgroups: [] },
    })
    const list = async (person: Person, fields: Fields) =>
      (await server.as(person).must('GET', '/streams', { ...NOTHING, ...fields })).streams.map(
        (one) => one.name,
      )
    t.same(await list('administrator', { include_all: true }), ['closed', 'joinable', 'administered'])
    t.same(await list('member', { include_all: true }), ['joinable'])
    t.same(await list('member2', { include_all: true }), ['joinable', 'administered'])
    t.same(await list('guest', { include_all: true }), [], 'no permission makes a guest see a channel')
    t.same(await list('member2', { include_can_access_content: true }), ['joinable'])
    t.same(await list('administrator', { include_can_access_content: true }), ['joinable'])
    t.same(await list('member2', {}), [])
    t.same(await list('member2', { include_public: true }), [])
  },
)

t.test('[CHAN14] a bot lists the channels of its owner only if the owner is active', async (t) => {
  const server = await startTestServer(t)
  await server.as('member').subscribe(['private'], { invite_only: true })
  const owned = { ...NOTHING, include_owner_subscribed: true }
  for (const [person, names] of [
    ['bot', ['private']],
    ['member', []], // A person has no owner, not even themselves.
    ['owner', []],
  ] as const) {
    const { streams } = await server.as(person).must('GET', '/streams', owned)
    t.same(
      streams.map((one) => one.name),
      names,
      person,
    )
  }
  await setUpChannel(server, 'private', { kind: 'archived', isArchived: true })
  t.same((await server.as('bot').must('GET', '/streams', owned)).streams, [], 'without archived channels')
  await setUpChannel(server, 'private', { kind: 'archived', isArchived: false })
  await deactivate(server, 4)
  await commitEvents(server, [
    { type: 'realm_user/update', userId: 7 as UserId, changes: { isActive: true } },
  ])
  t.same((await server.as('bot').must('GET', '/streams', owned)).streams, [])
})

t.test('[CHAN15] the permission to post is also shown in its older form', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['channel'])
  const post = async (setting: number | { directMembers: UserId[]; directSubgroups: [] }) => {
    await setUpChannel(server, 'channel', {
      kind: 'permission',
      permission: 'canSendMessage',
      setting: setting as never,
    })
    const [channel] = (await server.as('owner').must('GET', '/streams')).streams
    return [channel.stream_post_policy, channel.is_announcement_only, channel.can_send_message_group]
  }
  t.same(await post(SYSTEM_GROUPS.everyone), [1, false, 6])
  t.same(await post(SYSTEM_GROUPS.administrators), [2, true, 2])
  t.same(await post(SYSTEM_GROUPS.fullMembers), [3, false, 4])
  t.same(await post(SYSTEM_GROUPS.moderators), [4, false, 3])
  t.same(
    await post(SYSTEM_GROUPS.owners),
    [1, false, 1],
    'groups without an older form are shown as everyone',
  )
  t.same(await post(SYSTEM_GROUPS.nobody), [1, false, 8])
  t.same(await post({ directMembers: [4 as UserId], directSubgroups: [] }), [
    1,
    false,
    { direct_members: [4], direct_subgroups: [] },
  ])
})

t.test('[CHAN16] deactivated users are left out of counts and group settings', async (t) => {
  const server = await startTestServer(t)
  await server.as('member').subscribe(['channel'], { principals: [1, 4, 5] })
  const see = async () => (await server.as('owner').must('GET', '/streams')).streams[0]
  const before = await see()
  t.equal(before.subscriber_count, 3)
  t.same(before.can_administer_channel_group, { direct_members: [4], direct_subgroups: [] })
  await deactivate(server, 4)
  const after = await see()
  t.equal(after.subscriber_count, 2)
  t.same(after.can_administer_channel_group, { direct_members: [], direct_subgroups: [] })
  t.equal(after.creator_id, 4, 'its creator stays recorded')
})
