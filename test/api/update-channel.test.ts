import t from 'tap'
import type { LogEvent } from '../../server/domain/events.ts'
import type { OrganizationSettings } from '../../server/domain/organization-settings.ts'
import type { Fields } from '../harness/client.ts'
import { commitEvents } from '../harness/commit-events.ts'
import { expectConsistent } from '../harness/expect-consistent.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../harness/set-up-channel.ts'
import { startTestServer, type Person } from '../harness/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
const guest = server.as('guest')

const update = (person: Person, name: string, fields: Fields) =>
  server.as(person).patch(`/streams/${channelIdOf(server, name)}`, fields)
async function mustUpdate(person: Person, name: string, fields: Fields): Promise<void> {
  await server.as(person).must('PATCH', `/streams/${channelIdOf(server, name)}`, fields)
}
async function channelOf(name: string) {
  const { streams } = await owner.must('GET', '/streams', { include_all: true, exclude_archived: false })
  return streams.find((one: { name: string }) => one.name === name)
}
const changes = (events: any) =>
  events.map(({ type, op, property, value }: any) => [`${type}/${op}`, property, value])
const set = (settings: Partial<OrganizationSettings>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { settings } }])
const permit = (permissions: Extract<LogEvent, { type: 'realm/update_dict' }>['changes']['permissions']) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: permissions ? { permissions } : {} }])

/** `member` creates it and so administers it. */
async function makeChannel(name: string, fields: Fields = {}, others: readonly number[] = []): Promise<void> {
  await member.subscribe([name], { principals: [member.userId, ...others], ...fields })
}

t.test('[CHUP1] one request makes many changes, with one event for each', async (t) => {
  await makeChannel('many')
  const id = channelIdOf(server, 'many')
  const received = await expectConsistent(server, async () => {
    t.same(
      (
        await update('member', 'many', {
          new_name: ' more ',
          description: ' a *b*\nc ',
          topics_policy: 'allow_empty_topic',
        })
      ).body,
      {
        result: 'success',
        msg: '',
      },
    )
  })
  const { rendered_description: rendered } = await channelOf('more')
  t.equal(rendered, '<p>a <em>b</em> c</p>')
  const events = received.member2?.map((event) => ({ ...event, id: undefined }))
  const common = { id: undefined, type: 'stream', op: 'update', stream_id: id }
  t.same(events, [
    { ...common, name: 'many', property: 'name', value: 'more' },
    { ...common, name: 'more', property: 'description', value: 'a *b* c', rendered_description: rendered },
    { ...common, name: 'more', property: 'topics_policy', value: 'allow_empty_topic' },
  ])
  t.equal(received.owner?.length, 3)
  t.equal(received.member?.length, 3)
  t.same(received.guest, [])
})

t.test('[CHUP2] a value that does not change sends no event', async (t) => {
  await makeChannel('still')
  const events = await expectConsistent(server, async () => {
    await mustUpdate('owner', 'still', {
      description: '',
      is_private: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_default_stream: false,
      message_retention_days: 'realm_default',
      is_archived: false,
      folder_id: null,
      topics_policy: 'inherit',
      can_send_message_group: { new: 6, old: 6 },
      can_administer_channel_group: { new: { direct_members: [4, 4], direct_subgroups: [] } },
    })
    await mustUpdate('owner', 'still', {})
  })
  t.same(events.owner, [])
})

t.test('[CHUP3] names follow the rules of creation, and must be free or differ only in case', async (t) => {
  await makeChannel('called')
  await makeChannel('taken')
  const refuse = async (new_name: string, msg: string) =>
    expectRefusal(t, await update('member', 'called', { new_name }), msg)
  await refuse('  ', "Channel name can't be empty.")
  await refuse('x'.repeat(61), 'Channel name too long (limit: 60 characters).')
  await refuse('a\u0007', 'Invalid character in channel name, at position 2.')
  await refuse(' called ', 'Channel already has that name.')
  await refuse('TAKEN', 'Channel name is already in use.')
  await mustUpdate('member', 'called', { new_name: 'CALLED' })
  await mustUpdate('member', 'CALLED', { new_name: '😀'.repeat(60) })
  // The old name is free, and the new one finds the channel.
  await makeChannel('called')
  t.not(channelIdOf(server, 'called'), channelIdOf(server, '😀'.repeat(60)))
  await member.send('😀'.repeat(60), 'topic', 'found')
})

