import t from 'tap'
import type { ChannelId, UserId } from '../../../server/domain/ids.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { List } from '../../harness/client/wire-types.ts'

const NOW_SECONDS = 1_800_000_000
const server = await startTestServer(t, { clock: new ManualClock(NOW_SECONDS * 1000) })
const owner = server.as('owner')
const member = server.as('member')

t.test('[SUBS1] the list has all subscriptions of the caller, complete', async (t) => {
  t.same(await member.must('GET', '/users/me/subscriptions'), {
    result: 'success',
    msg: '',
    subscriptions: [],
  })
  await member.subscribe(['mine'], { invite_only: true, principals: [4, 6] })
  await owner.subscribe(['not mine'])
  const { subscriptions } = await member.must('GET', '/users/me/subscriptions')
  t.same(subscriptions, [
    {
      stream_id: 1,
      name: 'mine',
      is_archived: false,
      description: '',
      rendered_description: '',
      date_created: NOW_SECONDS,
      creator_id: member.userId,
      invite_only: true,
      is_web_public: false,
      stream_post_policy: 1,
      is_announcement_only: false,
      message_retention_days: null,
      history_public_to_subscribers: false,
      topics_policy: 'inherit',
      parley_link_previews: true,
      first_message_id: null,
      folder_id: null,
      is_recently_active: true,
      stream_weekly_traffic: null,
      subscriber_count: 2,
      can_add_subscribers_group: 8,
      can_remove_subscribers_group: 2,
      can_administer_channel_group: { direct_members: [4], direct_subgroups: [] },
      can_delete_any_message_group: 8,
      can_delete_own_message_group: 8,
      can_move_messages_out_of_channel_group: 8,
      can_move_messages_within_channel_group: 8,
      can_send_message_group: 6,
      can_subscribe_group: 8,
      can_resolve_topics_group: 8,
      can_create_topic_group: 6,
      can_pin_group: 5,
      desktop_notifications: null,
      email_notifications: null,
      wildcard_mentions_notify: null,
      push_notifications: null,
      audible_notifications: null,
      pin_to_top: false,
      is_muted: false,
      in_home_view: true,
      color: subscriptions[0].color,
    },
  ])
  t.match(subscriptions[0].color, /^#[0-9a-f]{6}$/)
})

t.test('[SUBS2] active subscribers are listed on request', async (t) => {
  const gone = await addUser(server, 'gone')
  await member.subscribe(['mine'], { principals: [gone.userId] })
  const list = async (include_subscribers?: string) => {
    const body = await member.must('GET', '/users/me/subscriptions', { include_subscribers })
    return body.subscriptions[0]
  }
  t.same((await list('true')).subscribers, [4, 6, gone.userId])
  await deactivate(server, gone.userId)
  t.match(await list('true'), { subscribers: [4, 6], subscriber_count: 2 })
  t.match(await list('partial'), { subscribers: [4, 6] })
  t.notOk('subscribers' in (await list('false')))
  t.notOk('subscribers' in (await list()))
  for (const bad of ['yes', '"true"', '1', '']) {
    expectRefusal(
      t,
      await member.get('/users/me/subscriptions', { include_subscribers: bad }),
      'Invalid include_subscribers',
    )
  }
})

t.test('[SUBS3] a subscription shows the first message of its channel', async (t) => {
  const id = await member.send('mine', 'topic', 'first')
  await member.send('mine', 'topic', 'second')
  const { subscriptions } = await server.as('guest').must('GET', '/users/me/subscriptions')
  t.match(subscriptions, [{ name: 'mine', first_message_id: id }])
})

t.test(
  '[SUBS4] a channel counts as active for 180 days after its last message or its creation',
  async (t) => {
    const clock = new ManualClock(NOW_SECONDS * 1000)
    const server = await startTestServer(t, { clock })
    const owner = server.as('owner')
    const DAYS_MS = 24 * 3600 * 1000
    const active = async () => {
      const { subscriptions } = await owner.must('GET', '/users/me/subscriptions')
      return subscriptions.map((one) => one.is_recently_active)
    }
    await owner.subscribe(['spoken in', 'silent'])
    clock.leap(100 * DAYS_MS)
    await owner.send('spoken in', 'topic', 'hello')
    clock.leap(79 * DAYS_MS)
    t.same(await active(), [true, true])
    clock.leap(1 * DAYS_MS)
    t.same(await active(), [true, false])
    clock.leap(100 * DAYS_MS)
    t.same(await active(), [false, false])
  },
)

const DAY_MS = 24 * 3600 * 1000

t.test('[SUBS5] an archived channel is left out of subscriptions until it is unarchived', async (t) => {
  const server = await startTestServer(t)
  const member = server.as('member')
  await member.subscribe(['kept', 'archived'])
  const names = async () =>
    (await member.must('GET', '/users/me/subscriptions')).subscriptions.map((one) => one.name)
  t.same(await names(), ['kept', 'archived'])
  await setUpChannel(server, 'archived', { kind: 'archived', isArchived: true })
  t.same(await names(), ['kept'])
  await setUpChannel(server, 'archived', { kind: 'archived', isArchived: false })
  t.same(await names(), ['kept', 'archived'])
})

t.test('[SUBS6] personal settings of a subscription are shown only to their subscriber', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['channel'], { principals: [4, 5] })
  const see = async (client: Client) =>
    (await client.must('GET', '/users/me/subscriptions')).subscriptions[0] as Record<string, unknown>
  const before = await see(server.as('member'))
  const changes = [
    { property: 'color', value: '#123456' },
    { property: 'isMuted', value: true },
    { property: 'isPinned', value: true },
    { property: 'desktopNotifications', value: true },
    { property: 'audibleNotifications', value: false },
    { property: 'pushNotifications', value: true },
    { property: 'emailNotifications', value: false },
    { property: 'wildcardMentionsNotify', value: false },
  ] as const
  const target = { userId: 4 as UserId, channelId: 1 as ChannelId }
  await commitEvents(
    server,
    changes.map((change) => ({ type: 'subscription/update', ...target, change })),
  )
  t.same(await see(server.as('member')), {
    ...before,
    color: '#123456',
    is_muted: true,
    in_home_view: false,
    pin_to_top: true,
    desktop_notifications: true,
    audible_notifications: false,
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: false,
  })
  t.same(await see(server.as('member2')), before)
})

