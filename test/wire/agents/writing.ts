/** Agents write: with marks, with entries of the audit log, and as far as they may. */

import type { Test } from 'tap'
import { cleanUp } from '../../../workers/jobs/upkeep/clean-up.ts'
import { callTool, connectAgent } from '../../harness/client/agent.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { type AgentWorld, READING, namesOf } from './agent-world.ts'

export async function markWrites(t: Test, world: AgentWorld): Promise<void> {
  const { url, owner, member, bot, GENERAL, HELLO, makeKey } = world
  const key = await makeKey(member, 'messages')
  const { keys } = await member.must('GET', '/users/me/keys')
  const keyId = keys.at(-1)?.id
  const queue = await owner.register({ event_types: ['message', 'reaction'] })
  const agent = await connectAgent(t, url, key, 'modern')
  t.same(await namesOf(agent), [...READING, 'send_message', 'add_reaction', 'save_draft'])
  const { tools } = await agent.listTools()
  t.match(
    tools.slice(READING.length).map(({ annotations }) => annotations),
    [false, true, false].map((idempotentHint) => ({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint,
    })),
  )
  const sent = await callTool(agent, 'send_message', {
    channel: 'general',
    topic: 'greetings',
    content: 'Sent by an **agent**',
  })
  const { message_id: id } = sent.value as { message_id: number }
  const direct = await callTool(agent, 'send_message', { people: ['owner@example.com'], content: 'Directly' })
  const { message_id: directId } = direct.value as { message_id: number }
  const reacted = await callTool(agent, 'add_reaction', { message_id: HELLO, emoji: ':tada:' })
  t.same(reacted.value, { message_id: HELLO })
  const draft = await callTool(agent, 'save_draft', {
    channel: GENERAL,
    topic: 'later',
    content: 'Not yet',
  })
  const { draft_id: draftId } = draft.value as { draft_id: number }
  t.match(await owner.events(queue), [
    { type: 'message', message: { id, client: 'MCP', sender_id: member.userId } },
    { type: 'message', message: { client: 'MCP', content: 'Directly' } },
    { type: 'reaction', message_id: HELLO, emoji_name: 'tada', user_id: member.userId },
  ])
  const read = await callTool(agent, 'read_conversation', {
    channel: 'general',
    topic: 'greetings',
    limit: 1,
  })
  t.match(read.value, { messages: [{ id, sent_by_agent: true, content: 'Sent by an **agent**' }] })
  const own = await member.must('GET', '/messages', { message_ids: [id] })
  t.match(own.messages, [{ id, flags: [] }], 'its person has not read it')
  t.match((await member.must('GET', '/drafts')).drafts, [{ id: draftId, content: 'Not yet', topic: 'later' }])
  const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })
  const details = {
    by: member.userId,
    user_id: member.userId,
    key_id: keyId,
    program: 'test-agent',
    stream_id: null,
    message_id: null,
    draft_id: null,
    emoji_name: null,
  }
  const expected = [
    { ...details, wrote: 'draft', draft_id: draftId },
    { ...details, wrote: 'reaction', stream_id: GENERAL, message_id: HELLO, emoji_name: 'tada' },
    { ...details, wrote: 'message', message_id: directId },
    { ...details, wrote: 'message', stream_id: GENERAL, message_id: id },
  ]
  t.same(
    entries.map((entry) => ({ by: entry.acting_user_id, ...entry.details })),
    expected,
  )
  const robot = await connectAgent(t, url, bot.key, 'earlier')
  const byBot = await callTool(robot, 'send_message', { channel: 'general', topic: 't', content: 'c' })
  t.equal(byBot.isError, false)
  const newest = await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })
  t.match(newest.entries[0], { details: { user_id: bot.userId, key_id: null, program: 'node' } })
}

export async function auditInOtherOrder(t: Test, world: AgentWorld): Promise<void> {
  const { clock, server, url, owner, member, makeKey } = world
  const { sql } = server.node.services
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 5 } })
  const stranger = await addUser(server, 'stranger', { role: 'guest' })
  const queue = await stranger.register({ event_types: ['realm_user', 'message'] })
  const agent = await connectAgent(t, url, await makeKey(member, 'messages'))
  const sent = await callTool(agent, 'send_message', { people: [stranger.userId], content: 'Welcome' })
  const { message_id: id } = sent.value as { message_id: number }
  const events = await stranger.events(queue)
  t.match(events, [
    { type: 'realm_user', op: 'add', person: { user_id: member.userId } },
    { type: 'message', message: { id, content: 'Welcome' } },
  ])
  t.ok(events[0] && events[0].id < id, 'the sender becomes known by an event before the message')
  const read = async () => (await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })).entries
  const [entry, ...earlier] = await read()
  t.match(entry, { details: { wrote: 'message', message_id: id, stream_id: null } })
  await sql`update event_log set logged_at = logged_at - interval '9 days'`
  for (const sender of [owner, member]) {
    clock.leap(60_000)
    await Promise.all(Array.from({ length: 50 }, () => sender.sendDirect([1], 'later')))
  }
  await cleanUp(sql, new Date())
  t.same(await sql`select from event_log where id = ${entry?.id ?? 0}`, [], 'it left the log')
  const withoutTime = (one: typeof entry) => ({ ...one, timestamp: 0 })
  t.same((await read()).map(withoutTime), [entry, ...earlier].map(withoutTime))
  await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: 6 } })
}

