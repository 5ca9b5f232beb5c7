import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { applyFrozen } from '../../harness/states/apply-frozen.ts'
import type { Client, Queue } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent, WireState } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const administrator = server.as('administrator')
const member = server.as('member')
const member2 = server.as('member2')
const guest = server.as('guest')

const archive = (client: Client, name: string) => client.delete(`/streams/${channelIdOf(server, name)}`)
const update = (client: Client, name: string, fields: object) =>
  client.must('PATCH', `/streams/${channelIdOf(server, name)}`, { ...fields })
const summary = (events: readonly WireEvent[]) =>
  events.map(({ type, op, property, value }) =>
    [type, op, property, value].filter((part) => part !== undefined),
  )

const LEGACY = { include_subscribers: true, client_capabilities: { notification_settings_null: true } }

/** The state of clients without archived channels, each with its queue. */
async function registerLegacy(clients: readonly Client[]): Promise<{ client: Client; queue: Queue }[]> {
  return Promise.all(clients.map(async (client) => ({ client, queue: await client.register(LEGACY) })))
}

const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const

/**
 * The channels of a registration, sorted. Counts follow from the lists, and only subscribers get the first
 * message.
 */
function channelsOf(state: WireState) {
  const lists = CHANNEL_LISTS.map((list) =>
    state[list]
      .map((channel) => {
        const { subscriber_count: _, first_message_id: __, ...rest } = channel
        return rest
      })
      .sort((a, b) => a.stream_id - b.stream_id),
  )
  return [...lists, state.realm_default_streams]
}

/** The events for a legacy client; its old state plus these must equal a new registration. */
async function expectLegacyConsistent({ client, queue }: { client: Client; queue: Queue }) {
  const events = await client.events(queue)
  const state = applyFrozen(queue.state, events)
  const fresh = await client.register(LEGACY)
  const [folded, wanted] = [channelsOf(state), channelsOf(fresh.state)]
  if (!isDeepStrictEqual(folded, wanted)) {
    throw new Error(`state + events:\n${JSON.stringify(folded)}\nafresh:\n${JSON.stringify(wanted)}`)
  }
  return events
}

t.test(
  '[ARCH1] archiving a channel sends an event, and its name, messages and subscribers stay',
  async (t) => {
    await member.subscribe(['old'], { principals: [4, 6] })
    await member.send('old', 'topic', 'kept')
    const events = await expectConsistent(server, async () => {
      t.same((await archive(member, 'old')).body, { result: 'success', msg: '' })
    })
    for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
      t.same(summary(events[person]), [['stream', 'update', 'is_archived', true]])
    }
    const { state } = await guest.register({
      include_subscribers: true,
      client_capabilities: { archived_channels: true },
    })
    t.match(state.subscriptions, [{ name: 'old', is_archived: true, subscribers: [4, 6] }])
    const { messages } = await guest.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [['channel', 'old']],
    })
    t.equal(messages.length, 1)
  },
)

t.test(
  '[ARCH2] administrators of a channel archive it; absent and invisible channels look alike',
  async (t) => {
    await member.subscribe(['private'], { invite_only: true })
    await member.subscribe(['public'], { principals: [4, 6] })
    for (const client of [member2, guest]) {
      expectRefusal(t, await archive(client, 'private'), 'Invalid channel ID')
      expectRefusal(t, await client.delete('/streams/9999'), 'Invalid channel ID')
      const msg = 'You do not have permission to administer this channel.'
      expectRefusal(t, await archive(client, 'public'), msg)
    }
    t.equal((await archive(administrator, 'private')).status, 200)
    t.equal((await archive(member, 'public')).status, 200)
  },
)

t.test('[ARCH3] archiving an archived channel is refused', async (t) => {
  await member.subscribe(['twice'])
  t.equal((await archive(member, 'twice')).status, 200)
  expectRefusal(t, await archive(member, 'twice'), 'Channel is already deactivated')
})

t.test('[ARCH4] an archived channel is removed from the default channels and cannot be added', async (t) => {
  await owner.subscribe(['first'])
  await update(owner, 'first', { is_default_stream: true })
  const events = await expectConsistent(server, () => archive(owner, 'first'))
  t.same(summary(events.member2), [['default_streams'], ['stream', 'update', 'is_archived', true]])
  t.match(events.member2, [{ default_streams: [] }])
  t.same(summary(events.guest), [])
  const answer = await owner.patch(`/streams/${channelIdOf(server, 'first')}`, { is_default_stream: true })
  expectRefusal(t, answer, 'A default channel cannot be archived.')
  await update(owner, 'first', { is_default_stream: true, is_archived: false })
})

