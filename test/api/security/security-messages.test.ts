/** Attempts to read messages without, before or after having the right. */

import t from 'tap'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { Client } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, administrator, member] = [server.as('owner'), server.as('administrator'), server.as('member')]
const [member2, guest] = [server.as('member2'), server.as('guest')]
const MODERN = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } }

/** Creates a channel of the owner with other subscribers. */
async function make(name: string, others: readonly Client[], more: Record<string, unknown> = {}) {
  await owner.subscribe([name], { principals: [owner, ...others].map(({ userId }) => userId), ...more })
  return channelIdOf(server, name)
}
const remove = (name: string, { userId }: Client) =>
  owner.must('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [userId] })
const move = (id: number, fields: Record<string, unknown>) =>
  owner.must('PATCH', `/messages/${id}`, { send_notification_to_new_thread: false, ...fields })
const star = (client: Client, id: number) =>
  client.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
const newestOf = async (client: Client, narrow: unknown) => {
  const fields = { anchor: 'newest', num_before: 1, narrow }
  return (await client.must('GET', '/messages', fields)).messages[0]
}

t.test(
  '[LEAK8] the edit history reveals neither topic nor id of a private channel the message was in',
  async (t) => {
    const hidden = await make('hidden', [], { invite_only: true })
    const between = await make('between', [member])
    const open = await make('open', [member, guest])
    const id = await owner.send('hidden', 'layoffs', 'one')
    await move(id, { topic: 'the layoffs' })
    await move(id, { stream_id: between, topic: 'news' })
    await owner.must('PATCH', `/messages/${id}`, { content: 'two' })
    await move(id, { stream_id: open, topic: 'old news' })
    await move(id, { topic: 'oldest news' })
    const shown = async (client: Client) => {
      const { message } = await client.must('GET', `/messages/${id}`)
      const page = await newestOf(client, [['channel', 'open']])
      t.same(page.edit_history, message.edit_history, 'equal to a page')
      return message.edit_history.map((edit) => {
        const { user_id: _, timestamp: __, prev_rendered_content: ___, ...rest } = edit
        return rest
      })
    }
    const renamed = { prev_topic: 'old news', topic: 'oldest news' }
    const moved = { prev_topic: 'news', topic: 'old news', prev_stream: between, stream: open }
    t.same(await shown(member), [renamed, moved, { prev_content: 'one' }])
    // A guest sees only subscribed channels.
    t.same(await shown(guest), [renamed, { prev_content: 'one' }])
    await owner.must('PATCH', `/streams/${between}`, { is_private: true })
    t.same(await shown(owner), [renamed, { prev_content: 'one' }], 'nor of one that became private')
    t.notOk(
      JSON.stringify(await guest.must('GET', `/messages/${id}/history`)).includes(`"prev_stream":${hidden}`),
    )
  },
)

t.test(
  '[LEAK9] a former subscriber of a private channel gets no moves or deletions of its messages, even starred ones',
  async (t) => {
    const to = await make('lobby', [])
    await make('board', [member, member2], { invite_only: true, history_public_to_subscribers: true })
    const vault = await make('vault', [], { invite_only: true })
    const ids = [await owner.send('board', 'tea', 'one'), await owner.send('board', 'milk', 'two')] as const
    for (const id of ids) await star(member, id)
    await remove('board', member)
    const queue = await member.register(MODERN)
    await move(ids[0], { topic: 'layoffs' })
    await move(ids[0], { stream_id: to })
    await move(ids[1], { topic: 'bankruptcy' })
    await move(ids[1], { stream_id: vault })
    t.same(await member.events(queue), [])
  },
)

t.test('[LEAK61] a deletion is not sent to a user who may no longer read what they starred', async (t) => {
  const channelId = await make('ledger', [], { invite_only: true, history_public_to_subscribers: true })
  const id = await owner.send('ledger', 'tea', 'one')
  await owner.subscribe(['ledger'], { principals: [member.userId] })
  await star(member, id)
  await owner.must('PATCH', `/streams/${channelId}`, { history_public_to_subscribers: false })
  const queue = await member.register(MODERN)
  await owner.must('DELETE', `/messages/${id}`)
  const events = await member.events(queue)
  t.same(
    events.filter(({ type }) => type === 'delete_message'),
    [],
  )
})

t.test(
  '[LEAK10] a user who sees a private channel without reading it gets no topics from moves',
  async (t) => {
    await make('council', [], { invite_only: true })
    const to = await make('square', [administrator, member])
    const id = await owner.send('council', 'layoffs', 'one')
    const queue = await administrator.register(MODERN)
    await move(id, { stream_id: to, topic: 'news' })
    t.same(
      (await administrator.events(queue)).filter(({ type }) => type !== 'stream'),
      [],
    )
  },
)

t.test('[LEAK11] registration lists only readable starred messages', async (t) => {
  await make('cellar', [member], { invite_only: true, history_public_to_subscribers: true })
  await make('closed', [member], { invite_only: true, history_public_to_subscribers: false })
  const lost = await owner.send('cellar', 'tea', 'one')
  const kept = await owner.send('closed', 'tea', 'two')
  const direct = await owner.sendDirect([member.userId], 'three')
  const open = await owner.send('lobby', 'tea', 'four')
  const starred = async () =>
    (await member.must('POST', '/register', { fetch_event_types: ['starred_messages'] })).starred_messages
  await member.must('POST', '/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [['is', 'starred']],
    op: 'remove',
    flag: 'starred',
  })
  for (const id of [lost, kept, direct, open]) await star(member, id)
  t.same(await starred(), [lost, kept, direct, open])
  await remove('cellar', member)
  await remove('closed', member)
  t.same(await starred(), [direct, open])
  await owner.subscribe(['cellar', 'closed'], { principals: [member.userId] })
  t.same(await starred(), [lost, kept, direct, open])
})

