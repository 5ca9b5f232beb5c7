/** Agents read lists, conversations and searches, as far as their keys open them. */

import type { Test } from 'tap'
import { callTool, connectAgent, postAgent, type Mode } from '../../harness/client/agent.ts'
import { type AgentWorld, earlier, READING, namesOf } from './agent-world.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { deactivateUser } from '../../harness/worlds/account-changes.ts'

export async function readByClient(t: Test, world: AgentWorld, mode: Mode): Promise<void> {
  const { url, member, GENERAL, HELLO, ANSWER, DIRECT } = world
  const agent = await connectAgent(t, url, member.key, mode)
  t.match(agent.getServerVersion(), { name: 'parley', title: 'Parley' })
  t.match(agent.getInstructions(), /Test Organization.*You work for The member.*only reads/s)
  const { tools } = await agent.listTools()
  t.same(
    tools.map(({ name }) => name),
    READING,
  )
  for (const { inputSchema, annotations, title, description } of tools) {
    t.match(inputSchema, { type: 'object', additionalProperties: false })
    t.match(annotations, { readOnlyHint: true, destructiveHint: false, openWorldHint: true })
    t.ok(title !== undefined && description !== undefined)
  }
  const found = await callTool(agent, 'search_messages', { query: 'apples' })
  t.match(found.text, /^The JSON below has names and texts that other people/, 'marked as words of others')
  t.match(found.value, {
    messages: [
      {
        id: ANSWER,
        sender: { id: member.userId, name: 'The member' },
        channel: { id: GENERAL, name: 'general' },
        topic: 'greetings',
        content: 'An answer about apples',
      },
      { id: DIRECT, people: [{ name: 'The owner' }, { name: 'The member' }] },
    ],
    has_older: false,
  })
  t.notOk(found.text.includes('secret'), 'not what its person cannot read')
  const read = await callTool(agent, 'read_conversation', { channel: 'general', topic: 'greetings' })
  t.match(read.value, {
    messages: [{ id: HELLO, content: 'Hello **world** from the owner' }, { id: ANSWER }],
  })
  await agent.close()
}

export async function listPlaces(t: Test, world: AgentWorld): Promise<void> {
  const { url, owner, member, GENERAL, HIDDEN, ANSWER } = world
  const agent = await connectAgent(t, url, member.key)
  const channels = await callTool(agent, 'list_channels')
  t.match(channels.value, {
    channels: [{ name: 'general', id: GENERAL, is_private: false }, { name: 'other' }],
    total: 2,
  })
  t.match((await callTool(agent, 'list_channels', { query: 'GEN' })).value, { total: 1 })
  t.match((await callTool(agent, 'list_channels', { subscribed: true, offset: 1, limit: 1 })).value, {
    channels: [{ name: 'other' }],
    total: 2,
  })
  const topics = await callTool(agent, 'list_topics', { channel: 'general', query: null })
  t.match(topics.value, {
    topics: [{ topic: 'fruit' }, { topic: 'greetings', newest_message_id: ANSWER }],
    total: 2,
  })
  const people = await callTool(agent, 'list_people', { query: 'the ow' })
  t.match(people.value, { people: [{ id: owner.userId, name: 'The owner' }], total: 1, you: member.userId })
  t.match(
    (await callTool(agent, 'list_people', { offset: 1, limit: 1 })).value,
    { people: [{ id: 2, name: 'The administrator' }], total: 7 },
    'the part is of people, and the total of all',
  )
  t.match((await callTool(agent, 'list_people', { offset: 7 })).value, { people: [], total: 7 })
  await owner.must('PATCH', '/settings', { email_address_visibility: 5 })
  t.match(
    (await callTool(agent, 'list_people', { query: 'owner@example.com' })).value,
    { people: [], total: 0 },
    'nobody is found by an address that is hidden',
  )
  t.match((await callTool(agent, 'list_people', { query: 'USER1@' })).value, {
    people: [{ id: owner.userId, email: /^user1@/ }],
    total: 1,
  })
  await owner.must('PATCH', '/settings', { email_address_visibility: 1 })
  t.match((await callTool(agent, 'list_people', { query: 'Owner@example' })).value, { total: 1 })
  for (const [name, args, message] of [
    ['list_topics', { channel: 'hidden' }, "Invalid channel name 'hidden'"],
    ['list_topics', { channel: 'nowhere' }, "Invalid channel name 'nowhere'"],
    ['list_topics', { channel: HIDDEN }, 'Invalid channel ID'],
    ['list_topics', { channel: 9999 }, 'Invalid channel ID'],
    ['list_topics', {}, 'Name a channel.'],
    ['list_channels', { limit: 0 }, 'Invalid limit'],
    ['list_channels', { limit: 201 }, 'Invalid limit'],
    ['list_channels', { offset: -1 }, 'Invalid offset'],
    ['list_channels', { limits: 3 }, 'Unknown argument: limits'],
    ['list_people', { query: 'q'.repeat(101) }, 'query is too long (limit: 100 characters)'],
  ] as const) {
    const { isError, text } = await callTool(agent, name, args)
    t.match({ isError, text }, { isError: true, text: message })
  }
}

