import { findResolution } from '../../../packages/rules/topics.ts'
import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import type { OrganizationPermissions } from '../../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })

const rename = (person: Person, id: number, topic: string) =>
  server.as(person).patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' })
const permit = (permissions: Partial<OrganizationPermissions>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { permissions } }])
const read = async () =>
  (
    await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      narrow: [['channel', 'town']],
      apply_markdown: false,
    })
  ).messages
const ALLOWED = SYSTEM_GROUPS.everyone
const NOBODY = SYSTEM_GROUPS.nobody
const FORBIDDEN = 'You do not have permission to resolve topics in this channel.'

t.test('[RESOLVE1] resolving a topic adds a prefix to its name and a notice to the topic', async (t) => {
  const ids = [await owner.send('town', 'help', 'one'), await owner.send('town', 'help', 'two')]
  const events = await expectConsistent(server, async () => {
    t.equal((await rename('member', ids[0] as number, '✔ help')).status, 200)
  })
  const [update] = events.guest
  t.match(update, { type: 'update_message', message_ids: ids, orig_subject: 'help', subject: '✔ help' })
  const notice = { type: 'message', message: { subject: '✔ help', sender_full_name: 'Notification Bot' } }
  t.match(events.guest?.at(-1), { ...notice, flags: ['read'] })
  t.match(events.member?.at(-1), { type: 'message', flags: ['read'] })
  const messages = await read()
  t.equal(messages.at(-1).content, '@_**The member|4** has marked this topic as resolved.')
  // For readers that is no move.
  t.notOk('last_moved_timestamp' in messages[0])
  t.match(messages[0].edit_history, [{ prev_topic: 'help', topic: '✔ help' }])
  t.equal((await rename('member', ids[0] as number, 'help')).status, 200)
  const after = await read()
  t.equal(after.at(-1).content, '@_**The member|4** has marked this topic as unresolved.')
  t.same([...new Set(after.map(({ subject }) => subject))], ['help'])
  t.notOk('last_moved_timestamp' in after[0])
  t.equal((await rename('member', ids[0] as number, 'other')).status, 200)
  t.type((await read())[0].last_moved_timestamp, 'number')
})

t.test('[RESOLVE2] resolving needs its own permission, of the organization or the channel', async (t) => {
  const id = await owner.send('town', 'problem', 'x')
  await permit({ canResolveTopics: NOBODY })
  for (const person of ['owner', 'member', 'guest'] as const) {
    expectRefusal(t, await rename(person, id, '✔ problem'), FORBIDDEN)
  }
  const setting = { directMembers: [4 as UserId], directSubgroups: [] }
  await setUpChannel(server, 'town', { kind: 'permission', permission: 'canResolveTopics', setting })
  await permit({ canMoveMessagesBetweenTopics: NOBODY })
  expectRefusal(t, await rename('owner', id, '✔ problem'), FORBIDDEN)
  t.equal((await rename('member', id, '✔ problem')).status, 200)
  const moved = "You don't have permission to edit this message"
  expectRefusal(t, await rename('member', id, 'problems'), moved)
  t.equal((await rename('member', id, 'problem')).status, 200)
  await permit({ canResolveTopics: ALLOWED, canMoveMessagesBetweenTopics: ALLOWED })
})

t.test('[RESOLVE3] resolving ignores the time limit and the right to new topics', async (t) => {
  const id = await owner.send('town', 'ancient', 'x')
  await setUpChannel(server, 'town', {
    kind: 'permission',
    permission: 'canCreateTopic',
    setting: NOBODY,
  })
  const forbidden = 'You do not have permission to create new topics in this channel.'
  expectRefusal(t, await rename('member', id, 'modern'), forbidden)
  clock.leap(30 * 86_400_000)
  const late = "The time limit for editing this message's topic has passed."
  expectRefusal(t, await rename('member', id, 'modern'), late)
  t.equal((await rename('member', id, '✔ ancient')).status, 200)
})

t.test('[RESOLVE4] only the exact prefix resolves a topic', async (t) => {
  t.equal(findResolution('x', '✔ x'), 'resolved')
  t.equal(findResolution('✔ x', 'x'), 'unresolved')
  t.equal(findResolution('✔ ✔✔ x', 'x'), 'unresolved')
  t.equal(findResolution('✔ x', '✔ ✔ x'), undefined)
  t.equal(findResolution('x', '✔ y'), undefined)
  t.equal(findResolution('x', '✔x'), undefined)
  t.equal(findResolution('', '✔ '), undefined)
})