t.test('[CHUP4] the name of an archived channel stays taken', async (t) => {
  await makeChannel('kept')
  await makeChannel('wishing')
  await setUpChannel(server, 'kept', { kind: 'archived', isArchived: true })
  const answer = await update('member', 'wishing', { new_name: 'Kept' })
  expectRefusal(t, answer, 'Channel name is already in use.')
})

t.test(
  '[CHUP5] absent and invisible channels look alike; a visible one without permission has its own error',
  async (t) => {
    await makeChannel('closed', { invite_only: true })
    await makeChannel('open', {}, [guest.userId])
    const fields = { description: 'mine' }
    for (const id of [9999, 2 ** 40, channelIdOf(server, 'closed')]) {
      expectRefusal(t, await member2.patch(`/streams/${id}`, fields), 'Invalid channel ID')
      expectRefusal(t, await guest.patch(`/streams/${id}`, fields), 'Invalid channel ID')
    }
    const forbidden = 'You do not have permission to administer this channel.'
    expectRefusal(t, await update('member2', 'open', fields), forbidden)
    expectRefusal(t, await update('guest', 'open', fields), forbidden)
    expectRefusal(t, await update('moderator', 'open', {}), forbidden)
  },
)

t.test('[CHUP6] administrators of the organization and of the channel change it, guests never', async (t) => {
  await makeChannel('ours', { invite_only: true }, [guest.userId])
  await mustUpdate('administrator', 'ours', { description: 'by an administrator' })
  const everyone = [4, 5, 6]
  await mustUpdate('owner', 'ours', {
    can_administer_channel_group: { new: { direct_members: everyone, direct_subgroups: [] } },
  })
  await mustUpdate('member2', 'ours', { description: 'by a member of the set' })
  const answer = await update('guest', 'ours', { description: 'by a guest' })
  expectRefusal(t, answer, 'You do not have permission to administer this channel.')
})

t.test(
  '[CHUP7] a user who gains or loses administration of a private channel gains or loses sight of it',
  async (t) => {
    await makeChannel('grown', { invite_only: true })
    const id = channelIdOf(server, 'grown')
    const administer = (...ids: number[]) =>
      mustUpdate('member', 'grown', {
        can_administer_channel_group: { new: { direct_members: ids, direct_subgroups: [] } },
      })
    const gained = await expectConsistent(server, () => administer(4, 5, 6))
    t.match(gained.member2, [
      { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [4] },
    ])
    t.match(gained.member, [{ type: 'stream', op: 'update', property: 'can_administer_channel_group' }])
    t.equal(gained.owner?.length, 1)
    t.same(gained.guest, [])
    const lost = await expectConsistent(server, () => administer(4))
    t.match(lost.member2, [{ type: 'stream', op: 'delete', stream_ids: [id] }])
    t.equal(lost.member2?.length, 1)
    t.equal(lost.owner?.length, 1)
  },
)

t.test(
  '[CHUP8] members of a group that may subscribe see a private channel; guests in it do not',
  async (t) => {
    await makeChannel('joinable', { invite_only: true })
    const events = await expectConsistent(server, () =>
      mustUpdate('member', 'joinable', {
        can_subscribe_group: { new: { direct_members: [6], direct_subgroups: [3, 5] } },
      }),
    )
    t.same(
      events.member2?.map(({ op }) => op),
      ['create', 'peer_add'],
    )
    t.same(events.guest, [])
    t.same(changes(events.owner), [
      ['stream/update', 'can_subscribe_group', { direct_members: [6], direct_subgroups: [3, 5] }],
    ])
  },
)