/** One channel with 249 subscribers and one with 250: the people of the test and a bot not seen for long. */
async function startWithCrowd(t: Parameters<typeof startTestServer>[0]) {
  const clock = new ManualClock(NOW_SECONDS * 1000)
  const server = await startTestServer(t, { clock })
  const crowd = await addCrowd(server, 247, NOW_SECONDS - 100 * 24 * 3600)
  const { committer, seenUsers } = server.node.services
  /** All users seen so far are recorded. */
  const record = async () => {
    await seenUsers.record()
    await committer.drain()
  }
  return { clock, server, crowd, record }
}

t.test('[SUBS7] from 250 subscribers on, a partial list has bots and recently seen users', async (t) => {
  const { clock, server, crowd, record } = await startWithCrowd(t)
  const bot = server.as('bot')
  const small = [4, 7, ...crowd]
  await bot.subscribe(['small'], { principals: small })
  await bot.subscribe(['large'], { principals: [...small, 6] })
  const list = async () => {
    const fields = { include_subscribers: 'partial' }
    const { subscriptions } = await bot.must('GET', '/users/me/subscriptions', fields)
    t.match(subscriptions, [
      { name: 'small', subscriber_count: 249 },
      { name: 'large', subscriber_count: 250 },
    ])
    t.same(subscriptions[0].subscribers, small, 'fewer than 250 are listed whole')
    t.notOk('partial_subscribers' in subscriptions[0])
    t.notOk('subscribers' in subscriptions[1])
    return subscriptions[1].partial_subscribers
  }
  t.same(await list(), [7])
  await server.as('member').must('GET', '/users/me')
  await record()
  t.same(await list(), [4, 7])
  clock.leap(3 * DAY_MS)
  await server.as('guest').must('GET', '/users/me')
  await server.as('owner').must('GET', '/users/me') // Seen, but not subscribed.
  await record()
  t.same(await list(), [4, 6, 7])
  clock.leap(11 * DAY_MS)
  t.same(await list(), [4, 6, 7], 'for 14 days')
  clock.leap(1 * DAY_MS)
  t.same(await list(), [6, 7])
  clock.leap(2 * DAY_MS)
  t.same(await list(), [6, 7])
  clock.leap(1 * DAY_MS)
  t.same(await list(), [7])
  const { subscriptions } = await bot.must('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
  t.same(subscriptions[1].subscribers, [4, 6, 7, ...crowd], 'the whole list is available')
})

t.test('[SUBS8] a partial list includes recent subscribers, and no deactivated ones', async (t) => {
  const { server, crowd } = await startWithCrowd(t)
  const owner = server.as('owner')
  const newcomers = await addCrowd(server, 3, NOW_SECONDS)
  const recent = await addCrowd(server, 1, NOW_SECONDS - 14 * 24 * 3600)
  await owner.subscribe(['large'], { principals: [1, ...crowd, ...newcomers, ...recent] })
  const list = async () =>
    (await owner.must('GET', '/users/me/subscriptions', { include_subscribers: 'partial' })).subscriptions[0]
  t.same((await list()).partial_subscribers, [...newcomers, ...recent])
  await deactivate(server, newcomers[0] as number)
  t.match(await list(), { partial_subscribers: [...newcomers.slice(1), ...recent], subscriber_count: 251 })
  await deactivate(server, newcomers[1] as number)
  await deactivate(server, crowd[0] as number)
  t.equal((await list()).subscriber_count, 249)
  t.same((await list()).subscribers, [1, ...crowd.slice(1), newcomers[2], ...recent])
})

t.test('[SUBS9] registration and its events list subscribers partially on request', async (t) => {
  const { server, crowd, record } = await startWithCrowd(t)
  const [owner, member] = [server.as('owner'), server.as('member')]
  await owner.subscribe(['large'], { principals: [1, 4, 7, ...crowd] })
  await owner.subscribe(['small'], { principals: [1, 4] })
  await owner.subscribe(['large elsewhere'], { principals: [1, 5, 7, ...crowd] })
  await owner.subscribe(['left'], { principals: [4, 7, ...crowd, 1] })
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  await record()
  const register = (include_subscribers: unknown) =>
    member.register({ event_types: ['subscription'], include_subscribers })
  const partial = await register('partial')
  const { subscriptions, unsubscribed, never_subscribed: never } = partial.state
  const named = <Channel extends { name: string }>(list: List<Channel>, name: string) =>
    list.find((one) => one.name === name)
  t.same(named(subscriptions, 'large').partial_subscribers, [1, 4, 7])
  t.notOk('subscribers' in named(subscriptions, 'large'))
  t.same(named(subscriptions, 'small').subscribers, [1, 4])
  t.same(named(never, 'large elsewhere').partial_subscribers, [1, 7])
  t.same(named(unsubscribed, 'left').subscribers, [1, 7, ...crowd], 'one of 249 after the caller left')

  const whole = await register(true)
  t.same(named(whole.state.subscriptions, 'large').subscribers, [1, 4, 7, ...crowd])
  const none = await register(false)
  t.notOk('subscribers' in none.state.subscriptions[0])
  t.notOk('partial_subscribers' in none.state.subscriptions[0])

  await owner.subscribe(['large elsewhere'], { principals: [4] })
  const [event] = await member.events(partial)
  t.match(event, { type: 'subscription', op: 'add' })
  t.same(event.subscriptions[0].partial_subscribers, [1, 4, 7])
  t.notOk('subscribers' in event.subscriptions[0])
  const [wholeEvent] = await member.events(whole)
  t.same(wholeEvent.subscriptions[0].subscribers, [1, 4, 5, 7, ...crowd])
  t.notOk('partial_subscribers' in wholeEvent.subscriptions[0])
  const [noneEvent] = await member.events(none)
  t.notOk('subscribers' in noneEvent.subscriptions[0])
  t.notOk('partial_subscribers' in noneEvent.subscriptions[0])

  await owner.subscribe(['large'], { principals: [5] })
  t.match(await member.events(partial), [{ op: 'peer_add', stream_ids: [1], user_ids: [5] }])
  expectRefusal(
    t,
    await member.post('/register', { include_subscribers: 'some' }),
    'Invalid include_subscribers',
  )
})

t.test('[TRAFFIC10] the weekly traffic of a channel depends on its messages and its age', async (t) => {
  const clock = new ManualClock(NOW_SECONDS * 1000)
  const server = await startTestServer(t, { clock })
  const owner = server.as('owner')
  await owner.subscribe(['busy', 'silent'])
  for (let count = 0; count < 9; count++) await owner.send('busy', 'topic', `message ${count}`)
  const traffic = async () => {
    const { subscriptions } = await owner.must('GET', '/users/me/subscriptions')
    const { streams } = await owner.must('GET', '/streams')
    t.same(
      subscriptions.map((one) => one.stream_weekly_traffic),
      streams.map((one) => one.stream_weekly_traffic),
    )
    return streams.map((one) => one.stream_weekly_traffic)
  }
  t.same(await traffic(), [null, null])
  clock.leap(7 * DAY_MS - 1_000)
  t.same(await traffic(), [null, null])
  clock.leap(1_000)
  t.same(await traffic(), [9, 0])
  clock.leap(7 * DAY_MS)
  t.same(await traffic(), [4, 0])
  clock.leap(13 * DAY_MS)
  t.same(await traffic(), [2, 0])
  clock.leap(DAY_MS)
  t.same(await traffic(), [0, 0], 'after 28 days they are forgotten')
  await owner.send('silent', 'topic', 'hello')
  t.same(await traffic(), [0, 1])
})

t.test('[SUBS10] a cached list is made again when it changes', async (t) => {
  const { server, crowd, record } = await startWithCrowd(t)
  const owner = server.as('owner')
  await owner.subscribe(['large ✓'], { principals: [1, 4, 7, ...crowd] })
  const { subscriptions: own } = await owner.must('GET', '/users/me/subscriptions')
  const registered = ['subscription'] as const
  const expectLists = async (
    whole: readonly number[],
    partial: readonly number[] | undefined,
    what: string,
  ) => {
    const list = async (include_subscribers: string) =>
      (await owner.must('GET', '/users/me/subscriptions', { include_subscribers })).subscriptions
    const register = async (include_subscribers: unknown) =>
      (await owner.register({ event_types: registered, include_subscribers })).state.subscriptions
    t.same(await list('true'), [{ ...own[0], subscriber_count: whole.length, subscribers: whole }], what)
    const listed = partial ? { partial_subscribers: partial } : { subscribers: whole }
    t.same(await list('partial'), [{ ...own[0], subscriber_count: whole.length, ...listed }], what)
    t.match(await register(true), [{ subscribers: whole }], what)
    t.match(await register('partial'), [listed], what)
  }
  await record()
  await expectLists([1, 4, 7, ...crowd], [1, 7], 'at first')
  await owner.subscribe(['large ✓'], { principals: [6] })
  await expectLists([1, 4, 6, 7, ...crowd], [1, 7], 'with one more')
  await server.as('guest').must('GET', '/users/me')
  await record()
  await expectLists([1, 4, 6, 7, ...crowd], [1, 6, 7], 'seen')
  await deactivate(server, 6)
  await expectLists([1, 4, 7, ...crowd], [1, 7], 'deactivated')
  await deactivate(server, crowd[0] as number)
  await expectLists([1, 4, 7, ...crowd.slice(1)], undefined, 'fewer than 250')
})