t.test('[RESOLVE5] the notice is read unless its reader follows the topic or wants it unread', async (t) => {
  const server = await startTestServer(t, { redis: true })
  const owner = server.as('owner')
  const policy = (person: Person, resolved_topic_notice_auto_read_policy: string) =>
    server.as(person).must('PATCH', '/settings', { resolved_topic_notice_auto_read_policy })
  const follow = (person: Person, topic: string) =>
    server
      .as(person)
      .must('POST', '/user_topics', { stream_id: channelIdOf(server, 'hall'), topic, visibility_policy: 3 })
  await owner.subscribe(['hall'], { principals: [1, 2, 3, 4, 5, 6] })
  const id = await owner.send('hall', 'quiet', 'x')
  // From here on the newest messages of the channel are cached.
  await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow: [['channel', 'hall']] })
  const people = ['owner', 'administrator', 'moderator', 'member2', 'guest'] as const
  for (const person of people) {
    await server.as(person).must('POST', '/mark_all_as_read')
  }
  await policy('administrator', 'never')
  await policy('moderator', 'always')
  for (const person of ['owner', 'moderator'] as const) await follow(person, 'QUIET')
  // One queue gets the events live, another from the log of another process.
  const queues = await Promise.all(
    people.map((person) => server.as(person).register({ event_types: ['message', 'update_message_flags'] })),
  )
  const received = await expectConsistent(server, async () => {
    t.equal((await server.as('member').patch(`/messages/${id}`, { topic: '✔ quiet' })).status, 200)
  })
  t.match(received.owner?.at(-1), { type: 'message', flags: [] })
  t.match(received.member2?.at(-1), { type: 'message', flags: ['read'] })
  const noticeId = received.owner?.at(-1).message.id
  const wanted: Record<string, string[]> = {
    owner: [],
    administrator: [],
    moderator: ['read'],
    member2: ['read'],
    guest: ['read'],
  }
  const another = await server.startAnotherNode()
  for (const [index, person] of people.entries()) {
    const flags = wanted[person]
    const client = server.as(person)
    const events = await another.as(person).events(queues[index] as never)
    t.same(
      events.map((event) => event.flags),
      [flags],
      `${person}: one event, from the log`,
    )
    for (const where of [client, another.as(person)]) {
      for (const narrow of [[['channel', 'hall']], [['is', 'resolved']]]) {
        const page = await where.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow })
        t.match(page.messages, [{ id: noticeId, flags }], `${person}: in a page`)
        t.same(page.messages[0].flags, flags)
      }
    }
    const { unread_msgs } = (
      await client.register({ fetch_event_types: ['message', 'update_message_flags'] })
    ).state
    t.equal(unread_msgs.count, flags?.length === 0 ? 1 : 0, `${person}: in the counts`)
    const unread = await client.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      narrow: [['is', 'unread']],
    })
    t.equal(unread.messages.length, flags?.length === 0 ? 1 : 0)
  }
  // A message that arrived as read can be made unread and read again.
  const flag = (op: string) =>
    server.as('guest').must('POST', '/messages/flags', { messages: [noticeId], op, flag: 'read' })
  const countOf = async () =>
    (await server.as('guest').register({ fetch_event_types: ['message', 'update_message_flags'] })).state
      .unread_msgs.count
  await expectConsistent(server, () => flag('remove'))
  t.equal(await countOf(), 1)
  await expectConsistent(server, () => flag('add'))
  t.equal(await countOf(), 0)
  // Another channel inherits it unchanged.
  await owner.subscribe(['annex'], { principals: [1, 2, 3, 4, 5, 6] })
  await expectConsistent(server, () =>
    owner.must('PATCH', `/messages/${noticeId}`, {
      stream_id: channelIdOf(server, 'annex'),
      send_notification_to_new_thread: false,
    }),
  )
  for (const person of people) {
    const { messages } = await server.as(person).must('GET', '/messages', { message_ids: [noticeId] })
    t.same(messages[0].flags, wanted[person], `${person}: when it has moved`)
  }
  const receipts = await owner.must('GET', `/messages/${noticeId}/read_receipts`)
  t.notOk(receipts.user_ids.includes(2))
  t.ok(receipts.user_ids.includes(5))
})

t.test('[RESOLVE6] the policy has three values, for a user and as the default for new users', async (t) => {
  const fields = { fetch_event_types: ['user_settings', 'realm_user_settings_defaults'] }
  const name = 'resolved_topic_notice_auto_read_policy'
  const state = async () => (await owner.register(fields)).state
  t.equal((await state()).user_settings[name], 'except_followed')
  t.equal((await state()).realm_user_settings_defaults[name], 'except_followed')
  for (const path of ['/settings', '/realm/user_settings_defaults']) {
    for (const value of ['always', 'never', 'except_followed']) {
      t.equal((await owner.patch(path, { [name]: value })).status, 200)
    }
    expectRefusal(t, await owner.patch(path, { [name]: 'sometimes' }), `Invalid ${name}`)
  }
})
