import t from 'tap'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { OrganizationChange } from '../../../server/domain/events/organization.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer, type Person } from '../../harness/servers/start-server.ts'
import type { List, WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')

const attempt = (person: Person, names: readonly string[], fields: Fields = {}) =>
  server.as(person).post('/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    send_new_subscription_messages: false,
    ...fields,
  })
const set = (changes: OrganizationChange) => commitEvents(server, [{ type: 'realm/update_dict', changes }])
const types = (events: readonly WireEvent[]) => events.map(({ type, op }) => `${type}/${op}`)
const only = (...directMembers: number[]) => {
  return { directMembers: directMembers as UserId[], directSubgroups: [] }
}

await owner.subscribe(['square', 'market'])
await owner.subscribe(['vault'], { invite_only: true })

t.test('[SUB23] the permission to subscribe others belongs to the organization or the channel', async (t) => {
  const bring = (person: Person) => attempt(person, ['square'], { principals: [5] })
  await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.moderators } })
  for (const person of ['member', 'bot'] as const) {
    expectRefusal(t, await bring(person), 'Insufficient permission')
    // The caller is not another user.
    t.equal((await attempt(person, ['square'], { principals: [server.as(person).userId] })).status, 200)
  }
  t.equal((await bring('moderator')).status, 200)
  await setUpChannel(server, 'square', {
    kind: 'permission',
    permission: 'canAddSubscribers',
    setting: only(4),
  })
  t.equal((await bring('member')).status, 200)
  expectRefusal(t, await bring('bot'), 'Insufficient permission')
  await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.members } })
  t.equal((await bring('bot')).status, 200)
})

t.test('[SUB24] one channel without that permission refuses the request, or is listed', async (t) => {
  await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.nobody } })
  const events = await expectConsistent(server, async () => {
    const answer = await attempt('member', ['square', 'market'], { principals: [6] })
    expectRefusal(t, answer, 'Insufficient permission')
    const fields = { principals: [6], authorization_errors_fatal: false }
    const inaccessible = await attempt('member', ['vault', 'market'], { principals: [6] })
    expectRefusal(t, inaccessible, 'Unable to access channel (vault).')
    t.same((await attempt('member', ['market', 'Vault', 'square'], fields)).body, {
      result: 'success',
      msg: '',
      subscribed: { 6: ['square'] },
      already_subscribed: {},
      unauthorized: ['Vault', 'market'],
    })
  })
  t.same(types(events.guest), ['stream/create', 'subscription/add'])
  await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.members } })
})

t.test(
  '[SUB25] users who may add subscribers to a private channel join it and add others, without a subscription',
  async (t) => {
    await setUpChannel(server, 'vault', {
      kind: 'permission',
      permission: 'canAddSubscribers',
      setting: only(4),
    })
    expectRefusal(t, await attempt('member2', ['vault']), 'Unable to access channel (vault).')
    const events = await expectConsistent(server, async () => {
      t.same((await attempt('member', ['vault'], { principals: [5] })).body.subscribed, { 5: ['vault'] })
      t.same((await attempt('member', ['vault'])).body.subscribed, { 4: ['vault'] })
    })
    t.same(types(events.member2), ['stream/create', 'subscription/add', 'subscription/peer_add'])
    // The member already saw it.
    t.same(types(events.member), ['subscription/peer_add', 'subscription/add'])
    t.same(events.guest, [])
  },
)

t.test(
  '[SUB26] users who may join a private channel join it, and add others if the organization allows it',
  async (t) => {
    await owner.subscribe(['club'], { invite_only: true })
    await setUpChannel(server, 'club', { kind: 'permission', permission: 'canSubscribe', setting: only(4) })
    await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.administrators } })
    expectRefusal(t, await attempt('member', ['club'], { principals: [4, 5] }), 'Insufficient permission')
    t.same((await attempt('member', ['club'])).body.subscribed, { 4: ['club'] })
    // Administrators of the organization see the channel, but not its content.
    expectRefusal(
      t,
      await attempt('administrator', ['club'], { principals: [5] }),
      'Unable to access channel (club).',
    )
    await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.members } })
    t.same((await attempt('member', ['club'], { principals: [4, 5] })).body, {
      result: 'success',
      msg: '',
      subscribed: { 5: ['club'] },
      already_subscribed: { 4: ['club'] },
    })
  },
)

