import { createHash } from 'node:crypto'
import t from 'tap'
import { storeMessageUpdate } from '../../../db/messages/message-edits.ts'
import type { LogEvent } from '../../../server/domain/events.ts'
import type { MessagesUpdated } from '../../../server/domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../../server/domain/ids.ts'
import type { OrganizationSettings } from '../../../server/domain/organization/organization-settings.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { writeAlone } from '../../harness/worlds/write-alone.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
const TOWN = 1

const edit = (person: Person, id: number, fields: Fields) =>
  server.as(person).patch(`/messages/${id}`, fields)
const get = async (id: number, client: Client = owner, fields: Fields = {}) =>
  (await client.must('GET', `/messages/${id}`, fields)).message
const set = (settings: Partial<OrganizationSettings>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { settings } }])
const age = (id: number, seconds: number) =>
  server.node.services.sql`update messages set sent_at = sent_at - ${seconds} where id = ${id}`
const sha = (text: string) => createHash('sha256').update(text).digest('hex')
const done = { result: 'success', msg: '', detached_uploads: [] }

t.test(
  '[EDIT1] an edit changes the text, reaches the subscribers and is stored in the history',
  async (t) => {
    const id = await owner.send('town', 'tea', '**one**')
    const events = await expectConsistent(server, async () => {
      t.same((await edit('owner', id, { content: '/me *two*\n' })).body, done)
    })
    const event = (flags: string[]) => ({
      type: 'update_message',
      user_id: 1,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags,
      stream_id: TOWN,
      stream_name: 'town',
      orig_content: '**one**',
      orig_rendered_content: '<p><strong>one</strong></p>',
      content: '/me *two*',
      rendered_content: '<p>/me <em>two</em></p>',
      is_me_message: true,
    })
    const [own] = events.owner
    const time = own.edit_timestamp
    t.ok(Math.abs(time - Date.now() / 1000) < 100)
    t.same(withoutIds(events.owner), [{ ...event([]), edit_timestamp: time }])
    t.same(withoutIds(events.member), [{ ...event([]), edit_timestamp: time }])
    t.same(withoutIds(events.guest), [{ ...event([]), edit_timestamp: time }])
    t.same(events.member2, [])
    const message = await get(id, member)
    t.match(message, {
      content: '<p>/me <em>two</em></p>',
      is_me_message: true,
      last_edit_timestamp: time,
      edit_history: [
        {
          user_id: 1,
          timestamp: time,
          prev_content: '**one**',
          prev_rendered_content: '<p><strong>one</strong></p>',
        },
      ],
    })
    t.notOk('last_moved_timestamp' in message)
    t.equal(Object.keys(message.edit_history[0]).length, 4)
  },
)

t.test(
  '[EDIT2] the newest edit is listed first, and an edit that changes nothing is not listed',
  async (t) => {
    const id = await owner.send('town', 'tea', 'one')
    await edit('owner', id, { content: 'two' })
    await edit('owner', id, { content: 'three' })
    const events = await expectConsistent(server, async () => {
      t.same((await edit('owner', id, { content: 'three' })).body, done)
    })
    t.same(events, { owner: [], member: [], member2: [], guest: [] })
    const { edit_history } = await get(id)
    t.same(
      edit_history.map(({ prev_content }) => prev_content),
      ['two', 'one'],
    )
    await edit('owner', id, { content: '  ' })
    t.equal((await get(id)).content, '<p>(deleted)</p>')
  },
)

t.test('[EDIT3] pages from memory and from the tables show the edited text', async (t) => {
  const id = await owner.send('town', 'memory', 'one')
  const page = async (fields: Fields) => {
    const { messages } = await member.must('GET', '/messages', {
      narrow: [
        ['channel', 'town'],
        ['topic', 'memory'],
      ],
      ...fields,
    })
    return messages.map((one) => ({ ...one, flags: undefined }))
  }
  const newest = () => page({ anchor: 'newest', num_before: 5 })
  t.equal((await newest())[0].content, '<p>one</p>')
  await edit('owner', id, { content: 'two' })
  await edit('owner', id, { content: 'three', topic: 'Memory!' })
  await edit('owner', id, { topic: 'memory' })
  const recent = await newest()
  t.equal(recent[0].edit_history.length, 3)
  t.same(recent, await page({ anchor: id, num_after: 5 }))
  await set({ editHistoryVisibility: 'moves' })
  const moves = await newest()
  t.same(moves, await page({ anchor: id, num_after: 5 }))
  t.match(moves[0].edit_history, [
    { prev_topic: 'Memory!', topic: 'memory' },
    { prev_topic: 'memory', topic: 'Memory!' },
  ])
  t.notMatch(JSON.stringify(moves), /prev_content/)
  await set({ editHistoryVisibility: 'none' })
  const [none] = await newest()
  t.notOk('edit_history' in none)
  t.type(none.last_edit_timestamp, 'number')
  await set({ editHistoryVisibility: 'all' })
})

