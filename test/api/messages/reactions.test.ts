import t from 'tap'
import { removeReaction, StaleReactionError, storeReaction } from '../../../db/messages/reactions.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../../server/domain/ids.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import type { Client, Fields, Queue } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { emailOf, PEOPLE, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { writeAlone } from '../../harness/worlds/write-alone.ts'
import type { Read } from '../../harness/client/wire-types.ts'
import type { Message } from '../../../packages/client/src/index.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })

const SMILE = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }
const EXTRA = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }
/** Distinct emoji whose names the server does not know. */
const kinds = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    emoji_name: `kind_${index}`,
    emoji_code: (0x1f400 + index).toString(16),
  }))

const react = (person: Person, id: number, fields: Fields) =>
  server.as(person).post(`/messages/${id}/reactions`, fields)
const unreact = (person: Person, id: number, fields: Fields) =>
  server.as(person).delete(`/messages/${id}/reactions`, fields)
/** Reactions with ids only. */
const withoutUsers = (reactions: Read<Message>['reactions']) =>
  reactions.map((reaction) => {
    const { user, ...rest } = reaction
    t.equal(user.full_name, profileOf(reaction.user_id).full_name)
    return rest
  })
const reactionsOf = async (id: number, client: Client = owner) =>
  withoutUsers((await client.must('GET', `/messages/${id}`)).message.reactions)
/** The user of a reaction besides the id. */
const profileOf = (id: number) => {
  const person = PEOPLE[id - 1] as Person
  return { email: emailOf(person), full_name: `The ${person}`, is_mirror_dummy: false }
}
const event = (op: string, message_id: number, user_id: number, emoji: object) => ({
  type: 'reaction',
  op,
  message_id,
  ...emoji,
  user_id,
  user: { user_id, ...profileOf(user_id) },
})
const done = { result: 'success', msg: '' }

t.test('[REACT1] a reaction and its removal are stored and sent to the subscribers', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const added = await expectConsistent(server, async () => {
    t.same((await react('member', id, SMILE)).body, done)
    t.same(await reactionsOf(id), [{ ...SMILE, user_id: 4 }])
  })
  for (const person of ['owner', 'member', 'guest'] as const) {
    t.same(withoutIds(added[person]), [event('add', id, 4, SMILE)], person)
  }
  t.same(added.member2, [])
  const removed = await expectConsistent(server, async () => {
    t.same((await unreact('member', id, SMILE)).body, done)
    t.same(await reactionsOf(id), [])
  })
  for (const person of ['owner', 'member', 'guest'] as const) {
    t.same(withoutIds(removed[person]), [event('remove', id, 4, SMILE)], person)
  }
  t.same(removed.member2, [])
})

t.test('[REACT2] a reader without a subscription can react, and gets the events', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const events = await expectConsistent(server, async () => {
    await react('member2', id, SMILE)
  })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    t.same(withoutIds(events[person]), [event('add', id, 5, SMILE)], person)
  }
  const later = await expectConsistent(server, () => react('member', id, SMILE))
  t.same(later.member2, [])
})

t.test('[REACT3] reactions to direct messages are sent to the participants', async (t) => {
  const id = await owner.sendDirect([4], 'hello')
  const events = await expectConsistent(server, async () => {
    await react('member', id, SMILE)
    expectRefusal(t, await react('guest', id, SMILE), 'Invalid message(s)')
    expectRefusal(t, await unreact('guest', id, SMILE), 'Invalid message(s)')
  })
  t.same(withoutIds(events.owner), [event('add', id, 4, SMILE)])
  t.same(withoutIds(events.member), [event('add', id, 4, SMILE)])
  t.same([events.member2, events.guest], [[], []])
  t.same(await reactionsOf(id, member), [{ ...SMILE, user_id: 4 }])
})