export async function checkWriting(t: Test, world: AgentWorld): Promise<void> {
  const { url, owner, member, GENERAL, HIDDEN, HELLO, SECRET, makeKey } = world
  const sends = ['send_message', { channel: 'general', topic: 't', content: 'never' }] as const
  const reacts = ['add_reaction', { message_id: HELLO, emoji: 'eyes' }] as const
  const drafts = ['save_draft', { channel: 'general', topic: 't', content: 'never' }] as const
  const written = async () => {
    const { messages } = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1 })
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })
    return [messages.at(-1)?.id, entries.length]
  }
  const elsewhere = await owner.sendDirect([member.userId], 'not in the channel')
  const before = await written()
  for (const [key, text] of [
    [member.key, /^With the API key of a person an agent only reads\./],
    [await makeKey(member, 'read'), 'This key is not for this request.'],
  ] as const) {
    const agent = await connectAgent(t, url, key)
    for (const [name, args] of [sends, reacts, drafts])
      t.match(await callTool(agent, name, args), { isError: true, text })
  }
  const one = await connectAgent(t, url, await makeKey(member, 'channel', { stream_id: GENERAL }))
  t.same(await namesOf(one), [...READING.slice(0, 4), 'send_message', 'add_reaction'])
  const reaction = await callTool(one, 'add_reaction', { message_id: elsewhere, emoji: 'eyes' })
  t.match(reaction, { isError: true, text: 'Invalid message(s)' })
  for (const [name, args] of [
    drafts,
    ['send_message', { channel: 'other', topic: 't', content: 'never' }],
    ['send_message', { channel: HIDDEN, topic: 't', content: 'never' }],
    ['send_message', { people: [1], content: 'never' }],
  ] as const)
    t.match(await callTool(one, name, args), { isError: true, text: 'This key is not for this request.' })
  const agent = await connectAgent(t, url, await makeKey(member, 'messages'))
  for (const [name, args, text] of [
    ['send_message', { channel: 'hidden', topic: 't', content: 'c' }, "Invalid channel name 'hidden'"],
    [
      'send_message',
      { channel: HIDDEN, topic: 't', content: 'c' },
      `Channel with ID '${HIDDEN}' does not exist`,
    ],
    ['send_message', { channel: 9999, topic: 't', content: 'c' }, "Channel with ID '9999' does not exist"],
    ['send_message', { channel: 'general', content: 'c' }, 'Name a topic of the channel.'],
    ['send_message', { content: 'c' }, 'Name a channel or people.'],
    ['send_message', { people: [1], topic: 't', content: 'c' }, 'Name either a channel or people.'],
    ['send_message', { people: [1] }, "Missing 'content' argument"],
    ['send_message', { people: [1], content: ' ' }, 'Message must not be empty'],
    [
      'send_message',
      { people: [1], content: 'c'.repeat(10_001) },
      'content is too long (limit: 10000 characters)',
    ],
    [
      'send_message',
      { channel: 'general', topic: 't'.repeat(61), content: 'c' },
      'topic is too long (limit: 60 characters)',
    ],
    ['add_reaction', { message_id: SECRET, emoji: 'eyes' }, 'Invalid message(s)'],
    ['add_reaction', { message_id: 999_999, emoji: 'eyes' }, 'Invalid message(s)'],
    ['add_reaction', { message_id: HELLO, emoji: 'no such emoji' }, "Emoji 'no such emoji' does not exist"],
    ['save_draft', { channel: HIDDEN, topic: 't', content: 'c' }, 'Invalid channel ID'],
  ] as const)
    t.match(await callTool(agent, name, args), { isError: true, text }, JSON.stringify(args).slice(0, 80))
  t.same(await written(), before, 'nothing was sent, and nothing is in the audit log')
  const longest = await callTool(agent, 'send_message', { people: [1], content: 'c'.repeat(10_000) })
  t.equal(longest.isError, false)
}
