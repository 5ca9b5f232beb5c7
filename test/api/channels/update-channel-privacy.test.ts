/** Updates that open or close a channel. */

import t from 'tap'
import type { ChannelId } from '../../../server/domain/ids.ts'
import type { Fields } from '../../harness/client/client.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { changes, startForChannels } from './start-for-channels.ts'

const { server, owner, guest, update, mustUpdate, channelOf, set, permit, makeChannel } =
  await startForChannels(t)

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

t.test('[CHUP71] a default channel stays public, and the channel of reports private', async (t) => {
  await makeChannel('first steps')
  await makeChannel('reports', { invite_only: true })
  const [start, reports] = [channelIdOf(server, 'first steps'), channelIdOf(server, 'reports')]
  await owner.must('POST', '/default_streams', { stream_id: start })
  const refused = 'A default channel cannot be private.'
  expectRefusal(t, await update('member', 'first steps', { is_private: true }), refused)
  await owner.must('DELETE', '/default_streams', { stream_id: start })
  await mustUpdate('member', 'first steps', { is_private: true })
  await set({ moderationChannelId: reports as ChannelId })
  const open = 'Moderation request channel must be private.'
  expectRefusal(t, await update('member', 'reports', { is_private: false }), open)
  await mustUpdate('member', 'reports', { history_public_to_subscribers: false })
  await set({ moderationChannelId: null })
  await mustUpdate('member', 'reports', { is_private: false })
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