t.test(
  '[CHUP9] a channel made private is deleted for other members, and its history stays protected',
  async (t) => {
    await makeChannel('closing', {}, [guest.userId])
    const id = channelIdOf(server, 'closing')
    const received = await expectConsistent(server, () =>
      mustUpdate('member', 'closing', { is_private: true }),
    )
    t.match(received.member2, [{ type: 'stream', op: 'delete', stream_ids: [id] }])
    const privacy = {
      property: 'invite_only',
      value: true,
      history_public_to_subscribers: false,
      is_web_public: false,
    }
    for (const events of [received.owner, received.member, received.guest]) t.match(events, [privacy])
    // It stays private and keeps its history setting unless the request says otherwise.
    t.same(
      await expectConsistent(server, async () => {
        await mustUpdate('member', 'closing', { history_public_to_subscribers: true })
        await mustUpdate('member', 'closing', { is_private: true })
      }).then(({ member }) => member?.length),
      1,
    )
    t.match(await channelOf('closing'), { invite_only: true, history_public_to_subscribers: true })
  },
)

t.test(
  '[CHUP10] a channel made public is sent to members with its subscribers, and its history is open',
  async (t) => {
    await makeChannel('opening', { invite_only: true }, [guest.userId])
    const received = await expectConsistent(server, () =>
      mustUpdate('member', 'opening', { is_private: false }),
    )
    t.match(received.member2, [
      {
        op: 'create',
        streams: [{ name: 'opening', invite_only: false, history_public_to_subscribers: true }],
      },
      { op: 'peer_add', user_ids: [4, 6] },
    ])
    for (const events of [received.owner, received.member, received.guest]) {
      t.same(changes(events), [['stream/update', 'invite_only', false]])
    }
  },
)

t.test('[CHUP11] guests gain sight of a channel made web-public, and lose it again', async (t) => {
  await makeChannel('window')
  await set({ hasSpectatorAccess: true })
  const shown = await expectConsistent(server, () => mustUpdate('owner', 'window', { is_web_public: true }))
  t.match(shown.guest, [
    { op: 'create', streams: [{ name: 'window', is_web_public: true }] },
    { op: 'peer_add', user_ids: [4] },
  ])
  t.match(shown.member2, [{ property: 'invite_only', value: false, is_web_public: true }])
  const changed = await expectConsistent(server, () =>
    mustUpdate('member', 'window', { description: 'wide' }),
  )
  t.same(changes(changed.guest), [['stream/update', 'description', 'wide']])
  const hidden = await expectConsistent(server, () => mustUpdate('owner', 'window', { is_private: true }))
  t.same(
    hidden.guest?.map(({ op }) => op),
    ['delete'],
  )
  t.same(
    hidden.member2?.map(({ op }) => op),
    ['delete'],
  )
  t.match(await channelOf('window'), { invite_only: true, is_web_public: false })
  await set({ hasSpectatorAccess: false })
})

t.test('[CHUP12] contradicting privacy and history settings are refused', async (t) => {
  await makeChannel('clear')
  await makeChannel('dark', { invite_only: true })
  await set({ hasSpectatorAccess: true })
  const refuse = async (name: string, fields: Fields) =>
    expectRefusal(t, await update('owner', name, fields), 'Invalid parameters')
  const hidden = { history_public_to_subscribers: false }
  await refuse('clear', hidden)
  await refuse('clear', { ...hidden, is_web_public: true })
  await refuse('clear', { is_private: true, is_web_public: true })
  expectRefusal(t, await update('member', 'dark', { ...hidden, is_private: false }), 'Invalid parameters')
  // Otherwise it would open to everyone as a side effect.
  expectRefusal(t, await update('member', 'dark', { is_web_public: true }), 'Invalid parameters')
  await set({ hasSpectatorAccess: false })
})