t.test('[EDIT4] only its sender edits a message, within the time limit of the organization', async (t) => {
  const id = await member.send('town', 'tea', 'one')
  for (const person of ['owner', 'moderator', 'member2', 'guest', 'bot'] as const) {
    expectRefusal(
      t,
      await edit(person, id, { content: 'x' }),
      "You don't have permission to edit this message",
    )
  }
  await age(id, 590)
  t.equal((await edit('member', id, { content: 'two' })).status, 200)
  await age(id, 30)
  const late = 'The time limit for editing this message has passed'
  expectRefusal(t, await edit('member', id, { content: 'x' }), late)
  await set({ contentEditLimitSeconds: null })
  t.equal((await edit('member', id, { content: 'three' })).status, 200)
  await set({ allowsEditing: false })
  const disabled = 'Your organization has turned off message editing'
  expectRefusal(t, await edit('member', id, { content: 'x' }), disabled)
  await set({ allowsEditing: true, contentEditLimitSeconds: 600 })
  t.equal((await get(id)).content, '<p>three</p>')
  await age(id, -620) // The server counts messages by day, and it may be just after midnight.
  await member.send('town', 'tea', 'the newest of the channel') // Its time is changed in the database, behind the server.
})

t.test('[EDIT5] a message that is unreadable or in an archived channel looks absent', async (t) => {
  await member.subscribe(['secret'], { invite_only: true })
  const hidden = await member.send('secret', 'x', 'hello')
  await owner.subscribe(['old'])
  const archived = await owner.send('old', 'x', 'hello')
  await setUpChannel(server, 'old', { kind: 'archived', isArchived: true })
  const direct = await member.sendDirect([5], 'hello')
  for (const id of [hidden, archived, direct, 0, 10 ** 15 - 1]) {
    for (const fields of [{ content: 'x' }, { topic: 'y' }, { stream_id: TOWN }, {}]) {
      expectRefusal(t, await edit('owner', id, fields), 'Invalid message(s)')
    }
  }
})

t.test('[EDIT6] direct messages can be edited, but not moved', async (t) => {
  const id = await owner.sendDirect([4], 'hello')
  const events = await expectConsistent(server, async () => {
    t.same((await edit('owner', id, { content: 'bye' })).body, done)
  })
  const [event] = withoutIds(events.member)
  t.match(event, { type: 'update_message', message_id: id, flags: [], content: 'bye' })
  t.notOk('stream_id' in event || 'stream_name' in event || 'orig_subject' in event)
  t.equal(events.owner?.length, 1)
  t.same([events.member2, events.guest], [[], []])
  expectRefusal(t, await edit('owner', id, { topic: 'x' }), 'Direct messages cannot have topics.')
  expectRefusal(t, await edit('owner', id, { stream_id: 1 }), 'Direct messages cannot be moved to channels.')
})

t.test('[EDIT7] edits that contradict themselves or change nothing are refused', async (t) => {
  const id = await owner.send('town', 'tea', 'hello')
  expectRefusal(t, await edit('owner', id, {}), 'Nothing to change')
  expectRefusal(t, await edit('owner', id, { topic: 'tea', stream_id: TOWN }), 'Nothing to change')
  await owner.subscribe(['elsewhere'])
  const both = 'Cannot change message content while changing channel'
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'elsewhere' })
  expectRefusal(t, await edit('owner', id, { content: 'x', stream_id }), both)
  const widely = { content: 'x', propagate_mode: 'change_all' }
  expectRefusal(t, await edit('owner', id, widely), 'Invalid propagate_mode without topic edit')
  expectRefusal(t, await edit('owner', id, { content: 'x', propagate_mode: 'all' }), 'Invalid propagate_mode')
  const long = 'content is too long (limit: 10000 characters)'
  expectRefusal(t, await edit('owner', id, { content: 'x'.repeat(10_001) }), long)
  t.equal((await edit('owner', id, { content: 'x'.repeat(10_000) })).status, 200)
  expectRefusal(
    t,
    await edit('owner', id, { topic: 'x'.repeat(61) }),
    'topic is too long (limit: 60 characters)',
  )
})

