/** Messages for clients of any age: the empty topic, and the fields that each client reads. */

import t from 'tap'
import { isNameOfEmoji } from '../../../workers/pool/emoji/emoji-table.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { Named, WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['town', 'square'], { principals: [1, 4] })
const town = channelIdOf(server, 'town')
const square = channelIdOf(server, 'square')

t.test('[AUDIT1] the empty topic has an empty name, or a display name for older clients', async (t) => {
  const capabilities = {
    empty_topic_name: true,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
  }
  const modern = await member.register({ client_capabilities: capabilities })
  const legacy = await member.register()
  const [first, second, third] = [
    await owner.send('town', '', 'a'),
    await owner.send('town', '(no topic)', 'b @**all**'),
    await owner.send('town', 'general chat', 'c'),
  ]
  const quiet = { send_notification_to_new_thread: false }
  await owner.must('POST', '/typing', {
    op: 'start',
    type: 'stream',
    stream_id: town,
    topic: 'general chat',
  })
  await owner.must('POST', `/messages/${first}/typing`, { op: 'start' })
  await member.must('POST', '/user_topics', { stream_id: town, topic: '(no topic)', visibility_policy: 1 })
  await member.must('POST', '/messages/flags', { messages: [first, second], op: 'add', flag: 'read' })
  await member.must('POST', '/messages/flags', { messages: [first, second], op: 'remove', flag: 'read' })
  await owner.must('PATCH', `/messages/${first}`, { topic: 'named', ...quiet })
  await owner.must('PATCH', `/messages/${first}`, { topic: 'general chat', content: 'aa', ...quiet })
  await owner.must('PATCH', `/messages/${first}`, { stream_id: square, ...quiet })
  await owner.must('DELETE', `/messages/${third}`)
  const received = {
    modern: await member.events(modern),
    legacy: await member.events(legacy),
  }
  const kinds = new Map(
    Object.entries(received).map(([who, events]) => [who, new Set(events.map(({ type }) => type))]),
  )
  const always = [
    'message',
    'user_topic',
    'update_message_flags',
    'update_message',
    'delete_message',
  ] as const
  for (const type of always) t.ok(kinds.get('modern')?.has(type) && kinds.get('legacy')?.has(type), type)
  for (const type of ['typing', 'typing_edit_message'] as const) {
    t.ok(kinds.get('modern')?.has(type))
    t.notOk(kinds.get('legacy')?.has(type), `${type} in channels is news to the older ones`)
  }
  // Except for the list of muted topics, which is the older form itself.
  const text = (events: readonly WireEvent[]) =>
    JSON.stringify(events.filter(({ type }) => type !== 'muted_topics'))
  t.notMatch(text(received.modern), /general chat/)
  t.notMatch(text(received.legacy), /"(?:topic|topic_name|subject|orig_subject)":""/)
  t.match(
    received.modern.filter(({ type }) => type === 'delete_message'),
    [{ message_type: 'stream', stream_id: town, topic: '', message_ids: [third] }],
  )
  t.match(
    received.legacy.filter(({ type }) => type === 'delete_message'),
    [{ message_type: 'stream', stream_id: town, topic: 'general chat', message_id: third }],
  )

  const paths: [path: string, fields: object][] = [
    [`/messages/${first}`, {}],
    [`/messages/${first}/history`, {}],
    [`/users/me/${town}/topics`, {}],
    ['/messages', { anchor: 'newest', num_before: 3, narrow: [['topic', 'general chat']] }],
    ['/messages/matches_narrow', { msg_ids: [second], narrow: [['topic', '(no topic)']] }],
  ]
  for (const [path, fields] of paths) {
    const empty = /"(?:topic|prev_topic|subject|name|match_subject)":""/
    const old = JSON.stringify(await member.must('GET', path, { ...fields }))
    t.match(old, /general chat/, path)
    t.notMatch(old, empty, path)
    const now = JSON.stringify(await member.must('GET', path, { ...fields, allow_empty_topic_name: true }))
    t.match(now, empty, path)
    t.notMatch(now, /general chat/, path)
  }
})

t.test('[AUDIT2] the terminal client finds the fields of messages that it reads', async (t) => {
  await owner.send('town', 'tea', '/me waves to @**The member**')
  await owner.sendDirect([4], 'hello')
  const fields = { anchor: 0, use_first_unread_anchor: true, num_before: 30, num_after: 10, narrow: '[]' }
  const { messages, anchor } = await member.must('GET', '/messages', fields)
  t.type(anchor, 'number')
  const reads = [
    'id',
    'type',
    'display_recipient',
    'subject',
    'sender_id',
    'sender_email',
    'sender_full_name',
  ]
  const also = ['timestamp', 'content', 'flags', 'reactions', 'is_me_message']
  for (const one of messages) {
    for (const field of [...reads, ...also]) t.ok(field in one, field)
    t.equal('stream_id' in one, one.type === 'stream')
  }
  const { unread_msgs: unread } = (
    await member.register({ fetch_event_types: ['message', 'update_message_flags'] })
  ).state
  t.match(unread.pms, [{ sender_id: 1, unread_message_ids: [Number] }])
  t.match(unread.streams[0], { stream_id: Number, topic: String, unread_message_ids: [Number] })
  t.equal(unread.mentions.length, 2)
})

t.test('[AUDIT3] the mobile app finds the fields that it starts with, and the accepted emoji', async (t) => {
  const { state } = await member.register()
  const needs = [
    ['alert_words', 'zulip_merge_base', 'zulip_feature_level', 'max_stream_name_length', 'max_topic_length'],
    ['server_presence_ping_interval_seconds', 'server_presence_offline_threshold_seconds', 'muted_users'],
    [
      'recent_private_conversations',
      'streams',
      'user_status',
      'user_topics',
      'realm_wildcard_mention_policy',
    ],
    [
      'realm_waiting_period_threshold',
      'realm_enable_read_receipts',
      'realm_icon_url',
      'realm_presence_disabled',
    ],
    ['realm_default_external_accounts', 'max_file_upload_size_mib', 'server_emoji_data_url'],
    ['event_queue_longpoll_timeout_seconds', 'realm_non_active_users'],
  ].flat()
  for (const field of needs) {
    const value = (state as Named)[field]
    t.ok(value !== undefined && value !== null, field)
  }
  const response = await fetch(state.server_emoji_data_url)
  const { code_to_names: names } = (await response.json()) as { code_to_names: Record<string, string[]> }
  t.match(names, { '1f642': ['smile'], '1f44d': ['+1', 'thumbs_up'] })
  const wrong = Object.entries(names).filter(
    ([code, own]) => own.length === 0 || !own.every((name) => isNameOfEmoji(name, code)),
  )
  t.same(wrong, [])
})