t.test('[CHUP13] only users who can read a channel may open it to others', async (t) => {
  await makeChannel('sealed', { invite_only: true })
  const refuse = async (fields: Fields) =>
    expectRefusal(t, await update('owner', 'sealed', fields), 'Channel content access is required.')
  await refuse({ is_private: false })
  await refuse({ history_public_to_subscribers: true })
  await refuse({ can_add_subscribers_group: { new: 1 } })
  await refuse({ can_subscribe_group: { new: 1 } })
  // A request with one refused part changes nothing.
  await refuse({ new_name: 'unsealed', is_private: false })
  await mustUpdate('owner', 'sealed', { can_remove_subscribers_group: { new: 1 }, is_private: true })
  for (const fields of [{ can_subscribe_group: { new: 1 } }, { is_private: false }]) {
    await mustUpdate('member', 'sealed', fields)
  }
})

t.test('[CHUP14] protected history requires that everyone may start topics', async (t) => {
  await makeChannel('topical', { invite_only: true, history_public_to_subscribers: true })
  const msg = 'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group'
  const parameters = 'history_public_to_subscribers, can_create_topic_group'
  const hidden = { history_public_to_subscribers: false }
  const everyone = { can_create_topic_group: { new: 6 } }
  const members = { can_create_topic_group: { new: 5 } }
  expectRefusal(t, await update('member', 'topical', { ...hidden, ...members }), msg, { parameters })
  await mustUpdate('member', 'topical', members)
  expectRefusal(t, await update('member', 'topical', hidden), msg, { parameters })
  await mustUpdate('member', 'topical', { ...hidden, ...everyone })
  expectRefusal(t, await update('member', 'topical', members), msg, { parameters })
  const explicit = { can_create_topic_group: { new: { direct_members: [4], direct_subgroups: [6] } } }
  expectRefusal(t, await update('member', 'topical', explicit), msg, { parameters })
  // A set of one subgroup is that group.
  await mustUpdate('member', 'topical', {
    can_create_topic_group: { new: { direct_members: [], direct_subgroups: [6] } },
  })
})

t.test('[CHUP15] changing the kind of a channel needs the permission to create that kind', async (t) => {
  await makeChannel('kind')
  const refuse = async (fields: Fields, msg = 'Insufficient permission') =>
    expectRefusal(t, await update('member', 'kind', fields), msg)
  await refuse({ is_web_public: true }, 'Web-public channels are not enabled.')
  await set({ hasSpectatorAccess: true })
  await refuse({ is_web_public: true })
  await permit({ canCreatePrivateChannel: 2 as never, canCreatePublicChannel: 2 as never })
  await refuse({ is_private: true })
  await setUpChannel(server, 'kind', {
    kind: 'privacy',
    isPrivate: true,
    isWebPublic: false,
    isHistoryPublic: true,
  })
  await refuse({ is_private: false })
  await mustUpdate('member', 'kind', { history_public_to_subscribers: false })
  await permit({ canCreatePrivateChannel: 5 as never, canCreatePublicChannel: 5 as never })
  await mustUpdate('member', 'kind', { is_private: false })
  await mustUpdate('member', 'kind', { is_private: true })
  await set({ hasSpectatorAccess: false })
})

t.test('[CHUP16] a server without web-public channels refuses to make one', async (t) => {
  const server = await startTestServer(t, { env: { WEB_PUBLIC_STREAMS_ENABLED: 'false' } })
  await commitEvents(server, [
    { type: 'realm/update_dict', changes: { settings: { hasSpectatorAccess: true } } },
  ])
  await server.as('owner').subscribe(['inner'])
  const answer = await server.as('owner').patch('/streams/1', { is_web_public: true })
  expectRefusal(t, answer, 'Web-public channels are not enabled.')
})

