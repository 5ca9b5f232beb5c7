import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectConsistent, REGISTRATION } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { UNKNOWN_AVATAR, unknownUser } from '../../harness/worlds/unknown-user.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import type { List, Recipients, WireEvent } from '../../harness/client/wire-types.ts'

const MEMBERS = 5
const EVERYONE = 6

const server = await startTestServer(t)
const owner = server.as('owner')
const administrator = server.as('administrator')
const moderator = server.as('moderator')
const member = server.as('member')
/** Two guests with limited sight: the client of the second supports incomplete lists of users. */
const [guest, guest2] = [server.as('guest'), server.as('member2')]
await owner.must('PATCH', `/users/${guest2.userId}`, { role: 600 })
const incomplete = {
  ...REGISTRATION,
  client_capabilities: { ...REGISTRATION.client_capabilities, user_list_incomplete: true },
}
const limit = (group: number) => owner.must('PATCH', '/realm', { can_access_all_users_group: { new: group } })
await limit(MEMBERS)

type SeenEvents = Record<'owner' | 'member' | 'guest' | 'guest2', List<WireEvent>>

/** The user events for each viewer; `guest2` is member2 in the harness. */
async function collectEvents(act: () => Promise<unknown>): Promise<SeenEvents> {
  const { member2, ...events } = await expectConsistent(server, act, {
    forgetsFormer: true,
    registrations: { member2: incomplete },
  })
  return { ...events, guest2: member2 }
}
const kindOf = ({ type, op }: { type: string; op?: string }) => (op === undefined ? type : `${type}/${op}`)
/** The events of one user in short. */
const about = (events: readonly WireEvent[] | undefined, { userId }: Client) =>
  (events ?? [])
    .filter(({ person, user_id }) => (person?.user_id ?? user_id) === userId)
    .map((event) => (event.person?.full_name === 'Unknown user' ? `${kindOf(event)} unknown` : kindOf(event)))
const unsubscribe = (caller: Client, names: readonly string[], principals?: readonly number[]) =>
  caller.must('DELETE', '/users/me/subscriptions', { subscriptions: names, principals })

t.test(
  '[SIGHT20] a user who newly shares a channel becomes visible before the event of their subscription',
  async (t) => {
    await owner.subscribe(['shared'], { principals: [owner.userId, member.userId] })
    const coming = await collectEvents(() =>
      owner.subscribe(['shared'], { principals: [guest.userId, guest2.userId] }),
    )
    for (const events of [coming.guest, coming.guest2]) {
      t.same(about(events, owner), ['realm_user/add'])
      t.same(about(events, member), ['realm_user/add'])
      t.same(about(events, administrator), [], 'users outside of it stay invisible')
      const kinds = events?.map(kindOf) as string[]
      t.ok(kinds.lastIndexOf('realm_user/add') < kinds.indexOf('subscription/add'))
    }
    t.same(about(coming.guest, guest2), ['realm_user/add'], 'the two guests see each other, too')
    t.same(coming.owner?.map(kindOf), ['subscription/peer_add'], 'others get the same as before')

    const joining = await collectEvents(() => administrator.subscribe(['shared']))
    t.same(joining.guest?.map(kindOf), ['realm_user/add', 'subscription/peer_add'])
    t.same(joining.guest2?.map(kindOf), ['realm_user/add', 'subscription/peer_add'])
    t.match(joining.guest?.[0].person, {
      user_id: administrator.userId,
      full_name: 'The administrator',
      role: 200,
      profile_data: {},
    })
  },
)

