/** Updates of the permissions of a channel, and of its policy for topics. */

import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { changes, startForChannels } from './start-for-channels.ts'

const { server, member, update, mustUpdate, channelOf, set, permit, makeChannel } = await startForChannels(t)

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
    'can_pin_group',
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
  t.equal(events.member2?.length, 2 * all.length - 1, 'members may pin already')
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