t.test('[CHUP17] only administrators set default channels, which must be public', async (t) => {
  await makeChannel('default')
  const id = channelIdOf(server, 'default')
  const answer = await update('member', 'default', { is_default_stream: true })
  expectRefusal(t, answer, 'You do not have permission to change default channels.')
  const events = await expectConsistent(server, () =>
    mustUpdate('administrator', 'default', { is_default_stream: true }),
  )
  t.match(events.member2, [{ type: 'default_streams', default_streams: [id] }])
  t.same(events.guest, [])
  const isPrivate = 'A default channel cannot be private.'
  expectRefusal(t, await update('member', 'default', { is_private: true }), isPrivate)
  expectRefusal(t, await update('owner', 'default', { is_private: true }), isPrivate)
  await mustUpdate('owner', 'default', { is_private: true, is_default_stream: false })
  t.same(server.node.services.state.defaultChannelIds, [])
  await owner.subscribe(['own closed'], { invite_only: true })
  expectRefusal(t, await update('owner', 'own closed', { is_default_stream: true }), isPrivate)
})

t.test('[CHUP18] the channel for reports must stay private', async (t) => {
  await makeChannel('reports', { invite_only: true })
  await set({ moderationChannelId: channelIdOf(server, 'reports') })
  const answer = await update('member', 'reports', { is_private: false })
  expectRefusal(t, answer, 'Moderation request channel must be private.')
  await mustUpdate('member', 'reports', { history_public_to_subscribers: true })
  await set({ moderationChannelId: null })
  await mustUpdate('member', 'reports', { is_private: false })
})

t.test('[CHUP19] only administrators set the retention of messages', async (t) => {
  await makeChannel('ageing')
  for (const person of ['member', 'moderator'] as const) {
    const answer = await update(person, 'ageing', { message_retention_days: 5 })
    const isItsAdministrator = person === 'member'
    expectRefusal(
      t,
      answer,
      isItsAdministrator
        ? 'Must be an organization administrator'
        : 'You do not have permission to administer this channel.',
    )
  }
  const values: [unknown, number | null][] = [
    [1, 1],
    [36600, 36600],
    ['unlimited', -1],
    ['realm_default', null],
  ]
  for (const [given, stored] of values) {
    const events = await expectConsistent(server, () =>
      mustUpdate(stored === null ? 'owner' : 'administrator', 'ageing', { message_retention_days: given }),
    )
    t.same(changes(events.member2), [['stream/update', 'message_retention_days', stored]])
  }
  for (const given of [0, -1, 36601, 1.5, 'forever']) {
    const answer = await update('owner', 'ageing', { message_retention_days: given })
    expectRefusal(t, answer, 'Invalid message_retention_days')
  }
})

t.test('[CHUP20] older clients get the permission to post in its old form when that changes', async (t) => {
  await makeChannel('posting')
  const post = async (setting: unknown) =>
    changes(
      (
        await expectConsistent(server, () =>
          mustUpdate('member', 'posting', { can_send_message_group: { new: setting } }),
        )
      ).member2,
    )
  const name = 'stream/update'
  t.same(await post(2), [
    [name, 'can_send_message_group', 2],
    [name, 'stream_post_policy', 2],
    [name, 'is_announcement_only', true],
  ])
  t.same(await post(3), [
    [name, 'can_send_message_group', 3],
    [name, 'stream_post_policy', 4],
    [name, 'is_announcement_only', false],
  ])
  t.same(await post(4), [
    [name, 'can_send_message_group', 4],
    [name, 'stream_post_policy', 3],
  ])
  const several = { direct_members: [4], direct_subgroups: [2] }
  t.same(await post(several), [
    [name, 'can_send_message_group', several],
    [name, 'stream_post_policy', 1],
  ])
  t.same(await post(5), [[name, 'can_send_message_group', 5]])
})