t.test(
  '[SIGHT21] a user who no longer shares one becomes invisible after the event of their removal',
  async (t) => {
    const leaving = await collectEvents(() => unsubscribe(administrator, ['shared']))
    t.same(leaving.guest?.map(kindOf), ['subscription/peer_remove', 'realm_user/update'])
    const { email, ...unknown } = unknownUser(administrator.userId)
    t.same(leaving.guest?.[1].person, {
      ...unknown,
      new_email: email,
      avatar_url_medium: UNKNOWN_AVATAR,
      avatar_source: 'J',
    })
    t.same(leaving.guest2?.map(kindOf), ['subscription/peer_remove', 'realm_user/remove'])
    t.same(leaving.guest2?.[1].person, { user_id: administrator.userId, full_name: 'Unknown user' })
    t.same(leaving.owner?.map(kindOf), ['subscription/peer_remove'])

    const left = await collectEvents(() => unsubscribe(owner, ['shared'], [guest.userId, guest2.userId]))
    t.same(about(left.guest, owner), ['realm_user/update unknown'])
    t.same(about(left.guest, guest2), ['realm_user/update unknown'])
    t.same(about(left.guest2, owner), ['realm_user/remove unknown'])
    t.equal(left.guest?.map(kindOf)[0], 'subscription/remove')
  },
)

t.test('[SIGHT22] a user who leaves one of two shared channels stays visible', async (t) => {
  await owner.subscribe(['one', 'two'], { principals: [owner.userId, guest.userId, guest2.userId] })
  const events = await collectEvents(() => unsubscribe(owner, ['one']))
  t.same(events.guest?.map(kindOf), ['subscription/peer_remove'])
  t.same(events.guest2?.map(kindOf), ['subscription/peer_remove'])
})

t.test(
  '[SIGHT23] an archived channel makes nobody visible, and does so again when it is unarchived',
  async (t) => {
    const id = channelIdOf(server, 'two')
    const archived = await collectEvents(() => owner.must('DELETE', `/streams/${id}`))
    t.same(about(archived.guest, owner), ['realm_user/update unknown'])
    t.same(about(archived.guest2, owner), ['realm_user/remove unknown'])
    t.equal(archived.guest?.map(kindOf).at(-1), 'realm_user/update')
    t.same(about(archived.guest, guest2), [], 'they still share the other channel')
    const back = await collectEvents(() => owner.must('PATCH', `/streams/${id}`, { is_archived: false }))
    t.same(about(back.guest, owner), ['realm_user/add'])
    t.same(about(back.guest2, owner), ['realm_user/add'])
    t.equal(back.guest2?.map(kindOf)[0], 'realm_user/add')
    await unsubscribe(owner, ['one', 'two'], [guest.userId, guest2.userId])
  },
)

t.test('[SIGHT24] a first direct message makes its participants visible before it arrives', async (t) => {
  const first = await collectEvents(async () => {
    const id = await moderator.sendDirect([guest.userId], 'hello')
    t.equal((await moderator.must('GET', `/messages/${id}`)).message.content, '<p>hello</p>')
  })
  t.same(first.guest?.map(kindOf), ['realm_user/add', 'message'])
  t.match(first.guest?.[1].message, { sender_full_name: 'The moderator', content: '<p>hello</p>' })
  t.same(first.guest2, [], 'nobody else gets it')
  t.same(first.owner, [])
  const second = await collectEvents(() => guest.sendDirect([moderator.userId], 'hello yourself'))
  t.same(second.guest?.map(kindOf), ['message'], 'they see each other')

  const group = await collectEvents(() =>
    owner.sendDirect([guest.userId, guest2.userId, member.userId], 'all of you'),
  )
  t.same(group.guest?.map(kindOf), [...Array<string>(3).fill('realm_user/add'), 'message'])
  t.same(group.guest2?.map(kindOf), [...Array<string>(3).fill('realm_user/add'), 'message'])
  t.same(about(group.guest, guest2), ['realm_user/add'], 'the others of a group, too')
  t.same(
    (group.guest.at(-1).message.display_recipient as Recipients).map((one) => one.full_name),
    ['The owner', 'The member', 'The member2', 'The guest'],
  )
  t.same(group.member?.map(kindOf), ['message'])
  const [one, other] = [await addUser(server, 'one'), await addUser(server, 'other')]
  await one.sendDirect([guest.userId], 'just you')
  await one.sendDirect([other.userId], 'and you')
  const together = await collectEvents(() => one.sendDirect([guest.userId, other.userId], 'you two'))
  t.same(together.guest?.map(kindOf), ['realm_user/add', 'message'])
  t.same(about(together.guest, other), ['realm_user/add'], 'the sender knew both before')
})

