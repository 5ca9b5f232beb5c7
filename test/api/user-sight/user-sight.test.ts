import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { UNKNOWN_AVATAR, unknownUser } from '../../harness/worlds/unknown-user.ts'

const MEMBERS = 5
const EVERYONE = 6
const MODERATORS = 3

const server = await startTestServer(t)
const owner = server.as('owner')
const administrator = server.as('administrator')
const moderator = server.as('moderator')
const member = server.as('member')
const member2 = server.as('member2')
const guest = server.as('guest')
const bot = server.as('bot')
const limit = (group: number) => owner.patch('/realm', { can_access_all_users_group: { new: group } })
const idsSeen = async (client: Client, fields = {}) =>
  (await client.must('GET', '/users', fields)).members.map((one) => one.user_id)
const unsubscribe = (caller: Client, name: string, principals?: readonly number[]) =>
  caller.must('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals })
const standIn = ({ userId }: Client) => `user${userId}@127.0.0.1`

t.test('[SIGHT1] all users are visible to each other until guests lose access to all users', async (t) => {
  t.same(await idsSeen(guest), [1, 2, 3, 4, 5, 6, 7])
  expectRefusal(
    t,
    await limit(MODERATORS),
    "'can_access_all_users_group' setting cannot be set to 'role:moderators' group.",
  )
  t.equal((await limit(MEMBERS)).status, 200)
  t.same(await idsSeen(guest), [guest.userId, bot.userId], 'themself, and bots')
  for (const client of [owner, administrator, moderator, member, member2, bot]) {
    t.same(await idsSeen(client), [1, 2, 3, 4, 5, 6, 7])
  }
  t.equal((await limit(EVERYONE)).status, 200)
  t.same(await idsSeen(guest), [1, 2, 3, 4, 5, 6, 7])
  t.equal((await limit(MEMBERS)).status, 200)
})

t.test(
  '[SIGHT2] users in a channel with a guest are visible to the guest, even when deactivated',
  async (t) => {
    const former = await addUser(server, 'former')
    await owner.subscribe(['lounge'], { principals: [owner.userId, guest.userId, former.userId] })
    await deactivate(server, former.userId)
    t.same(await idsSeen(guest), [owner.userId, guest.userId, bot.userId, former.userId])
    t.same(await idsSeen(guest, { user_ids: [owner.userId, member.userId, 999] }), [owner.userId])
    await owner.must('DELETE', `/streams/${channelIdOf(server, 'lounge')}`)
    t.same(await idsSeen(guest), [guest.userId, bot.userId], 'not in an archived one')
    await owner.must('PATCH', `/streams/${channelIdOf(server, 'lounge')}`, { is_archived: false })
    await owner.must('DELETE', '/users/me/subscriptions', {
      subscriptions: ['lounge'],
      principals: [guest.userId],
    })
    t.same(await idsSeen(guest), [guest.userId, bot.userId])
    await owner.subscribe(['lounge'], { principals: [guest.userId] })
  },
)

t.test(
  '[SIGHT3] users with direct messages with a guest are visible, also in group conversations',
  async (t) => {
    await moderator.sendDirect([guest.userId, member2.userId], 'to both')
    for (const one of [moderator, member2]) {
      t.equal((await guest.must('GET', `/users/${one.userId}`)).user.email, one.email)
    }
    // An empty conversation makes nobody visible.
    await owner.must('PATCH', '/realm', { direct_message_permission_group: { new: 8 } })
    t.equal(
      (await member.post('/messages', { type: 'direct', to: [guest.userId], content: 'no' })).status,
      400,
    )
    await owner.must('PATCH', '/realm', { direct_message_permission_group: { new: EVERYONE } })
    t.equal((await guest.get(`/users/${member.userId}`)).status, 400)
  },
)

t.test('[SIGHT4] an invisible user looks absent', async (t) => {
  const lounge = channelIdOf(server, 'lounge')
  for (const who of [member.userId, emailOf('member'), standIn(member)]) {
    expectRefusal(t, await guest.get(`/users/${who}`), 'No such user')
    expectRefusal(t, await guest.patch(`/users/${who}`, { full_name: 'X' }), 'No such user')
  }
  const path = `/users/${member.userId}`
  expectRefusal(t, await guest.get(`${path}/status`), 'No such user')
  expectRefusal(t, await guest.post(`${path}/status`, { status_text: 'x' }), 'No such user')
  expectRefusal(t, await guest.delete(path), 'No such user')
  expectRefusal(t, await guest.post(`${path}/reactivate`), 'No such user')
  expectRefusal(t, await guest.get(`${path}/subscriptions/${lounge}`), 'No such user')
  expectRefusal(t, await guest.get(`/user_groups/${MEMBERS}/members/${member.userId}`), 'No such user')
  expectRefusal(t, await guest.post(`/users/me/muted_users/${member.userId}`), 'No such user')
  for (const one of [owner, bot]) {
    t.equal((await guest.get(`/users/${one.userId}`)).status, 200)
    t.equal((await guest.get(`/users/${one.userId}/status`)).status, 200)
    t.equal((await guest.get(`/users/${one.userId}/subscriptions/${lounge}`)).status, 200)
    t.equal((await guest.get(`/user_groups/${MEMBERS}/members/${one.userId}`)).status, 200)
    expectRefusal(t, await guest.delete(`/users/${one.userId}`), 'Insufficient permission')
  }
  t.equal((await guest.must('GET', `/users/${standIn(owner)}`)).user.user_id, owner.userId)
})

t.test('[SIGHT5] registration lists invisible users as such, or omits them', async (t) => {
  await deactivate(server, (await addUser(server, 'unseen')).userId)
  const { state } = await guest.register({ fetch_event_types: ['realm_user', 'user_status'] })
  const { state: incomplete } = await guest.register({
    fetch_event_types: ['realm_user', 'user_status'],
    client_capabilities: { user_list_incomplete: true },
  })
  const { state: all } = await owner.register({ fetch_event_types: ['realm_user'] })
  const idsOf = (users: readonly { readonly user_id: number }[]) => users.map((one) => one.user_id)
  const known = [1, 3, 5, 6, 7]
  t.same(idsOf(incomplete.realm_users), known)
  t.same(idsOf(incomplete.realm_non_active_users), [8], 'the former one of the lounge')
  t.same(idsOf(state.realm_users), [1, 2, 3, 4, 5, 6, 7, 9], 'all invisible users are active')
  t.same(idsOf(state.realm_non_active_users), [8])
  t.same(idsOf(all.realm_users), [1, 2, 3, 4, 5, 6, 7])
  for (const one of state.realm_users) {
    if (known.includes(one.user_id)) continue
    t.same(one, unknownUser(one.user_id))
    t.same(Object.keys(one), Object.keys(all.realm_users[0]), 'in the form of all users')
  }
})

t.test('[SIGHT6] only statuses of visible users are sent', async (t) => {
  for (const one of [owner, member]) await one.must('POST', '/users/me/status', { status_text: 'here' })
  const seenBy = async (client: Client) =>
    Object.keys((await client.register({ fetch_event_types: ['user_status'] })).state.user_status)
  t.same(await seenBy(guest), [String(owner.userId)])
  t.same(await seenBy(member2), [String(owner.userId), String(member.userId)])
})

t.test('[SIGHT7] a message hides its sender only from readers who cannot see them', async (t) => {
  await member.subscribe(['lounge'])
  const id = await member.send('lounge', 'topic', 'before I go')
  const own = await owner.send('lounge', 'topic', 'good bye')
  const read = async (client: Client, fields = {}) =>
    (
      await client.must('GET', '/messages', {
        anchor: 'newest',
        num_before: 10,
        client_gravatar: false,
        ...fields,
      })
    ).messages
  const narrow = [{ operator: 'channel', operand: 'lounge' }]
  const senders = async (client: Client, fields = {}) =>
    (await read(client, fields)).map((one) => [one.sender_full_name, one.sender_email])
  const named = [
    ['The member', emailOf('member')],
    ['The owner', emailOf('owner')],
  ]
  t.same(await senders(guest, { narrow }), named)
  await unsubscribe(member, 'lounge')
  const unnamed = [['Unknown user', standIn(member)], named[1]]
  // Alternating, so that a cached value for one would show for the other.
  for (let turn = 0; turn < 2; turn++) {
    t.same(await senders(owner, { narrow }), named)
    t.same(await senders(guest, { narrow }), unnamed)
  }
  t.same((await read(guest, { narrow }))[0].avatar_url, UNKNOWN_AVATAR)
  t.same(await senders(guest, { anchor: undefined, message_ids: [id, own] }), unnamed)
  t.same(
    await senders(guest, {
      anchor: String(own),
      narrow: [...narrow, { operator: 'topic', operand: 'topic' }],
    }),
    unnamed,
  )
  t.match((await guest.must('GET', `/messages/${id}`)).message, {
    sender_id: member.userId,
    sender_full_name: 'Unknown user',
    sender_email: standIn(member),
    avatar_url: UNKNOWN_AVATAR,
  })
  t.match((await owner.must('GET', `/messages/${id}`)).message, { sender_full_name: 'The member' })
  const history = await guest.must('GET', `/messages/${id}/history`)
  t.notMatch(JSON.stringify(history), /The member|member@/)
})

t.test('[SIGHT13] guests who know different users share no page of messages', async (t) => {
  const friend = await addUser(server, 'friend', { role: 'guest' })
  const stranger = await addUser(server, 'stranger', { role: 'guest' })
  await member.subscribe(['parlor'], { principals: [member.userId, friend.userId, stranger.userId] })
  await member.sendDirect([friend.userId], 'hello')
  await member.send('parlor', 'topic', 'before I go')
  await unsubscribe(member, 'parlor')
  const narrow = [{ operator: 'channel', operand: 'parlor' }]
  const senders = async (client: Client) =>
    (await client.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow })).messages.map(
      (one) => one.sender_full_name,
    )
  // Alternating, so that a cached page for one would show for the other.
  for (let turn = 0; turn < 2; turn++) {
    t.same(await senders(friend), ['The member'])
    t.same(await senders(stranger), ['Unknown user'])
  }
})