t.test('[CHUP21] every permission accepts a group or a set', async (t) => {
  await makeChannel('permissions')
  const all = [
    'can_add_subscribers_group',
    'can_remove_subscribers_group',
    'can_administer_channel_group',
    'can_delete_any_message_group',
    'can_delete_own_message_group',
    'can_move_messages_out_of_channel_group',
    'can_move_messages_within_channel_group',
    'can_send_message_group',
    'can_subscribe_group',
    'can_resolve_topics_group',
    'can_create_topic_group',
  ]
  const events = await expectConsistent(server, async () => {
    for (const setting of [5, { direct_members: [1, 4], direct_subgroups: [3] }]) {
      await mustUpdate(
        'owner',
        'permissions',
        Object.fromEntries(all.map((name) => [name, { new: setting }])),
      )
    }
  })
  t.equal(events.member2?.length, 2 * all.length)
})

t.test(
  '[CHUP22] a permission is refused if its expected old value differs, or its group or user may not hold it',
  async (t) => {
    await makeChannel('settings')
    const refuse = async (fields: Fields, msg: string, extra = {}) =>
      expectRefusal(t, await update('member', 'settings', fields), msg, extra)
    await refuse(
      { can_send_message_group: { new: 5, old: 2 } },
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH' },
    )
    await refuse({ can_send_message_group: { new: 99 } }, 'Invalid user group ID: 99')
    await refuse(
      { can_send_message_group: { new: { direct_members: [99], direct_subgroups: [] } } },
      'Invalid user ID: 99',
    )
    await refuse(
      { can_send_message_group: { new: 7 } },
      "'can_send_message_group' setting cannot be set to 'role:internet' group.",
    )
    await refuse(
      { can_subscribe_group: { new: 6 } },
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    )
    await refuse(
      { can_send_message_group: { old: 6 } },
      'can_send_message_group["new"] field is missing: Field required',
    )
    await mustUpdate('member', 'settings', { can_send_message_group: { new: 5, old: 6 } })
  },
)

t.test(
  '[CHUP23] setting who may delete messages needs an administrator or the permission to set it',
  async (t) => {
    await makeChannel('deleting')
    for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      expectRefusal(t, await update('member', 'deleting', { [name]: { new: 3 } }), 'Insufficient permission')
      await mustUpdate('member', 'deleting', { [name]: { new: 8 } })
      await mustUpdate('administrator', 'deleting', { [name]: { new: 3 } })
    }
    await permit({ canSetDeleteMessagePolicy: 5 as never })
    await mustUpdate('member', 'deleting', { can_delete_own_message_group: { new: 5 } })
    await permit({ canSetDeleteMessagePolicy: 3 as never })
  },
)

t.test('[CHUP24] setting the topics policy needs its permission', async (t) => {
  await makeChannel('policy')
  await permit({ canSetTopicsPolicy: 3 as never })
  const fields = { topics_policy: 'disable_empty_topic' }
  expectRefusal(t, await update('member', 'policy', fields), 'Insufficient permission')
  await mustUpdate('member', 'policy', { topics_policy: 'inherit' })
  await mustUpdate('owner', 'policy', fields)
  await permit({ canSetTopicsPolicy: 5 as never })
  await mustUpdate('member', 'policy', { topics_policy: 'allow_empty_topic' })
  expectRefusal(t, await update('member', 'policy', { topics_policy: 'none' }), 'Invalid topics_policy')
})