t.test('[SIGHT25] conversation partners stay visible, even after the messages are deleted', async (t) => {
  const person = await addUser(server, 'writer')
  const id = await person.sendDirect([guest2.userId], 'gone soon')
  // The tables must agree: the harness compares them with memory.
  const events = await collectEvents(() => person.must('DELETE', `/messages/${id}`))
  t.same(events.guest2?.map(kindOf), ['delete_message'])
  t.equal((await guest2.must('GET', `/users/${person.userId}`)).user.full_name, 'The writer')
})

t.test('[SIGHT26] changes of a user are sent only to viewers who can see them', async (t) => {
  const stranger = await addUser(server, 'stranger')
  const friend = await addUser(server, 'friend')
  await friend.sendDirect([guest.userId, guest2.userId], 'it is me')
  const changes = (one: Client) => async () => {
    await one.must('PATCH', '/settings', {
      full_name: `${one.key.slice(0, 8)} by name`,
      timezone: 'Asia/Tokyo',
    })
    await one.must('PATCH', '/settings', { email_address_visibility: 3 })
    await one.must('POST', '/users/me/status', { status_text: 'about' })
    await owner.must('PATCH', `/users/${one.userId}`, { role: 300 })
    await one.must('POST', '/typing', { type: 'direct', op: 'start', to: [guest.userId, guest2.userId] })
    await deactivate(server, one.userId)
    await owner.must('POST', `/users/${one.userId}/reactivate`)
  }
  const unknown = await collectEvents(changes(stranger))
  const known = await collectEvents(changes(friend))
  const ofAccount = (events: readonly WireEvent[]) =>
    events.map(kindOf).filter((kind: string) => !kind.startsWith('user_group'))
  t.same(ofAccount(unknown.guest), [])
  t.same(ofAccount(unknown.guest2), [])
  for (const viewer of ['guest', 'guest2'] as const) {
    t.same(
      ofAccount(known[viewer]).filter((kind: string) => kind !== 'typing/start'),
      ofAccount(known.member).filter((kind: string) => kind !== 'typing/start'),
    )
    t.ok(known[viewer]?.some((event) => event.person?.full_name === `${friend.key.slice(0, 8)} by name`))
    t.ok(ofAccount(known[viewer]).includes('typing/start'))
    t.ok(ofAccount(known[viewer]).includes('user_status'))
  }
  t.ok(ofAccount(unknown.member).includes('user_status'), 'others get both')
})

t.test('[SIGHT27] a status appears and disappears with its user', async (t) => {
  await administrator.must('POST', '/users/me/status', { status_text: 'busy' })
  await administrator.must('PATCH', '/settings', { presence_enabled: false })
  const quiet = await addUser(server, 'quiet') // Without a status, but invisible.
  await quiet.must('PATCH', '/settings', { presence_enabled: false })
  const joining = await collectEvents(() =>
    administrator.subscribe(['rooms'], {
      principals: [administrator.userId, quiet.userId, guest.userId, guest2.userId],
    }),
  )
  for (const events of [joining.guest, joining.guest2]) {
    for (const user of [administrator, quiet]) t.same(about(events, user), ['realm_user/add', 'user_status'])
    t.match(
      events?.filter(({ type }) => type === 'user_status'),
      [
        { user_id: administrator.userId, status_text: 'busy', away: true },
        { user_id: quiet.userId, away: true },
      ],
    )
  }
  t.notOk(joining.member?.some(({ type }) => type === 'user_status'))
  const leaving = await collectEvents(() =>
    unsubscribe(administrator, ['rooms'], [administrator.userId, quiet.userId]),
  )
  for (const user of [administrator, quiet]) {
    t.same(about(leaving.guest, user), ['user_status', 'realm_user/update unknown'])
    t.same(about(leaving.guest2, user), ['user_status', 'realm_user/remove unknown'])
  }
  t.same((await owner.must('GET', `/users/${administrator.userId}/status`)).status, {
    away: true,
    status_text: 'busy',
  })
})

