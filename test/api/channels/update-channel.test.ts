/** Updates of channels: names, descriptions, defaults, retention, folders. */

import t from 'tap'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { changes, startForChannels } from './start-for-channels.ts'

const { server, owner, member, member2, guest, update, mustUpdate, channelOf, set, makeChannel } =
  await startForChannels(t)

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