t.test(
  '[CHUP36] administrators change every property, whatever the permissions of the organization',
  async (t) => {
    const nobody = 8 as never
    await makeChannel('everything')
    await permit({
      canSetTopicsPolicy: nobody,
      canCreatePrivateChannel: nobody,
      canCreatePublicChannel: nobody,
      canCreateWebPublicChannel: nobody,
      canSetDeleteMessagePolicy: nobody,
    })
    const byAdministrators = async (fields: Fields) => {
      for (const person of ['member', 'administrator'] as const) {
        const answer = await update(person, 'everything', fields)
        if (person === 'member') t.equal(answer.status, 400, `${person} ${JSON.stringify(fields)}`)
        else t.equal(answer.status, 200, `${person} ${JSON.stringify(fields)} ${JSON.stringify(answer.body)}`)
      }
      t.match(
        await channelOf('everything'),
        fields.is_private === undefined ? fields : { invite_only: fields.is_private },
      )
    }
    await byAdministrators({ message_retention_days: 7 })
    await byAdministrators({ topics_policy: 'disable_empty_topic' })
    await server.as('administrator').subscribe(['everything'])
    await byAdministrators({ is_private: true })
    await byAdministrators({ is_private: false })
    const deletion = { can_delete_any_message_group: { new: 3 } }
    expectRefusal(t, await update('member', 'everything', deletion), 'Insufficient permission')
    await mustUpdate('administrator', 'everything', { can_delete_any_message_group: { new: 3 } })
    await mustUpdate('administrator', 'everything', {
      new_name: 'everything at once',
      description: 'all',
      is_private: true,
      history_public_to_subscribers: true,
      message_retention_days: 'unlimited',
      topics_policy: 'inherit',
      can_send_message_group: { new: 3 },
    })
    // Making a channel web-public needs the same rights as creating one.
    await set({ hasSpectatorAccess: true })
    const open = await update('administrator', 'everything at once', {
      is_private: false,
      is_web_public: true,
    })
    expectRefusal(t, open, 'Insufficient permission')
    await set({ hasSpectatorAccess: false })
    await permit({
      canSetTopicsPolicy: 5 as never,
      canCreatePrivateChannel: 5 as never,
      canCreatePublicChannel: 5 as never,
      canCreateWebPublicChannel: 1 as never,
      canSetDeleteMessagePolicy: 3 as never,
    })
  },
)

t.test('[CHUP37] an administrator who cannot read a private channel cannot open it', async (t) => {
  await makeChannel('unread', { invite_only: true })
  const refused = await update('administrator', 'unread', { is_private: false })
  expectRefusal(t, refused, 'Channel content access is required.')
  await mustUpdate('administrator', 'unread', {
    message_retention_days: 9,
    topics_policy: 'allow_empty_topic',
  })
})

t.test('[CHUP35] a topics policy can be quoted JSON', async (t) => {
  await makeChannel('quoted policy')
  await mustUpdate('owner', 'quoted policy', { topics_policy: '"disable_empty_topic"' })
  t.equal((await channelOf('quoted policy')).topics_policy, 'disable_empty_topic')
  expectRefusal(
    t,
    await update('owner', 'quoted policy', { topics_policy: '"none"' }),
    'Invalid topics_policy',
  )
})

t.test(
  '[CHUP25] a channel can be limited to the empty topic only if all its messages are there',
  async (t) => {
    await makeChannel('general')
    await member.send('general', '', 'in the empty topic')
    const fields = { topics_policy: 'empty_topic_only', new_name: 'general chat' }
    await member.send('general', 'named', 'elsewhere')
    const events = await expectConsistent(server, async () => {
      expectRefusal(
        t,
        await update('member', 'general', fields),
        'To enable this configuration, all messages in this channel must be in the general chat topic.',
      )
    })
    t.same(events.owner, [])
    await makeChannel('general too')
    await member.send('general too', '', 'in the empty topic')
    await mustUpdate('member', 'general too', { topics_policy: 'empty_topic_only' })
    t.match(await channelOf('general too'), { topics_policy: 'empty_topic_only' })
  },
)

