/** Visitors, and messages and channels that become public or cease to be. */

import t from 'tap'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawImage } from '../../harness/client/upload.ts'
import { getFile, mustPostFile, thumbnailOf } from '../../harness/client/user-files.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const { anyone } = server
await owner.must('PATCH', '/realm', { enable_spectator_access: true })
// The first message of each test goes to the channels 1 commons and 2 secret.
await owner.subscribe(['commons'], { is_web_public: true, principals: [1, 4] })
await owner.subscribe(['secret'], { invite_only: true, principals: [1, 4] })

const PUBLIC = { operator: 'channels', operand: 'web-public' }
/** The messages of a topic for a visitor, from memory and from the database, which must agree. */
async function readTopic(t: { same(one: unknown, two: unknown): unknown }, topic: string) {
  const fields = { anchor: 'newest', num_before: 100, apply_markdown: false }
  const held = await anyone.get('/messages', {
    ...fields,
    narrow: [
      ['channel', 1],
      ['topic', topic],
    ],
  })
  const read = await anyone.must('GET', '/messages', { ...fields, narrow: [PUBLIC, ['topic', topic]] })
  if (held.status === 200) t.same(held.body.messages, read.messages)
  return read.messages
}
const contentsOf = (messages: readonly { content: string }[]) => messages.map(({ content }) => content)
const findWord = async (word: string, client: Client = anyone) => {
  const narrow = [PUBLIC, ['search', word]]
  const fields = { anchor: 'newest', num_before: 100, apply_markdown: false, narrow }
  return contentsOf((await client.must('GET', '/messages', fields)).messages)
}

t.test(
  '[VISIT10] a message that moves out of web-public channels is gone, with its former text',
  async (t) => {
    const id = await owner.send('commons', 'leaving', 'marmalade')
    t.same(contentsOf(await readTopic(t, 'leaving')), ['marmalade'])
    t.same(await findWord('marmalade'), ['marmalade'])
    await owner.must('PATCH', `/messages/${id}`, { stream_id: 2, send_notification_to_old_thread: false })
    t.same(await readTopic(t, 'leaving'), [])
    t.same(await findWord('marmalade'), [])
    await indexMessages(server.node.services.sql)
    t.same(await findWord('marmalade'), [])
    expectRefusal(t, await anyone.get(`/messages/${id}`), 'Invalid message(s)')
    const { topics } = await anyone.must('GET', '/users/me/1/topics')
    t.notOk(topics.some(({ name }: { name: string }) => name === 'leaving'))
  },
)

t.test('[VISIT11] a message that moves in is readable, but not its former texts and places', async (t) => {
  const id = await owner.send('secret', 'plans', 'the password is swordfish')
  await owner.must('PATCH', `/messages/${id}`, { content: 'harmless tangerine' })
  t.same(await findWord('tangerine'), [])
  await owner.must('PATCH', `/messages/${id}`, { stream_id: 1, topic: 'arrived' })
  const [message, ...rest] = (await readTopic(t, 'arrived')).filter((one) => one.id === id)
  t.same(rest, [])
  t.equal(message.content, 'harmless tangerine')
  t.ok(message.last_edit_timestamp)
  t.equal(message.edit_history, undefined)
  t.notMatch(JSON.stringify(await anyone.must('GET', `/messages/${id}`)), /swordfish|plans/)
  t.equal((await anyone.get(`/messages/${id}/history`)).status, 401)
  t.same(await findWord('tangerine'), ['harmless tangerine'])
  t.same(await findWord('swordfish'), [])
  t.match(JSON.stringify((await member.must('GET', `/messages/${id}/history`)).message_history), /swordfish/)
})

t.test('[VISIT12] edits and deletions are seen at the next read', async (t) => {
  const id = await owner.send('commons', 'edits', 'before')
  t.same(contentsOf(await readTopic(t, 'edits')), ['before'])
  await owner.must('PATCH', `/messages/${id}`, { content: 'after' })
  const [edited] = await readTopic(t, 'edits')
  t.equal(edited.content, 'after')
  t.equal(edited.edit_history, undefined)
  const [own] = (
    await member.must('GET', '/messages', { anchor: id, narrow: [['channel', 1]], apply_markdown: false })
  ).messages
  t.equal(own.edit_history[0].prev_content, 'before', 'members still see it')
  await owner.must('DELETE', `/messages/${id}`)
  t.same(await readTopic(t, 'edits'), [])
})