t.test('[REACT4] with protected history, later subscribers cannot react and get no events', async (t) => {
  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4, 6] })
  const id = await owner.send('closed', 'x', 'before')
  await owner.subscribe(['closed'], { principals: [5] })
  await server.as('guest').must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
  const events = await expectConsistent(server, async () => {
    await react('member', id, SMILE)
    for (const person of ['member2', 'guest', 'administrator'] as const) {
      expectRefusal(t, await react(person, id, SMILE), 'Invalid message(s)')
    }
  })
  t.same(withoutIds(events.owner), [event('add', id, 4, SMILE)])
  t.same(withoutIds(events.member), [event('add', id, 4, SMILE)])
  t.same([events.member2, events.guest], [[], []])
  await setUpChannel(server, 'closed', {
    kind: 'privacy',
    isPrivate: true,
    isWebPublic: false,
    isHistoryPublic: true,
  })
  const open = await expectConsistent(server, () => react('member2', id, SMILE))
  t.same(withoutIds(open.member2), [event('add', id, 5, SMILE)])
  t.same(open.guest, [])
})

t.test('[REACT5] absent messages and those of archived channels cannot get reactions', async (t) => {
  await owner.subscribe(['old'])
  const id = await owner.send('old', 'x', 'hello')
  await react('owner', id, SMILE)
  await setUpChannel(server, 'old', { kind: 'archived', isArchived: true })
  for (const one of [id, 0, 10 ** 15 - 1]) {
    expectRefusal(t, await react('owner', one, { emoji_name: 'heart' }), 'Invalid message(s)')
    expectRefusal(t, await unreact('owner', one, SMILE), 'Invalid message(s)')
  }
  t.same(await reactionsOf(id), [{ ...SMILE, user_id: 1 }])
})

t.test(
  '[REACT6] a common name needs no code, and existing reactions are joined by name or code',
  async (t) => {
    const id = await owner.send('town', 'x', 'hello')
    const rare = { emoji_name: 'nazar', emoji_code: '1f9ff', reaction_type: 'unicode_emoji' }
    t.same((await react('owner', id, { emoji_name: '+1' })).body, done)
    t.same((await react('owner', id, { emoji_name: 'nazar', emoji_code: '1f9ff' })).body, done)
    t.same((await react('member', id, { emoji_name: 'nazar' })).body, done)
    t.same((await react('guest', id, { emoji_name: 'evil_eye', emoji_code: '1f9ff' })).body, done)
    const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
    t.same(await reactionsOf(id), [
      { ...thumb, user_id: 1 },
      { ...rare, user_id: 1 },
      { ...rare, user_id: 4 },
      { ...rare, user_id: 6 },
    ])
  },
)

t.test('[REACT7] the extra emoji is named by its name, and its type in both spellings', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  t.same((await react('owner', id, { emoji_name: 'zulip' })).body, done)
  t.same((await react('member', id, { ...EXTRA, reaction_type: 'zulip_extra_emoji' })).body, done)
  t.same(await reactionsOf(id), [
    { ...EXTRA, user_id: 1 },
    { ...EXTRA, user_id: 4 },
  ])
  t.same((await unreact('owner', id, { ...EXTRA, reaction_type: 'zulip_extra_emoji' })).body, done)
  t.same(await reactionsOf(id), [{ ...EXTRA, user_id: 4 }])
})