t.test('[SIGHT8] an event describes a sender for each reader', async (t) => {
  const queues = [await guest.register(), await owner.register()] as const
  // A public channel accepts messages without a subscription.
  await member.send('lounge', 'topic', 'from outside')
  await member.must('POST', '/typing', {
    type: 'stream',
    op: 'start',
    stream_id: channelIdOf(server, 'lounge'),
    topic: 'topic',
  })
  const [seen, known] = [await guest.events(queues[0]), await owner.events(queues[1])]
  t.match(seen[0].message, { sender_full_name: 'Unknown user', sender_email: standIn(member) })
  t.match(known[0].message, { sender_full_name: 'The member', sender_email: emailOf('member') })
  t.same(seen.length, 1, 'the typing user gets no event')
  const named = await guest.register({ narrow: [['sender', emailOf('member')]] })
  await member.send('lounge', 'topic', 'once more')
  t.same(await guest.events(named), [], 'a narrow does not reveal an address')
})

t.test('[SIGHT9] a guest cannot write to invisible users', async (t) => {
  const to = (ids: unknown, content = 'hello') =>
    guest.post('/messages', { type: 'direct', to: ids, content })
  expectRefusal(t, await to([member.userId]), `Invalid user ID ${member.userId}`)
  expectRefusal(t, await to([owner.userId, member.userId]), `Invalid user ID ${member.userId}`)
  expectRefusal(t, await to([emailOf('member')]), `Invalid email '${emailOf('member')}'`)
  expectRefusal(t, await to([standIn(member)]), `Invalid email '${standIn(member)}'`)
  expectRefusal(t, await to([999]), 'Invalid user ID 999')
  t.equal((await to([owner.userId])).status, 200)
  t.equal((await to([bot.userId])).status, 200)
  const typing = (ids: readonly number[]) => guest.post('/typing', { type: 'direct', op: 'start', to: ids })
  expectRefusal(t, await typing([member.userId]), `Invalid user ID ${member.userId}`)
  t.equal((await typing([owner.userId])).status, 200)
  const draft = (ids: readonly number[]) =>
    guest.post('/drafts', { drafts: [{ type: 'private', to: ids, topic: '', content: 'x' }] })
  expectRefusal(t, await draft([member.userId]), `Invalid user ID ${member.userId}`)
  t.equal((await draft([owner.userId])).status, 200)
})

