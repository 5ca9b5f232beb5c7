/** The actions that the client offers for a message, compared with the answers of a real server. */

import t, { type Test } from 'tap'
import type { State } from '../../../client/store/apply.ts'
import {
  editableUntil,
  mayDelete,
  mayEdit,
  mayMarkUnread,
  mayMoveToChannel,
  mayReply,
  mayReport,
  maySeeReaders,
  movableToTopic,
  topicMoves,
} from '../../../client/store/derived/message-permissions.ts'
import { maySeeHistory } from '../../../client/store/derived/may-see-history.ts'
import { mayResolve } from '../../../client/store/derived/permissions.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { Client, type Fields } from '../../harness/client/client.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const [owner, member] = [server.as('owner'), server.as('member')]
const READERS: readonly Person[] = ['owner', 'moderator', 'member', 'guest']
const stateOf = async (client: Client) =>
  (await client.register(REGISTRATION as Fields)).state as unknown as State
const nowSeconds = () => Math.floor(clock.nowMs() / 1_000)
const limited = (setting: object) => JSON.stringify({ new: setting })

await owner.subscribe(['open', 'elsewhere', 'moderated'], { principals: [1, 3, 4, 5, 6, 7] })
await owner.subscribe(['reports'], { invite_only: true })
await owner.must('PATCH', '/streams/3', {
  can_move_messages_within_channel_group: limited({ direct_members: [6], direct_subgroups: [] }),
  can_delete_any_message_group: limited({ direct_members: [4, 6], direct_subgroups: [] }),
})

async function messagesFor(client: Client): Promise<readonly Message[]> {
  const { messages } = await client.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    allow_empty_topic_name: true,
  })
  // The server's own notices of moves are by a bot.
  return messages.filter(({ sender_id }) => sender_id <= 7)
}

async function writeSome(channel: string): Promise<void> {
  for (const person of ['owner', 'member', 'guest', 'bot'] as const)
    await server.as(person).send(channel, `by ${person}`, 'text')
}

/** Compares what a person may do with each message with what the server lets them do. */
async function compare(t: Test, phase: string): Promise<void> {
  for (const person of READERS) {
    const client = server.as(person)
    const state = await stateOf(client)
    for (const message of await messagesFor(client)) {
      const { id, stream_id: channelId = 0, subject } = message
      const at = `${phase}: ${person}, message of ${message.sender_id} in ${channelId}`
      const ask = async (params: Fields) => (await client.patch(`/messages/${id}`, params)).status === 200
      const topic = `${subject}.`
      t.equal(mayEdit(state, message, nowSeconds()), await ask({ content: `by ${person}` }), `${at}, edit`)
      const movable = movableToTopic(state, message, nowSeconds()) !== 'none'
      t.equal(movable, await ask({ topic }), `${at}, topic`)
      await ask({ topic: subject })
      if (channelId === 0) continue
      t.equal(mayResolve(state, channelId, subject), await ask({ topic: `✔ ${subject}` }), `${at}, resolve`)
      await ask({ topic: subject })
      const isMoved = await ask({ stream_id: 2 })
      t.equal(mayMoveToChannel(state, message, nowSeconds()), isMoved, `${at}, channel`)
      if (isMoved) await owner.must('PATCH', `/messages/${id}`, { stream_id: channelId })
    }
  }
  for (const person of READERS) {
    const client = server.as(person)
    const state = await stateOf(client)
    for (const message of await messagesFor(client)) {
      const at = `${phase}: ${person}, message of ${message.sender_id} in ${message.stream_id}`
      const isDeleted = (await client.delete(`/messages/${message.id}`)).status === 200
      t.equal(mayDelete(state, message, nowSeconds()), isDeleted, `${at}, delete`)
    }
  }
}

t.test(
  '[STORE48] the client knows beforehand who may edit, move, resolve and delete a message',
  async (t) => {
    await writeSome('open')
    await writeSome('moderated')
    await member.sendDirect([1], 'direct')
    await compare(t, 'fresh')
    await owner.must('PATCH', '/realm', {
      message_content_delete_limit_seconds: 600,
      move_messages_within_stream_limit_seconds: 600,
      move_messages_between_streams_limit_seconds: 600,
      can_move_messages_between_topics_group: JSON.stringify({ new: 3 }),
    })
    await writeSome('open')
    await writeSome('moderated')
    const [message] = await messagesFor(member)
    const state = await stateOf(member)
    t.equal(editableUntil(state, message as Message), (message?.timestamp ?? 0) + 600)
    clock.advance(601_000)
    await compare(t, 'after the limits')
  },
)