t.test('[REACT8] an invalid emoji is refused with its own error', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const refuse = async (fields: Fields, message: string) =>
    expectRefusal(t, await react('owner', id, fields), message)
  await refuse({ emoji_name: 'no_such' }, "Emoji 'no_such' does not exist")
  await refuse({ emoji_name: '' }, "Emoji '' does not exist")
  await refuse({ ...SMILE, emoji_name: 'frown' }, 'Invalid emoji name.')
  await refuse({ ...SMILE, emoji_name: 'A smile' }, 'Invalid emoji name.')
  await refuse({ ...SMILE, emoji_code: '0061' }, 'Invalid emoji code.')
  await refuse({ ...SMILE, emoji_code: '' }, 'Invalid emoji code.')
  await refuse({ ...SMILE, reaction_type: 'picture' }, 'Invalid emoji type.')
  await refuse({ ...SMILE, reaction_type: '' }, 'Invalid emoji type.')
  await refuse({ ...SMILE, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.')
  await refuse({ ...EXTRA, emoji_code: '1f642' }, 'Invalid emoji code.')
  await refuse({ ...EXTRA, emoji_name: 'smile' }, 'Invalid emoji name.')
  const long = (length: number) => 'a'.repeat(length)
  await refuse({ emoji_name: long(101) }, 'emoji_name is too long (limit: 100 characters)')
  await refuse({ emoji_name: long(100) }, `Emoji '${long(100)}' does not exist`)
  await refuse({ ...SMILE, emoji_code: long(101) }, 'emoji_code is too long (limit: 100 characters)')
  await refuse({ ...SMILE, reaction_type: long(101) }, 'reaction_type is too long (limit: 100 characters)')
  expectRefusal(t, await react('owner', id, { emoji_code: '1f642' }), "Missing 'emoji_name' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'emoji_name',
  })
  t.same(await reactionsOf(id), [])
})

t.test('[REACT9] the same reaction is added once, also concurrently', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const twice = { code: 'REACTION_ALREADY_EXISTS' }
  const answers = await Promise.all(Array.from({ length: 4 }, () => react('owner', id, SMILE)))
  const refused = answers.filter(({ status }) => status !== 200)
  t.equal(refused.length, 3)
  for (const answer of refused) expectRefusal(t, answer, 'Reaction already exists.', twice)
  // Matched by its code, whatever the name.
  const renamed = await react('owner', id, { ...SMILE, emoji_name: 'other' })
  expectRefusal(t, renamed, 'Reaction already exists.', twice)
  t.same(await reactionsOf(id), [{ ...SMILE, user_id: 1 }])
})

t.test('[REACT10] users remove only their own reactions, named by any of the fields', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const gone = { code: 'REACTION_DOES_NOT_EXIST' }
  const refuse = async (fields: Fields, message: string, extra?: object) =>
    expectRefusal(t, await unreact('owner', id, fields), message, { ...extra })
  await react('member', id, SMILE)
  await refuse(SMILE, "Reaction doesn't exist.", gone)
  await refuse({ emoji_name: 'smile' }, "Reaction doesn't exist.", gone)
  await refuse({ emoji_name: 'no_such' }, "Emoji 'no_such' does not exist")
  const missing = 'At least one of the following arguments must be present: emoji_name, emoji_code'
  await refuse({}, missing)
  await refuse({ reaction_type: 'unicode_emoji' }, missing)
  await react('owner', id, SMILE)
  await refuse({ ...SMILE, reaction_type: 'realm_emoji' }, "Reaction doesn't exist.", gone)
  await refuse({ ...SMILE, emoji_code: '1f44d' }, "Reaction doesn't exist.", gone)
  for (const fields of [{ emoji_name: 'smile' }, { emoji_code: '1f642' }, SMILE]) {
    await react('owner', id, SMILE)
    t.same((await unreact('owner', id, fields)).body, done)
    t.same(await reactionsOf(id), [{ ...SMILE, user_id: 4 }])
  }
  for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) {
    await refuse({ [name]: 'a'.repeat(101) }, `${name} is too long (limit: 100 characters)`)
  }
})

t.test('[REACT11] a message gets up to 20 different reactions, and any number of the same', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const [last, ...first] = kinds(21)
  const answers = await Promise.all(first.map((emoji) => react('owner', id, emoji)))
  t.ok(answers.every(({ status }) => status === 200))
  const full = 'Too many different reactions to one message (maximum 20).'
  expectRefusal(t, await react('member', id, last as Fields), full)
  t.same((await react('member', id, first[0] as Fields)).body, done)
  await unreact('owner', id, first[1] as Fields)
  const racing = await Promise.all([
    react('member', id, last as Fields),
    react('member', id, { emoji_name: 'tada' }),
    react('guest', id, { emoji_name: 'rocket' }),
  ])
  t.equal(racing.filter(({ status }) => status === 200).length, 1, 'also at the same time')
  for (const answer of racing.filter(({ status }) => status !== 200)) expectRefusal(t, answer, full)
})