t.test('[EDIT8] an edit with the hash of another text is refused', async (t) => {
  const id = await owner.send('town', 'tea', 'hello')
  t.equal((await edit('owner', id, { content: 'two', prev_content_sha256: sha('hello') })).status, 200)
  expectRefusal(
    t,
    await edit('owner', id, { content: 'three', prev_content_sha256: sha('hello') }),
    "'prev_content_sha256' value does not match the expected value.",
    { code: 'EXPECTATION_MISMATCH' },
  )
  t.equal((await get(id)).content, '<p>two</p>')
})

t.test('[EDIT9] mentions follow the new text, and each recipient gets their own flags', async (t) => {
  const id = await owner.send('town', 'tea', 'hello')
  const events = await expectConsistent(server, async () => {
    await edit('owner', id, { content: 'hello @**The member|4**' })
  })
  t.match(events.member, [{ type: 'update_message', flags: ['mentioned'] }])
  t.match(events.guest, [{ type: 'update_message', flags: [] }])
  t.same((await get(id, member)).flags, ['mentioned'])
  await member.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await member.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  const again = await expectConsistent(server, async () => {
    await edit('owner', id, { content: 'hello @**all**' })
  })
  t.same(again.member?.[0].flags, ['read', 'starred', 'stream_wildcard_mentioned', 'wildcard_mentioned'])
  t.same((await get(id, member)).flags, again.member?.[0].flags)
  await expectConsistent(server, () => edit('owner', id, { content: 'hello' }))
  t.same((await get(id, member)).flags, ['read', 'starred'])
})

t.test('[EDIT15] an edit does not mention users who subscribed after the message', async (t) => {
  await owner.subscribe(['late'], { principals: [1, 4] })
  const id = await owner.send('late', 'x', 'hello')
  await owner.subscribe(['late'], { principals: [5] })
  const events = await expectConsistent(server, () =>
    edit('owner', id, { content: '@**all** @**|4** @**|5**' }),
  )
  const wildcards = ['stream_wildcard_mentioned', 'wildcard_mentioned']
  t.same(events.member?.[0].flags, ['mentioned', ...wildcards])
  t.same(events.member2?.[0].flags, ['read', 'historical'])
  t.same((await get(id, server.as('member2'))).flags, ['read', 'historical'], 'equal to the fetched message')
})

t.test('[EDIT10] with protected history, later subscribers get no event of an edit', async (t) => {
  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
  const id = await owner.send('closed', 'x', 'before')
  await owner.subscribe(['closed'], { principals: [5] })
  const events = await expectConsistent(server, () => edit('owner', id, { content: 'after' }))
  t.match(events.member, [{ content: 'after' }])
  t.same(events.member2, [])
  const later = await owner.send('closed', 'x', 'now')
  const both = await expectConsistent(server, async () => {
    const fields = { content: 'last', topic: 'y', propagate_mode: 'change_all' }
    t.equal((await edit('owner', id, { ...fields, send_notification_to_new_thread: false })).status, 200)
  })
  t.match(both.member, [
    { content: 'last', message_ids: [id] },
    { subject: 'y', message_ids: [id, later] },
  ])
  t.equal(both.member2?.length, 1)
  t.notOk('content' in (both.member2?.[0] ?? {}))
  t.match(both.member2, [{ subject: 'y', message_ids: [id, later] }])
})