t.test('[STORE49] an archived channel, and a message without versions, offer nothing', async (t) => {
  const id = await member.send('elsewhere', 'topic', 'text')
  const message = (await messagesFor(member)).find((one) => one.id === id) as Message
  const before = await stateOf(member)
  t.ok(mayReply(before, message))
  t.ok(mayMarkUnread(before, message))
  t.notOk(maySeeHistory(before, message))
  t.notOk(mayReport(before))
  t.equal(maySeeReaders(before), (await member.get(`/messages/${id}/read_receipts`)).status === 200)
  await member.must('PATCH', `/messages/${id}`, { content: 'other' })
  const edited = (await messagesFor(member)).find((one) => one.id === id) as Message
  t.ok(maySeeHistory(before, edited))
  await owner.must('PATCH', '/realm', {
    message_edit_history_visibility_policy: 'moves',
    moderation_request_channel_id: 4,
    enable_read_receipts: false,
  })
  const changed = await stateOf(member)
  t.notOk(maySeeHistory(changed, edited), 'only moves are shown')
  t.ok(mayReport(changed))
  t.equal(maySeeReaders(changed), (await member.get(`/messages/${id}/read_receipts`)).status === 200)
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['elsewhere'] })
  t.notOk(mayMarkUnread(await stateOf(member), message))
  await owner.must('DELETE', '/streams/2')
  const after = await stateOf(member)
  for (const may of [mayEdit, mayDelete, mayMoveToChannel] as const)
    t.notOk(may(after, message, nowSeconds()))
  t.equal(movableToTopic(after, message, nowSeconds()), 'none')
  t.notOk(mayReply(after, message))
  t.notOk(mayResolve(after, 2, 'topic'))
})

t.test('[STORE109] the client knows beforehand who may rename or move a topic', async (t) => {
  const writer = server.as('member2')
  const people = [...READERS.map((person) => server.as(person).userId), writer.userId]
  const { id: fromId } = await owner.must('POST', '/channels/create', {
    name: 'from',
    subscribers: people,
  })
  const { id: toId } = await owner.must('POST', '/channels/create', { name: 'to', subscribers: people })
  const nobody = limited({ direct_members: [], direct_subgroups: [] })
  const onlyMember = limited({ direct_members: [4], direct_subgroups: [] })
  for (const [index, { realm, channel }] of [
    { realm: {}, channel: {} },
    { realm: { can_move_messages_between_topics_group: onlyMember }, channel: {} },
    { realm: { can_move_messages_between_channels_group: onlyMember }, channel: {} },
    { realm: {}, channel: { can_move_messages_within_channel_group: onlyMember } },
    { realm: {}, channel: { can_move_messages_out_of_channel_group: onlyMember } },
  ].entries()) {
    await owner.must('PATCH', '/realm', {
      can_move_messages_between_topics_group: nobody,
      can_move_messages_between_channels_group: nobody,
      ...realm,
    })
    await owner.must('PATCH', `/streams/${fromId}`, {
      can_move_messages_within_channel_group: nobody,
      can_move_messages_out_of_channel_group: nobody,
      ...channel,
    })
    for (const person of READERS) {
      const client = server.as(person)
      const ask = async (topic: string, move: Fields) => {
        // One's own messages may be renamed by everybody.
        const id = await writer.send('from', topic, 'text')
        return (
          (await client.patch(`/messages/${id}`, { ...move, propagate_mode: 'change_all' })).status === 200
        )
      }
      const { canRename, canLeave } = topicMoves(await stateOf(client), fromId)
      const at = `${index}, ${person}`
      t.equal(canRename, await ask(`rename ${at}`, { topic: `renamed ${at}` }), `${at}, rename`)
      t.equal(canLeave, await ask(`move ${at}`, { stream_id: toId }), `${at}, move`)
    }
  }
  const client = server.as('member')
  t.match(topicMoves(await stateOf(client), fromId), { canRename: false, canLeave: true })
  await owner.must('DELETE', `/streams/${fromId}`)
  t.same(
    topicMoves(await stateOf(client), fromId),
    { canRename: false, canLeave: false },
    'an archived channel',
  )
})

t.test('[STORE111] the owner of a bot may delete its messages as their own', async (t) => {
  await owner.must('POST', '/channels/create', {
    name: 'robots',
    subscribers: [1, member.userId, server.as('member2').userId],
  })
  const groups = (await stateOf(owner)).realm_user_groups ?? []
  const everybody = groups.find(({ name }) => name === 'role:everyone')?.id
  const { user_id: botId, api_key: key } = await member.must('POST', '/bots', {
    full_name: 'Robot',
    short_name: 'robot',
  })
  const { email } = (await member.must('GET', `/users/${botId}`)).user
  const bot = new Client(member.url, botId, email, key)
  for (const [allowed, expected] of [
    [everybody, [true, false]],
    [limited({ direct_members: [], direct_subgroups: [] }), [false, false]],
  ] as const) {
    await owner.must('PATCH', '/realm', {
      can_delete_own_message_group: typeof allowed === 'number' ? JSON.stringify({ new: allowed }) : allowed,
    })
    const id = await bot.send('robots', 'beeps', 'beep')
    const answers: boolean[] = []
    for (const person of ['member2', 'member'] as const) {
      const client = server.as(person)
      const message = (await client.must('GET', `/messages/${id}`)).message as unknown as Message
      const offered = mayDelete(await stateOf(client), message, nowSeconds())
      t.equal(
        (await client.delete(`/messages/${id}`)).status === 200,
        offered,
        `${person}, ${String(allowed)}`,
      )
      answers.unshift(offered)
    }
    t.same(answers, expected)
  }
})