t.test('[LEAK12] topic visibilities in a lost channel reveal nothing of it', async (t) => {
  await make('attic', [member, member2], { invite_only: true })
  const id = await owner.send('attic', 'tea', 'one')
  for (const client of [member, member2]) {
    await client.must('POST', '/user_topics', {
      stream_id: channelIdOf(server, 'attic'),
      topic: 'tea',
      visibility_policy: 1,
    })
  }
  await remove('attic', member)
  const [queue, queue2] = [await member.register(), await member2.register()]
  await move(id, { topic: 'layoffs' })
  await move(id, { stream_id: channelIdOf(server, 'lobby') })
  t.same(await member.events(queue), [])
  t.match(
    (await member2.events(queue2)).filter(({ type }) => type === 'user_topic'),
    [{}, {}, {}, {}],
  )
})

t.test('[LEAK13] notices do not reveal a private channel to their readers', async (t) => {
  await make('secret', [administrator], { invite_only: true, history_public_to_subscribers: true })
  // All subscribers see it, and every member can read its messages.
  const moderation = await make('moderation', [administrator], {
    invite_only: true,
    history_public_to_subscribers: true,
    can_subscribe_group: SYSTEM_GROUPS.members,
  })
  await owner.must('PATCH', '/realm', { moderation_request_channel_id: moderation })
  const id = await owner.send('lobby', 'tea', 'one')
  const report = { report_type: 'other', description: '#**secret** #**nowhere** #**lobby**' }
  await member.must('POST', `/messages/${id}/report`, report)
  const { content } = await newestOf(member, [['channel', 'moderation']]).then(
    async ({ id: reportId }) => (await member.must('GET', `/messages/${reportId}`)).message,
  )
  t.match(content, /data-stream-id="\d+"[^>]*>#lobby/)
  t.notMatch(content, />#secret</)
  const reported = await owner.send('secret', 'tea', 'two')
  await administrator.must('POST', `/messages/${reported}/report`, { report_type: 'spam' })
  const { content: second } = await newestOf(member, [['channel', 'moderation']])
  t.match(second, /in a private channel/)
})

t.test('[LEAK14] unknown ids are reported as such to users who cannot begin conversations', async (t) => {
  await commitEvents(server, [
    { type: 'realm/update_dict', changes: { permissions: { directMessageInitiator: SYSTEM_GROUPS.nobody } } },
  ])
  for (const id of [2 ** 31, 2 ** 32 + 1, -(2 ** 40), 2 ** 53 - 1]) {
    const answer = await member.post('/typing', { op: 'start', to: [guest.userId, id] })
    expectRefusal(t, answer, `Invalid user ID ${id}`)
  }
})