t.test(
  '[REACT12] pages from memory and from the database have the same reactions, and no event is lost in between',
  async (t) => {
    await owner.subscribe(['hall'], { principals: [1, 4] })
    const ids = [await owner.send('hall', 'x', 'one'), await owner.send('hall', 'x', 'two')]
    const narrow = [['channel', 'hall']]
    const page = async (anchor: string, client = owner) => {
      const { messages } = await client.must('GET', '/messages', { anchor, num_before: 10, narrow })
      return messages.map(({ reactions }) => withoutUsers(reactions))
    }
    const compare = async (expected: unknown) => {
      t.same(await page('newest'), expected, 'from memory')
      t.same(await page(String(9e15)), expected, 'from the database')
    }
    await react('member', ids[0] as number, SMILE) // Before memory is read.
    await compare([[{ ...SMILE, user_id: 4 }], []])
    await react('owner', ids[0] as number, SMILE)
    await react('owner', ids[1] as number, EXTRA)
    await compare([
      [
        { ...SMILE, user_id: 4 },
        { ...SMILE, user_id: 1 },
      ],
      [{ ...EXTRA, user_id: 1 }],
    ])
    await unreact('member', ids[0] as number, SMILE)
    await compare([[{ ...SMILE, user_id: 1 }], [{ ...EXTRA, user_id: 1 }]])
    const received = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 2 })
    t.same(
      received.messages.map(({ reactions }) => withoutUsers(reactions)),
      await page('newest'),
      'among all that was received',
    )
    const third = await owner.send('hall', 'x', 'three')
    const [emoji] = kinds(1)
    const changes = kinds(12).map((emoji) => react('member', third, emoji))
    await Promise.all([...changes, page('newest'), page('newest', member)])
    await react('owner', third, emoji as Fields)
    t.same(await page('newest'), await page(String(9e15)))
  },
)

t.test('[REACT13] deleting a message deletes its reactions', async (t) => {
  const id = await owner.send('town', 'doomed', 'hello')
  const kept = await owner.send('town', 'kept', 'hello')
  await react('member', id, SMILE)
  await react('member', kept, SMILE)
  await owner.sendDirect([4, 5, 6], 'the newest of all')
  await expectConsistent(server, async () => {
    await owner.must('POST', '/streams/1/delete_topic', { topic_name: 'doomed' })
  })
  expectRefusal(t, await react('owner', id, SMILE), 'Invalid message(s)')
  const { sql } = server.node.services
  t.same(await sql`select user_id from reactions where message_id = ${id}`, [])
  t.same(await reactionsOf(kept), [{ ...SMILE, user_id: 4 }])
})

t.test('[REACT14] a reaction decided on stale state is refused when it is stored', async (t) => {
  const { sql } = server.node.services
  const id = await owner.send('town', 'x', 'hello')
  const reaction = (more: object) =>
    ({
      type: 'reaction/add',
      messageId: id as MessageId,
      channelId: 1,
      emojiName: 'smile',
      emojiCode: '1f642',
      reactionType: 'unicode_emoji',
      userId: 1 as UserId,
      ...more,
    }) as Parameters<typeof storeReaction>[2]
  const store = (more = {}) =>
    writeAlone(sql, (writes) => storeReaction(writes, 1 as EventId, reaction(more)))
  const remove = (more = {}) => writeAlone(sql, (writes) => removeReaction(writes, reaction(more)))
  await t.rejects(store({ messageId: 2 ** 40 }), StaleReactionError, 'the message is deleted')
  await t.rejects(store({ channelId: 2 }), StaleReactionError, 'the message has moved')
  await t.rejects(store({ channelId: null }), StaleReactionError)
  await t.rejects(remove(), StaleReactionError, 'the reaction is removed')
  await react('owner', id, SMILE)
  await t.rejects(store(), StaleReactionError, 'the reaction is there')
  await t.rejects(remove({ channelId: 2 }), StaleReactionError)
  for (const emoji of kinds(19)) await react('owner', id, emoji)
  await t.rejects(store({ emojiCode: '1f44d', emojiName: '+1' }), StaleReactionError, 'there is no room')
  t.equal((await reactionsOf(id)).length, 20)
})