t.test('[VISIT13] mentions, reactions and senders show names, and no address or flag', async (t) => {
  await owner.must('PATCH', '/settings', { email_address_visibility: 1 })
  const id = await owner.send('commons', 'people', 'hello @**The member** and @**all**')
  await member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  const messages = [
    (await readTopic(t, 'people'))[0],
    (await anyone.must('GET', `/messages/${id}`)).message,
    (await anyone.must('GET', '/messages', { anchor: id, narrow: [['channel', 'commons']] })).messages[0],
  ]
  for (const message of messages) {
    t.match(message, {
      flags: ['read'],
      sender_full_name: 'The owner',
      sender_email: 'user1@127.0.0.1',
      reactions: [{ user_id: 4, user: { full_name: 'The member', email: 'user4@127.0.0.1' } }],
    })
    t.same(message.flags, ['read'])
    t.match(message.avatar_url, /^\/user_avatars\//)
    t.notMatch(JSON.stringify(message), /example\.com/)
  }
  const [own] = (await member.must('GET', '/messages', { anchor: id, narrow: [['channel', 1]] })).messages
  t.equal(own.sender_email, 'owner@example.com', 'users see it, from the same memory')
})

t.test(
  '[VISIT14] files and previews of web-public messages open, and only while they are public',
  async (t) => {
    const picture = await mustPostFile(owner, await drawImage('#3a7'), 'map.png')
    const other = await mustPostFile(owner, 'nothing to see', 'notes.txt')
    const statuses = async () => [
      (await getFile(anyone, picture)).status,
      (await getFile(anyone, thumbnailOf(picture))).status,
      (await getFile(anyone, other)).status,
    ]
    t.same(await statuses(), [404, 404, 404], 'linked nowhere')
    await owner.send('secret', 'files', `[notes](${other})`)
    const id = await owner.send('commons', 'files', `[map](${picture})`)
    t.same(await statuses(), [200, 200, 404])
    t.equal((await getFile(anyone, '/user_uploads/1/absent/file.txt')).status, 404)
    await owner.must('PATCH', '/realm', { enable_spectator_access: false })
    t.same(await statuses(), [401, 401, 401])
    await owner.must('PATCH', '/realm', { enable_spectator_access: true })
    await owner.must('PATCH', `/messages/${id}`, { stream_id: 2 })
    t.same(await statuses(), [404, 404, 404])
    t.equal((await getFile(member, picture)).status, 200)
  },
)

t.test('[VISIT15] a search finds the messages of web-public channels alone, indexed or not', async (t) => {
  await owner.send('commons', 'birds', 'a nightingale sings')
  await owner.send('secret', 'birds', 'the nightingale is hidden')
  await owner.sendDirect([4], 'my nightingale')
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexMessages(server.node.services.sql)
    t.same(await findWord('nightingale'), ['a nightingale sings'])
    t.same(await findWord('hidden'), [])
    const narrow = [
      ['channel', 'commons'],
      ['topic', 'birds'],
      ['search', 'nightingale'],
    ]
    const { messages } = await anyone.must('GET', '/messages', { anchor: 'newest', num_before: 9, narrow })
    t.equal(messages.length, 1)
    t.match(messages[0].match_content, /highlight/)
  }
})

t.test('[VISIT16] a channel that ceases to be web-public, or is archived, is gone at once', async (t) => {
  await owner.subscribe(['fair'], { is_web_public: true })
  const { stream_id: channelId } = await owner.must('GET', '/get_stream_id', { stream: 'fair' })
  const id = await owner.send('fair', 'stalls', 'at the fair')
  const picture = await mustPostFile(owner, 'a list', 'list.txt')
  await owner.send('fair', 'stalls', `[list](${picture})`)
  const see = async () => {
    const { subscriptions } = await anyone.must('POST', '/register', { fetch_event_types: ['subscription'] })
    const narrow = [['channel', 'fair']]
    return [
      subscriptions.some((one: { stream_id: number }) => one.stream_id === channelId),
      (await anyone.get('/messages', { anchor: 'newest', num_before: 9, narrow })).status,
      (await anyone.get(`/messages/${id}`)).status,
      (await anyone.get(`/users/me/${channelId}/topics`)).status,
      (await getFile(anyone, picture)).status,
    ]
  }
  const open = [true, 200, 200, 200, 200]
  const closed = [false, 401, 400, 400, 404]
  t.same(await see(), open)
  await owner.must('PATCH', `/streams/${channelId}`, { is_private: true, is_web_public: false })
  t.same(await see(), closed)
  await owner.must('PATCH', `/streams/${channelId}`, { is_private: false, is_web_public: true })
  t.same(await see(), open)
  await owner.must('PATCH', `/streams/${channelId}`, { is_web_public: false })
  t.same(await see(), closed)
  await owner.must('PATCH', `/streams/${channelId}`, { is_web_public: true })
  await owner.must('DELETE', `/streams/${channelId}`)
  t.same(await see(), closed)
})

t.test('[VISIT17] the cookie of an ended session hides no public file, and opens no other', async (t) => {
  const picture = await mustPostFile(owner, 'open to all', 'open.txt')
  const other = await mustPostFile(owner, 'for few', 'few.txt')
  await owner.send('commons', 'cookies', `[open](${picture})`)
  await owner.send('secret', 'cookies', `[few](${other})`)
  const headers = { cookie: `sessionid=${'a'.repeat(43)}` }
  const statusOf = async (path: string) => (await getFile(anyone, path, { headers })).status
  t.same([await statusOf(picture), await statusOf(other)], [200, 404])
  const { status } = await anyone.request('GET', '/users/me/1/topics', {}, headers)
  t.equal(status, 401, 'operations refuse it')
  await owner.must('PATCH', '/realm', { enable_spectator_access: false })
  t.same([await statusOf(picture), await statusOf(other)], [401, 401])
  await owner.must('PATCH', '/realm', { enable_spectator_access: true })
})