t.test('[CHUP26] no message to a named topic slips in meanwhile, from any process', async (t) => {
  const server = await startTestServer(t, { redis: true })
  const another = await server.startAnotherNode()
  const member = server.as('member')
  for (let round = 0; round < 8; round++) {
    const name = `race ${round}`
    await member.subscribe([name])
    const id = channelIdOf(server, name)
    const send = () =>
      another.as('member').post('/messages', { type: 'channel', to: name, topic: 'named', content: 'quick' })
    const [first, changed, last] = await Promise.all([
      round % 2 === 0 ? send() : undefined,
      member.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' }),
      round % 2 === 1 ? send() : undefined,
    ])
    const sent = (first ?? last)?.status === 200
    // One came first, and the other was refused because of it.
    t.not(sent, changed.status === 200)
    const rows = await server.node.services.sql`
      select m.id from messages m where channel_id = ${id} and topic <> ''`
    t.equal(rows.length, sent ? 1 : 0)
  }
})

t.test('[CHUP27] a channel moves into an existing folder and out of it', async (t) => {
  await makeChannel('filed')
  const folder = {
    id: 1 as never,
    name: 'f',
    description: '',
    renderedDescription: '',
    createdAt: 1,
    creatorId: null,
  }
  await commitEvents(server, [
    { type: 'channel_folder/add', folder: { ...folder, isArchived: false } },
    { type: 'channel_folder/add', folder: { ...folder, id: 2 as never, name: 'g', isArchived: true } },
  ])
  for (const folder_id of [2, 3, 0]) {
    expectRefusal(t, await update('member', 'filed', { folder_id }), 'Invalid channel folder ID')
  }
  const events = await expectConsistent(server, async () => {
    await mustUpdate('member', 'filed', { folder_id: 1 })
    await mustUpdate('member', 'filed', { folder_id: null })
  })
  t.same(changes(events.member2), [
    ['stream/update', 'folder_id', 1],
    ['stream/update', 'folder_id', null],
  ])
})

t.test(
  '[CHUP28] a description has at most 1024 characters, and is refused if it takes too long to render',
  async (t) => {
    await makeChannel('described')
    const long = await update('member', 'described', { description: 'x'.repeat(1025) })
    expectRefusal(t, long, 'description is too long (limit: 1024 characters)')
    await mustUpdate('member', 'described', { description: '😀'.repeat(1024) })
    await t.test('within the time', async (t) => {
      const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
      await server.as('owner').subscribe(['slow'])
      const answer = await server.as('owner').patch('/streams/1', { description: '![['.repeat(341) })
      expectRefusal(t, answer, 'Unable to render message')
    })
  },
)

t.test('[CHUP29] an update cannot archive a channel', async (t) => {
  await makeChannel('alive')
  expectRefusal(
    t,
    await update('member', 'alive', { is_archived: true }),
    'is_archived can only be set to false; a channel is archived by deleting it.',
  )
})

t.test('[CHUP30] messages and muted topics follow the new name, and the old one is unknown', async (t) => {
  await makeChannel('former', {}, [member2.userId])
  const id = channelIdOf(server, 'former')
  await member.send('former', 'topic', 'hello')
  const userTopic = { channelId: id, topic: 'topic', visibility: 1, updatedAt: 1_700_000_000 } as const
  await commitEvents(server, [{ type: 'user_topic', userId: member2.userId as never, userTopic }])
  await expectConsistent(server, () => mustUpdate('member', 'former', { new_name: 'present' }))
  const page = { anchor: 'newest', num_before: 1, num_after: 0 }
  const { messages } = await member2.must('GET', '/messages', { ...page, narrow: [['channel', 'present']] })
  t.match(messages, [{ display_recipient: 'present', content: '<p>hello</p>' }])
  const former = await member2.get('/messages', { ...page, narrow: [['channel', 'former']] })
  t.match(former, { status: 400, body: { code: 'BAD_NARROW' } })
  const sent = await member.post('/messages', { type: 'channel', to: 'former', topic: 't', content: 'c' })
  t.match(sent, { status: 400, body: { code: 'STREAM_DOES_NOT_EXIST', stream: 'former' } })
  await expectConsistent(server, () => mustUpdate('member', 'present', { is_private: true }))
})