t.test(
  '[REACT15] a client that reconnects late, and another process, get reactions from the log',
  async (t) => {
    const server = await startTestServer(t, { redis: true })
    const owner = server.as('owner')
    await owner.subscribe(['town'], { principals: [1, 4, 5] })
    const there = await server.startAnotherNode()
    const id = await owner.send('town', 'x', 'hello')
    const queues = await Promise.all(
      (['member', 'member2'] as const).map((person) =>
        server.as(person).register({ event_types: ['reaction'], fetch_event_types: [] }),
      ),
    )
    await owner.must('POST', `/messages/${id}/reactions`, SMILE)
    await owner.must('DELETE', `/messages/${id}/reactions`, SMILE)
    await server.as('member2').must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
    await owner.must('POST', `/messages/${id}/reactions`, EXTRA)
    // A new process knows the past only from the log.
    const late = await server.startAnotherNode()
    const [member, member2] = await Promise.all([
      late.as('member').events(queues[0] as Queue),
      late.as('member2').events(queues[1] as Queue),
    ])
    const both = [event('add', id, 1, SMILE), event('remove', id, 1, SMILE)]
    t.same(withoutIds(member), [...both, event('add', id, 1, EXTRA)])
    t.same(withoutIds(member2), both)
    const page = { anchor: 'newest', num_before: 1, narrow: [['channel', 'town']] }
    for (const node of [server, there, late]) {
      const { messages } = await node.as('member').must('GET', '/messages', page)
      t.same(withoutUsers(messages[0].reactions), [{ ...EXTRA, user_id: 1 }])
    }
  },
)

t.test('[REACT16] a new message is sent without reactions', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  await owner.send('town', 'x', 'hello')
  const [sent] = await member.events(queue)
  t.same(sent.message.reactions, [])
})

t.test('[REACT17] reactions in messages have user objects, from memory and from the database', async (t) => {
  await owner.subscribe(['porch'], { principals: [1, 4] })
  const id = await owner.send('porch', 'x', 'hello')
  await react('member', id, SMILE)
  const page = async (anchor: string | number) =>
    (await owner.must('GET', '/messages', { anchor, num_before: 1, narrow: [['channel', 'porch']] }))
      .messages[0].reactions
  const compare = async (profile: object) => {
    const expected = [{ ...SMILE, user_id: 4, user: { id: 4, ...profile } }]
    t.same(await page('newest'), expected, 'from memory')
    t.same(await page(9e15), expected, 'from the database')
    t.same((await owner.must('GET', `/messages/${id}`)).message.reactions, expected, 'alone')
  }
  await compare(profileOf(4))
  await owner.must('PATCH', '/users/4', { full_name: 'A new name' })
  await compare({ ...profileOf(4), full_name: 'A new name' })
  await member.must('PATCH', '/settings', { email_address_visibility: 5 })
  const { email } = (await owner.must('GET', '/users/4')).user
  t.not(email, member.email)
  await compare({ ...profileOf(4), full_name: 'A new name', email })
  await member.must('PATCH', '/settings', { email_address_visibility: 1 })
  await owner.must('PATCH', '/users/4', { full_name: 'The member' })
})