t.test('[SIGHT28] a new user is visible in shared channels, and else invisible', async (t) => {
  const alone = await collectEvents(() => addUser(server, 'newcomer'))
  t.match(alone.member?.[0], { type: 'realm_user', op: 'add', person: { full_name: 'The newcomer' } })
  t.same(
    alone.guest?.filter(({ type }) => type === 'realm_user').map(({ person }) => person.full_name),
    ['Unknown user'],
  )
  t.same(
    alone.guest2?.filter(({ type }) => type === 'realm_user'),
    [],
    'a client with incomplete lists gets nobody',
  )
  await owner.must('POST', '/default_streams', { stream_id: channelIdOf(server, 'rooms') })
  const inside = await collectEvents(() => addUser(server, 'insider'))
  for (const events of [inside.guest, inside.guest2]) {
    t.same(
      events?.filter(({ type }) => type === 'realm_user').map(({ person }) => person.full_name),
      ['The insider'],
    )
  }
  await owner.must('DELETE', '/default_streams', { stream_id: channelIdOf(server, 'rooms') })
  const bot = await collectEvents(() =>
    member.must('POST', '/bots', { full_name: 'Helper', short_name: 'helper' }),
  )
  for (const events of [bot.guest, bot.guest2]) {
    t.same(
      events?.filter(({ type }) => type === 'realm_user').map(({ person }) => person.full_name),
      ['Helper'],
      'every bot is visible',
    )
  }
})

t.test('[SIGHT29] a user who becomes a guest loses sight of users, and regains it as a member', async (t) => {
  await owner.must('PATCH', `/users/${guest2.userId}`, { role: 400 })
  const down = await collectEvents(() => owner.must('PATCH', `/users/${guest2.userId}`, { role: 600 }))
  t.same(about(down.guest2, moderator), ['realm_user/remove unknown'])
  t.same(about(down.guest2, owner), [], 'they have a conversation')
  t.equal(down.guest2?.map(kindOf).at(-1), 'realm_user/remove')
  t.same(
    down.guest?.filter(({ person }) => person?.full_name === 'Unknown user'),
    [],
  )
  const up = await collectEvents(() => owner.must('PATCH', `/users/${guest2.userId}`, { role: 400 }))
  t.same(about(up.guest2, moderator), ['realm_user/add'])
  t.same(about(up.guest2, owner), [])
  await owner.must('PATCH', `/users/${guest2.userId}`, { role: 600 })
})

t.test('[SIGHT30] the permission takes effect at once', async (t) => {
  const opened = await collectEvents(() => limit(EVERYONE))
  t.same(about(opened.guest, administrator), ['realm_user/add', 'user_status'])
  t.same(about(opened.guest2, administrator), ['realm_user/add', 'user_status'])
  t.same(about(opened.guest, moderator), [], 'the guest has talked with the moderator')
  t.equal(opened.guest?.map(kindOf).at(-1), 'realm/update_dict')
  t.same(opened.owner?.map(kindOf), ['realm/update_dict'])
  t.equal((await guest.get(`/users/${administrator.userId}`)).status, 200)
  const closed = await collectEvents(() => limit(MEMBERS))
  t.same(about(closed.guest, administrator), ['user_status', 'realm_user/update unknown'])
  t.same(about(closed.guest2, administrator), ['user_status', 'realm_user/remove unknown'])
  t.equal(closed.guest?.map(kindOf)[0], 'realm/update_dict')
  t.same(closed.member?.map(kindOf), ['realm/update_dict'])
  t.equal((await guest.get(`/users/${administrator.userId}`)).status, 400)
})