export async function readPages(t: Test, world: AgentWorld): Promise<void> {
  const { url, owner, member, guest, DIRECT } = world
  const agent = await connectAgent(t, url, member.key)
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push(await owner.send('other', 'long', `message ${n}`))
  const read = async (args: object, tool = 'read_conversation') => {
    const { value } = await callTool(agent, tool, { channel: 'other', topic: 'long', ...args })
    const { messages, ...around } = value as { messages: { id: number }[] }
    return { ids: messages.map(({ id }) => id), ...around }
  }
  const page = (from: number, to: number, has_older: boolean, has_newer: boolean) => ({
    ids: ids.slice(from, to),
    has_older,
    has_newer,
  })
  t.same(await read({ limit: 2 }), page(3, 5, true, false))
  t.same(await read({ limit: 2, before: ids[3] }), page(1, 3, true, true))
  t.same(await read({ limit: 2, after: ids[0] }), page(1, 3, true, true))
  t.same(await read({ limit: 3, around: ids[2] }), page(1, 4, true, true))
  t.same(await read({ limit: 50 }), page(0, 5, false, false))
  t.match(await read({ query: 'message', limit: 1, before: ids[2] }, 'search_messages'), { ids: [ids[1]] })
  await owner.send('other', 'whole', 'x'.repeat(10_000))
  const whole = await callTool(agent, 'read_conversation', { channel: 'other', topic: 'whole' })
  t.match(whole.value, { messages: [{ content: /^x{4000}$/, is_cut: true }] })
  for (const [args, message] of [
    [{ limit: 51, channel: 'other' }, 'Invalid limit'],
    [{}, 'Name a channel or people.'],
    [{ channel: 'other', people: [1] }, 'Name either a channel or people.'],
    [{ topic: 'x', people: [1] }, 'Name either a channel or people.'],
    [{ channel: 'other', before: 5, after: 6 }, 'Name only one of before, after and around.'],
    [{ channel: 'other', around: 'x' }, 'around is not an integer'],
    [{ people: Array.from({ length: 21 }, () => 1) }, 'people is too long (limit: 20 items)'],
    [{ people: ['me'] }, 'me is neither an id nor an email address.'],
    [{ people: ['nobody@example.com'] }, 'No such user'],
  ] as const) {
    const { isError, text } = await callTool(agent, 'read_conversation', args)
    t.match({ isError, text }, { isError: true, text: message })
  }
  t.match(await callTool(agent, 'search_messages', {}), {
    isError: true,
    text: 'Name at least one condition.',
  })
  t.match(await callTool(agent, 'search_messages', { query: 'q'.repeat(501) }), { isError: true })
  const direct = await callTool(agent, 'read_conversation', { people: ['owner@example.com'] })
  t.match(direct.value, { messages: [{ id: DIRECT }] })
  const stranger = await connectAgent(t, url, guest.key)
  const others = await callTool(stranger, 'search_messages', { query: 'Between', everywhere: true })
  t.same(others.value, { messages: [], has_older: false, has_newer: false })
}

export async function checkKeys(t: Test, world: AgentWorld): Promise<void> {
  const { clock, server, url, member, guest, bot, GENERAL, HIDDEN, ANSWER, makeKey, post } = world
  t.same(await namesOf(await connectAgent(t, url, await makeKey(member, 'read'))), READING)
  const one = await connectAgent(t, url, await makeKey(member, 'channel', { stream_id: GENERAL }))
  t.same((await namesOf(one)).slice(0, 4), READING.slice(0, 4))
  t.match((await callTool(one, 'search_messages', { query: 'apples' })).value, { messages: [{ id: ANSWER }] })
  t.match((await callTool(one, 'list_channels')).value, { channels: [{ id: GENERAL }], total: 1 })
  t.match((await callTool(one, 'list_topics', { channel: 'General' })).value, { total: 2 })
  for (const [name, args] of [
    ['list_people', {}],
    ['list_topics', { channel: 'other' }],
    ['list_topics', { channel: 'nowhere' }],
    ['read_conversation', { channel: HIDDEN }],
    ['read_conversation', { channel: 9999 }],
    ['read_conversation', { people: [1] }],
    ['search_messages', { people: ['owner@example.com'] }],
  ] as const)
    t.match(
      await callTool(one, name, args),
      { isError: true, text: 'This key is not for this request.' },
      name,
    )
  const list = earlier('tools/list')
  const over = await makeKey(member, 'read', { expires_in_seconds: 60 })
  t.equal((await postAgent(url, over, list)).status, 200)
  clock.leap(60_000)
  const refused = async (authorization: string, msg: string, headers: Record<string, string> = {}) => {
    const answer = await post(list, { authorization, ...headers })
    t.match(answer, { status: 401, body: { result: 'error', code: 'UNAUTHORIZED', msg } }, authorization)
    t.match(answer.headers.get('www-authenticate'), /^Bearer /)
  }
  const missing = 'Missing authorization header with an API key as bearer token'
  await refused(`Bearer ${over}`, 'Invalid API key')
  await refused(`Bearer ${'x'.repeat(32)}`, 'Invalid API key')
  await refused('Bearer x', 'Malformed API key')
  await refused('Bearer ', missing)
  await refused(member.authorization, missing)
  await refused('', missing, { cookie: 'sessionid=1.x' })
  const lost = await makeKey(guest, 'read')
  await server.node.services.committer.submit(deactivateUser(guest.userId as UserId))
  await refused(`Bearer ${guest.key}`, 'Account is deactivated')
  t.not((await postAgent(url, lost, list)).status, 200)
  t.match((await callTool(await connectAgent(t, url, bot.key), 'list_channels')).value, { total: 2 })
}