t.test('[REACT18] a reader who cannot see a user gets their id and placeholder data', async (t) => {
  await owner.subscribe(['yard'], { principals: [1, 6] })
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 5 } })
  const id = await owner.send('yard', 'x', 'hello')
  const guest = server.as('guest')
  const types = { event_types: ['reaction'], fetch_event_types: [] }
  const queues = [await guest.register(types), await owner.register(types)] as const
  await react('administrator', id, SMILE)
  await react('owner', id, SMILE)
  const unknown = {
    email: 'user2@127.0.0.1',
    full_name: 'Unknown user',
    is_mirror_dummy: false,
  }
  const users = async (client: Client, queue: (typeof queues)[number]) => {
    const users = (await client.events(queue)).map(({ user }) => user)
    const page = { anchor: 'newest', num_before: 1, narrow: [['channel', 'yard']] }
    const inPage = (await client.must('GET', '/messages', page)).messages[0].reactions
    const alone = (await client.must('GET', `/messages/${id}`)).message.reactions
    t.same(alone, inPage)
    return { sent: users, held: inPage.map(({ user }) => user) }
  }
  // Another guest can see a user that this one cannot.
  const knowing = await addUser(server, 'knowing', { role: 'guest' })
  await owner.subscribe(['yard'], { principals: [knowing.userId] })
  await owner.subscribe(['office'], { principals: [2, knowing.userId] })
  const page = { anchor: 'newest', num_before: 1, narrow: [['channel', 'yard']] }
  const seen = (await knowing.must('GET', '/messages', page)).messages[0].reactions
  t.same(seen[0].user, { id: 2, ...profileOf(2) })
  // The page of the owner comes first: an encoding for one reader must not reach another.
  const ownerUsers = await users(owner, queues[1])
  t.same(ownerUsers, {
    sent: [
      { user_id: 2, ...profileOf(2) },
      { user_id: 1, ...profileOf(1) },
    ],
    held: [
      { id: 2, ...profileOf(2) },
      { id: 1, ...profileOf(1) },
    ],
  })
  t.same(await users(guest, queues[0]), {
    sent: [
      { user_id: 2, ...unknown },
      { user_id: 1, ...profileOf(1) },
    ],
    held: [
      { id: 2, ...unknown },
      { id: 1, ...profileOf(1) },
    ],
  })
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 6 } })
})

t.test('[REACT19] with CLIENT_ALIASES=off reactions have only the ids of their users', async (t) => {
  const server = await startTestServer(t, { env: { CLIENT_ALIASES: 'off' } })
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  const id = await owner.send('town', 'x', 'hello')
  const events = await expectConsistent(server, async () => {
    await owner.must('POST', `/messages/${id}/reactions`, SMILE)
    const page = { anchor: 'newest', num_before: 1, narrow: [['channel', 'town']] }
    for (const { reactions } of [
      (await owner.must('GET', '/messages', page)).messages[0],
      (await owner.must('GET', `/messages/${id}`)).message,
    ]) {
      t.same(reactions, [{ ...SMILE, user_id: 1 }])
    }
    await owner.must('DELETE', `/messages/${id}/reactions`, SMILE)
  })
  t.same(
    withoutIds(events.owner).map((one) => [one.op, one.user_id, one.user]),
    [
      ['add', 1, undefined],
      ['remove', 1, undefined],
    ],
  )
})

t.test(
  '[REACT20] an old reaction whose name now means another emoji is shown, joined and removed',
  async (t) => {
    const id = await owner.send('town', 'x', 'hello')
    const old = { emoji_name: 'x', emoji_code: '274c', reaction_type: 'unicode_emoji' }
    for (const userId of [1, 4] as UserId[]) {
      await server.node.services.committer.submit({
        kind: 'structure',
        decide: ({ rights }) => ({
          events: [
            {
              event: {
                type: 'reaction/add',
                messageId: id as MessageId,
                channelId: 1 as ChannelId,
                userId,
                emojiName: 'x',
                emojiCode: '274c',
                reactionType: 'unicode_emoji',
              },
              audience: { kind: 'users', users: rights.activeUsers },
            },
          ],
          reply: () => undefined,
        }),
      })
    }
    t.same((await react('guest', id, old)).body, done)
    const all = [1, 4, 6].map((user_id) => ({ ...old, user_id }))
    t.same(await reactionsOf(id), all)
    t.same((await unreact('owner', id, { emoji_name: 'x' })).body, done)
    t.same((await unreact('member', id, old)).body, done)
    t.same((await unreact('guest', id, { emoji_name: 'cross_mark' })).body, done)
    t.same(await reactionsOf(id), [])
    expectRefusal(t, await react('owner', id, old), 'Invalid emoji name.')
  },
)