t.test('[EDIT11] an edit decided on a changed text or place is refused and retried', async (t) => {
  const { sql } = server.node.services
  const id = (await owner.send('town', 'tea', 'now')) as MessageId
  const attempt = (event: Partial<MessagesUpdated>) =>
    writeAlone(sql, (writes) =>
      storeMessageUpdate(writes, (10 ** 9) as EventId, {
        type: 'update_message',
        messageId: id,
        messageIds: [id],
        channelId: TOWN as ChannelId,
        channelName: 'town',
        userId: 1 as UserId,
        editedAt: 1,
        holders: { unread: '', starred: '', collapsed: '' },
        ...event,
      }),
    )
  const content = { previous: 'then', previousRendered: '', content: 'x', rendered: '' }
  const move = { previousTopic: 'coffee', topic: 'x', mode: 'change_one' } as const
  const stale = { name: 'StaleMessageError' }
  await t.rejects(attempt({ content }), stale)
  await t.rejects(attempt({ content: { ...content, previous: 'now' }, channelId: 2 as ChannelId }), stale)
  await t.rejects(attempt({ move }), stale)
  await t.rejects(attempt({ messageIds: [id, (id + 10 ** 6) as MessageId] }), stale)
  const edits = Array.from({ length: 8 }, (_, index) => edit('owner', id, { content: `${index}` }))
  for (const { status } of await Promise.all(edits)) t.equal(status, 200)
  const { edit_history, content: last } = await get(id)
  const said = [last.replace(/<\/?p>/g, ''), ...edit_history.map(({ prev_content }) => prev_content)]
  t.same(new Set(said), new Set(['now', '0', '1', '2', '3', '4', '5', '6', '7']))
  t.equal(said.length, 9)
})

t.test('[EDIT12] the history shows the newest of many edits', async (t) => {
  const id = await owner.send('town', 'tea', 'x'.repeat(10_000))
  for (let index = 0; index < 6; index++) {
    await edit('owner', id, { content: `${index}`.repeat(10_000) })
  }
  await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow: [['channel', 'town']] })
  await edit('owner', id, { content: 'short' })
  const { edit_history } = await get(id)
  t.ok(edit_history.length >= 3 && edit_history.length < 7, `${edit_history.length}`)
  t.equal(edit_history[0].prev_content, '5'.repeat(10_000))
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    narrow: [['channel', 'town']],
  })
  t.equal(messages[0].edit_history.length, edit_history.length)
  const long = await owner.send('town', 'tea', '\u{1f197}'.repeat(2_000)) // Its HTML is longer than the history shows.
  for (const content of ['one', 'two']) await edit('owner', long, { content })
  t.equal((await get(long)).edit_history.length, 1)
  await edit('owner', long, { content: '\u{1f197}'.repeat(2_000) })
  await edit('owner', long, { content: 'three' })
  t.equal((await get(long)).edit_history.length, 1, 'the newest is shown however long it is')
})

t.test('[EDIT13] an edit cannot add a mention that its author may not use', async (t) => {
  const crowd = await addCrowd(server, 16, 1_700_000_000)
  await owner.subscribe(['square'], { principals: [4, ...crowd] })
  await owner.must('POST', '/user_groups/create', {
    name: 'closed',
    description: '',
    members: [1],
    can_mention_group: { direct_members: [1], direct_subgroups: [] },
  })
  const id = await member.send('square', 'many', 'hello')
  const square = server.node.services.state.findChannelByName('square')?.channel.id as ChannelId
  await commitEvents(
    server,
    crowd.map(
      (senderId): LogEvent => ({
        type: 'message',
        channelId: square,
        conversationId: null,
        userIds: null,
        topic: 'many',
        senderId,
        content: 'hi',
        rendered: '<p>hi</p>',
        sentAt: Math.floor(Date.now() / 1000),
        client: 'test',
        readById: null,
        queueId: null,
        localId: null,
      }),
    ),
  )
  const group = "You are not allowed to mention user group 'closed'."
  expectRefusal(t, await edit('member', id, { content: '@*closed*' }), group)
  const all = 'You do not have permission to use channel wildcard mentions in this channel.'
  expectRefusal(t, await edit('member', id, { content: '@**all**' }), all, {
    code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  })
  const topic = 'You do not have permission to use topic wildcard mentions in this topic.'
  expectRefusal(t, await edit('member', id, { content: '@**topic**' }), topic, {
    code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  })
  t.equal((await get(id)).content, '<p>hello</p>')
})

t.test(
  '[EDIT14] polls and to-do lists cannot be edited, and an edit that takes too long to render is refused',
  async (t) => {
    const poll = await owner.send('town', 'tea', '/poll Tea?')
    expectRefusal(t, await edit('owner', poll, { content: 'x' }), 'Widgets cannot be edited.')
    t.equal((await edit('owner', poll, { topic: 'polls' })).status, 200)
    const slow = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
    const id = await slow.as('owner').sendDirect([4], 'x')
    const answer = await slow.as('owner').patch(`/messages/${id}`, { content: '![['.repeat(3_333) })
    expectRefusal(t, answer, 'Unable to render message')
  },
)