t.test('[SUB27] the requested color is set for the caller and stays', async (t) => {
  const add = (person: Person, color: unknown, principals?: number[]) =>
    server.as(person).post('/users/me/subscriptions', {
      subscriptions: [{ name: 'painted', color }],
      send_new_subscription_messages: false,
      principals,
    })
  const colorOf = async (person: Person) => {
    const { subscriptions } = await server.as(person).must('GET', '/users/me/subscriptions')
    return subscriptions.find(({ name }: { name: string }) => name === 'painted').color
  }
  const received = await expectConsistent(server, () => add('member', '#A1b2c3', [4, 5]))
  t.same(types(received.member), ['stream/create', 'subscription/add'])
  const firstColor = (events: List<WireEvent>) => events[1].subscriptions[0].color
  t.equal(firstColor(received.member), '#A1b2c3')
  const drawn = firstColor(received.member2) // Others choose their own color.
  t.not(drawn, '#A1b2c3')
  t.equal(await colorOf('member'), '#A1b2c3')
  await add('member', '#000') // Existing subscribers change it elsewhere.
  t.equal(await colorOf('member'), '#A1b2c3')
  await member.delete('/users/me/subscriptions', { subscriptions: ['painted'] })
  await add('member', undefined)
  t.equal(await colorOf('member'), '#A1b2c3')
  for (const bad of ['red', '#12', '#1234', '#1234567', '#ggg', '', 7, null]) {
    const message = 'subscriptions[0]["color"] is not a valid hex color code'
    expectRefusal(t, await add('owner', bad), message)
  }
})

t.test('[SUB28] archived channels can be joined, with events to clients that know them', async (t) => {
  await owner.subscribe(['ruin'], { invite_only: true, principals: [1, 4] })
  await setUpChannel(server, 'ruin', { kind: 'archived', isArchived: true })
  const old = await member2.register({ apply_markdown: true })
  const watching = await member.register({ apply_markdown: true })
  const events = await expectConsistent(server, () => member.subscribe(['ruin'], { principals: [5] }))
  t.same(types(events.member2), ['stream/create', 'subscription/add'])
  t.same(types(events.member), ['subscription/peer_add'])
  t.same(await member2.events(old), [])
  t.same(await member.events(watching), [])
})

t.test('[SUB29] the notification bot cannot be subscribed', async (t) => {
  await set({ settings: { sendsChannelEvents: true } })
  await owner.subscribe(['with a notice'])
  await set({ settings: { sendsChannelEvents: false } })
  const bot = server.node.services.state.findSystemBot()
  for (const principal of [bot?.id, bot?.email]) {
    expectRefusal(t, await attempt('owner', ['square'], { principals: [principal] }), 'No such user')
  }
})

t.test(
  '[SUB30] channels that others join at once share their events, whatever their earlier subscribers',
  async (t) => {
    await member.subscribe(['first', 'second', 'third'], { principals: [4] })
    await owner.subscribe(['second'], { principals: [5] })
    const events = await expectConsistent(server, () =>
      owner.subscribe(['first', 'second', 'third', 'fourth'], { principals: [5, 6] }),
    )
    t.match(events.member, [
      { type: 'stream', op: 'create' },
      { type: 'subscription', op: 'peer_add', user_ids: [5, 6], stream_ids: { length: 3 } },
      { type: 'subscription', op: 'peer_add', user_ids: [6], stream_ids: { length: 1 } },
    ])
    t.same(types(events.guest), ['stream/create', 'stream/create', 'subscription/add', 'subscription/add'])
  },
)