t.test(
  '[ARCH5] clients without support for archived channels see it deleted, and created again when it returns',
  async (t) => {
    await member.subscribe(['lost'], { principals: [4, 6] })
    await update(member, 'lost', { topics_policy: 'allow_empty_topic' })
    const id = channelIdOf(server, 'lost')
    const color = { stream_id: id, property: 'color', value: '#123456' } // Only its user sees it return.
    await member.must('POST', '/users/me/subscriptions/properties', { subscription_data: [color] })
    const before = await registerLegacy([owner, member, member2, guest])
    await archive(member, 'lost')
    for (const viewer of before) {
      const events = await expectLegacyConsistent(viewer)
      t.match(events, [{ type: 'stream', op: 'delete', stream_ids: [id] }])
      t.equal(events.length, 1)
    }
    const meanwhile = await registerLegacy([owner, member, member2, guest])
    const received = await expectConsistent(server, () =>
      update(member, 'lost', { is_archived: false, new_name: 'found' }),
    )
    for (const viewer of meanwhile) {
      const isSubscriber = [member.userId, guest.userId].includes(viewer.client.userId)
      t.match(await expectLegacyConsistent(viewer), [
        { type: 'stream', op: 'create', streams: [{ stream_id: id, name: 'found', is_archived: false }] },
        isSubscriber
          ? { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscribers: [4, 6] }] }
          : { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [4, 6] },
      ])
    }
    for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
      t.same(summary(received[person]), [
        ['stream', 'update', 'is_archived', false],
        ['stream', 'update', 'name', 'found'],
      ])
    }
    // No new subscriptions.
    const spans = await server.node.services.sql`select 1 from subscription_spans where channel_id = ${id}`
    t.equal(spans.length, 2)
  },
)

t.test('[ARCH6] an archived channel can be changed; older clients get no event', async (t) => {
  await member.subscribe(['silent'], { invite_only: true, principals: [4, 6] })
  await archive(member, 'silent')
  const viewers = await registerLegacy([owner, member, member2, guest])
  const events = await expectConsistent(server, async () => {
    await update(member, 'silent', { description: 'closed', can_send_message_group: { new: 2 } })
    await update(member, 'silent', { is_private: false })
    await update(member, 'silent', { is_private: true })
  })
  t.same(summary(events.member2), [
    ['stream', 'create'],
    ['subscription', 'peer_add'],
    ['stream', 'delete'],
  ])
  t.equal(events.guest?.length, 6)
  for (const viewer of viewers) t.same(await expectLegacyConsistent(viewer), [])
})

t.test(
  '[ARCH7] a user who loses sight of a channel as it is unarchived gets a removal only if their client knew it',
  async (t) => {
    await member.subscribe(['shrinking'])
    const id = channelIdOf(server, 'shrinking')
    await archive(member, 'shrinking')
    const viewers = await registerLegacy([member, member2])
    const events = await expectConsistent(server, () =>
      update(member, 'shrinking', { is_archived: false, is_private: true }),
    )
    t.match(events.member2, [{ type: 'stream', op: 'delete', stream_ids: [id] }])
    t.equal(events.member2?.length, 1)
    t.same(summary(await expectLegacyConsistent(viewers[0] as never)), [
      ['stream', 'create'],
      ['subscription', 'add'],
    ])
    t.same(await expectLegacyConsistent(viewers[1] as never), [])
  },
)

t.test(
  '[ARCH8] a user who gains sight of a channel as it is unarchived gets it once, on older clients too',
  async (t) => {
    await member.subscribe(['growing'], { invite_only: true })
    await archive(member, 'growing')
    const viewers = await registerLegacy([member, member2])
    const events = await expectConsistent(server, () =>
      update(member, 'growing', { is_archived: false, is_private: false }),
    )
    const shown = [
      ['stream', 'create'],
      ['subscription', 'peer_add'],
    ]
    t.same(summary(events.member2), shown)
    t.same(summary(await expectLegacyConsistent(viewers[1] as never)), shown)
    t.same(summary(await expectLegacyConsistent(viewers[0] as never)), [
      ['stream', 'create'],
      ['subscription', 'add'],
    ])
  },
)