t.test('[SIGHT31] a late poll returns nothing newer about users that became invisible', async (t) => {
  const passing = await addUser(server, 'passing')
  const queues = [await guest.register(REGISTRATION), await guest2.register(incomplete)] as const
  await passing.subscribe(['hall'], { principals: [passing.userId, guest.userId, guest2.userId] })
  await passing.send('hall', 'topic', 'I was here')
  await unsubscribe(passing, ['hall'])
  await passing.must('PATCH', '/settings', { email_address_visibility: 3 })
  await passing.subscribe(['hall'])
  await passing.must('PATCH', '/settings', { full_name: 'Somebody Else', timezone: 'Asia/Tokyo' })
  await unsubscribe(passing, ['hall'])
  await passing.must('PATCH', '/settings', { email_address_visibility: 1 })
  for (const [client, queue] of [
    [guest, queues[0]],
    [guest2, queues[1]],
  ] as const) {
    const events = await client.events(queue)
    t.notMatch(JSON.stringify(events), /Somebody Else|passing@example\.com/)
    const message = events.find(({ type }) => type === 'message')?.message
    t.match(message, {
      sender_full_name: 'Unknown user',
      sender_email: `user${passing.userId}@127.0.0.1`,
      avatar_url: UNKNOWN_AVATAR,
    })
  }
})

t.test(
  '[SIGHT32] a deactivated user stays visible in a shared channel, and is invisible without one',
  async (t) => {
    const inside = await addUser(server, 'inside')
    const outside = await addUser(server, 'outside')
    await owner.subscribe(['quiet'], { principals: [inside.userId, guest.userId, guest2.userId] })
    const received = await collectEvents(async () => {
      await deactivate(server, inside.userId)
      await deactivate(server, outside.userId)
    })
    for (const events of [received.guest, received.guest2]) {
      t.same(about(events, inside), ['realm_user/update'])
      t.same(about(events, outside), [])
    }
    const gone = await collectEvents(() => unsubscribe(owner, ['quiet'], [guest.userId]))
    t.same(about(gone.guest, inside), ['realm_user/update unknown'])
    const again = await collectEvents(() => owner.subscribe(['quiet'], { principals: [guest.userId] }))
    t.match(
      again.guest?.find(({ type, op }) => type === 'realm_user' && op === 'add'),
      { person: { is_active: false } },
    )
  },
)

t.test(
  '[SIGHT33] messages that make users visible are stored together with others, each under its own id',
  async (t) => {
    await owner.subscribe(['busy'])
    const writers = await Promise.all(['anna', 'bert', 'carl'].map((name) => addUser(server, name)))
    const queue = await guest.register(REGISTRATION)
    const sent = await Promise.all([
      owner.send('busy', 'topic', 'to the channel'),
      ...writers.map((one) => one.sendDirect([guest.userId], `from ${one.userId}`)),
      ...writers.map((one) => one.sendDirect([guest.userId], `again from ${one.userId}`)),
      owner.send('busy', 'topic', 'to the channel again'),
    ])
    t.equal(new Set(sent).size, sent.length)
    const contents = ['to the channel', ...writers.map(({ userId }) => `from ${userId}`)]
    for (const [index, content] of contents.entries()) {
      const reader = index === 0 ? owner : guest
      t.equal((await reader.must('GET', `/messages/${sent[index]}`)).raw_content, content)
    }
    const events = await guest.events(queue)
    for (const one of writers) {
      const first = events.findIndex(({ message }) => message?.sender_id === one.userId)
      const revealed = events.findIndex(({ person }) => person?.user_id === one.userId)
      t.ok(revealed >= 0 && revealed < first, 'visible before their first message')
    }
  },
)

t.test('[SIGHT34] other processes know the visible users of each viewer', async (t) => {
  const here = await startTestServer(t, { redis: true })
  const there = await here.startAnotherNode()
  await here.as('owner').must('PATCH', '/realm', { can_access_all_users_group: { new: MEMBERS } })
  const far = there.as('guest')
  const queue = await far.register({ ...REGISTRATION, event_types: ['realm_user', 'message'] })
  await here.as('moderator').sendDirect([far.userId], 'from afar')
  const events: WireEvent[] = []
  // It may have registered before the other process got the permission.
  while (events.at(-1)?.type !== 'message') events.push(...(await far.events(queue, {})))
  t.same(events.slice(-2).map(kindOf), ['realm_user/add', 'message'])
  t.equal(events.at(-1)?.message.sender_full_name, 'The moderator')
  t.equal((await far.must('GET', `/users/${here.as('moderator').userId}`)).user.role, 300)
  expectRefusal(t, await far.get(`/users/${here.as('member').userId}`), 'No such user')
})