t.test('[SIGHT10] a guest cannot mention invisible users', async (t) => {
  const unknown = { subscriptions: ['lounge'], principals: [member.userId] }
  expectRefusal(t, await guest.delete('/users/me/subscriptions', unknown), 'No such user')
  const known = { subscriptions: ['lounge'], principals: [owner.userId] }
  expectRefusal(t, await guest.delete('/users/me/subscriptions', known), 'Insufficient permission')
  const render = async (client: Client, content: string) =>
    (await client.must('POST', '/messages/render', { content })).rendered
  for (const content of ['@**The member**', `@**The member|${member.userId}**`, '@_**The member**']) {
    t.notMatch(await render(guest, content), /user-mention/)
    t.match(await render(member2, content), /user-mention/)
  }
  t.match(await render(guest, '@**The owner**'), /user-mention/)
  for (const operator of ['sender', 'dm', 'dm-including']) {
    const read = (operand: unknown) =>
      guest.get('/messages', { anchor: 'newest', num_before: 1, narrow: [{ operator, operand }] })
    for (const operand of [member.userId, emailOf('member'), standIn(member)]) {
      t.equal((await read(operand)).status, 400)
    }
    t.equal((await read(owner.userId)).status, 200)
  }
})

t.test('[SIGHT11] a profile cannot refer to users its owner cannot see', async (t) => {
  const { id } = await owner.must('POST', '/realm/profile_fields', { name: 'Mentor', field_type: 6 })
  const name = (userId: number) => guest.patch('/users/me/profile_data', { data: [{ id, value: [userId] }] })
  const [unknown, absent] = [await name(member.userId), await name(999)]
  t.equal(unknown.status, 400)
  t.same(unknown.body.msg, absent.body.msg.replace('999', String(member.userId)))
  t.equal((await name(owner.userId)).status, 200)
})

t.test('[SIGHT12] a guest who becomes a member sees everyone', async (t) => {
  await owner.must('PATCH', `/users/${guest.userId}`, { role: 400 })
  t.equal((await guest.must('GET', `/users/${member.userId}`)).user.full_name, 'The member')
  t.equal(
    (
      await guest.must('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        narrow: [['channel', 'lounge']],
      })
    ).messages[0].sender_full_name,
    'The member',
  )
  await owner.must('PATCH', `/users/${guest.userId}`, { role: 600 })
  t.equal((await guest.get(`/users/${member.userId}`)).status, 400)
})
