/** Unread messages after random changes equal a plain model: a set of ids for each user. */

import t from 'tap'
import { filterUnread } from '../../../db/unread/filter-unread.ts'
import { findFlagHolders } from '../../../db/unread/flag-holders.ts'
import { readFlaggedMessages } from '../../../db/unread/flagged-messages.ts'
import { loadReader } from '../../../db/unread/read-marks.ts'
import { Reader } from '../../../server/actors/reader.ts'
import type { MessageId, UserId } from '../../../server/domain/ids.ts'
import { makeRandom } from '../../events/make-random.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

/** Initial messages of one topic: more than the exceptions that make a mark move. */
const CROWD = 320
const STEPS = 200
const CHECKED_EVERY = 13

interface Channel {
  readonly id: number
  readonly name: string
  readonly subscribers: Set<number>
}
interface Sent {
  readonly id: number
  readonly senderId: number
  channel: Channel | undefined
  topic: string
  readonly partners: readonly number[]
  /** The users who were subscribed when it arrived at its place. */
  receivers: ReadonlySet<number>
}

const server = await startTestServer(t)
const { sql, readers } = server.node.services
const owner = server.as('owner')
const people = ['owner', 'member', 'member2', 'guest'] as const
const idOf = (person: Person) => server.as(person).userId
const ids = people.map(idOf)
const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)
const random = makeRandom(seed)
const pick = <Item>(items: readonly Item[]) => random.pick(items)
const some = <Item>(items: readonly Item[]) => random.some(items)
const below = (bound: number) => random.below(bound)

const channels: Channel[] = ['red', 'green', 'secret'].map((name, index) => ({
  id: index + 1,
  name,
  subscribers: new Set(ids),
}))
const topics = ['', 'a', 'A', 'b']
let sent: Sent[] = []
const unread = new Map<number, Set<number>>(ids.map((id) => [id, new Set()]))
/** The muted users of a user. */
const muted = new Map<number, Set<number>>(ids.map((id) => [id, new Set()]))
const mutedBy = (id: number) => muted.get(id) as Set<number>
const unreadOf = (id: number) => unread.get(id) as Set<number>
const isInTopic = (one: Sent, channel: Channel, topic: string) =>
  one.channel === channel && one.topic.toLowerCase() === topic.toLowerCase()
/** Messages of all users that fulfil a condition. */
function forget(userIds: Iterable<number>, condition: (one: Sent) => boolean): void {
  for (const { id } of sent.filter(condition)) for (const userId of userIds) unreadOf(userId).delete(id)
}

function receive(message: Omit<Sent, 'receivers'>, receivers: Iterable<number>, readBy: number): void {
  sent.push({ ...message, receivers: new Set(receivers) })
  for (const id of receivers)
    if (id !== readBy && !mutedBy(id).has(message.senderId)) unreadOf(id).add(message.id)
}

async function send(sender: Person, channel: Channel, topic: string): Promise<void> {
  const isRead = below(2) === 0
  const id = await server.as(sender).send(channel.name, topic, 'x', { read_by_sender: isRead })
  const senderId = idOf(sender)
  receive({ id, senderId, channel, topic, partners: [] }, channel.subscribers, isRead ? senderId : 0)
}

async function sendDirect(sender: Person): Promise<void> {
  const others = some(ids.filter((id) => id !== idOf(sender)))
  const isRead = below(2) === 0
  const id = await server.as(sender).sendDirect(others, 'x', { read_by_sender: isRead })
  const senderId = idOf(sender)
  const partners = [...others, senderId]
  receive({ id, senderId, channel: undefined, topic: '', partners }, partners, isRead ? senderId : 0)
}

/** Messages that a user can read: all in subscribed channels, and their conversations. */
const readableBy = (userId: number) =>
  sent.filter(({ channel, partners }) => channel?.subscribers.has(userId) ?? partners.includes(userId))

function setRead(userId: number, messages: readonly Sent[], op: 'add' | 'remove'): void {
  for (const { id } of messages) {
    if (op === 'add') unreadOf(userId).delete(id)
    else unreadOf(userId).add(id)
  }
}

async function flag(person: Person): Promise<void> {
  const userId = idOf(person)
  const readable = readableBy(userId)
  if (readable.length === 0) return
  const chosen = below(3) === 0 ? some(readable) : [pick(readable), pick(readable)]
  const op = below(3) === 0 ? 'remove' : 'add'
  await server.as(person).must('POST', '/messages/flags', {
    messages: chosen.map(({ id }) => id),
    op,
    flag: 'read',
  })
  setRead(userId, chosen, op)
}

async function flagInNarrow(person: Person): Promise<void> {
  const userId = idOf(person)
  const channel = pick(channels)
  if (!channel.subscribers.has(userId)) return
  const topic = below(2) === 0 ? undefined : pick(topics)
  const found = sent.filter(
    (one) => one.channel === channel && (topic === undefined || isInTopic(one, channel, topic)),
  )
  const anchor = pick(['first_unread', 'newest', 'oldest', String(pick(sent).id)])
  const before = below(60)
  const after = below(60)
  const first = found.find(({ id }) => unreadOf(userId).has(id))?.id ?? 1e16
  const at = { first_unread: first, newest: 1e16, oldest: 0 }[anchor] ?? Number(anchor)
  const page = [
    ...(before === 0 ? [] : found.filter(({ id }) => id < at).slice(-before)),
    ...found.filter(({ id }) => id === at),
    ...found.filter(({ id }) => id > at).slice(0, after),
  ]
  const op = below(3) === 0 ? 'remove' : 'add'
  const wanted = page.filter(({ id }) => unreadOf(userId).has(id) === (op === 'add')).length
  const narrow = [{ operator: 'channel', operand: channel.id }]
  const reply = await server.as(person).must('POST', '/messages/flags/narrow', {
    anchor,
    num_before: before,
    num_after: after,
    narrow: topic === undefined ? narrow : [...narrow, { operator: 'topic', operand: topic }],
    op,
    flag: 'read',
  })
  if (reply.processed_count !== page.length || reply.updated_count !== wanted)
    throw new Error(`${JSON.stringify(reply)} for ${page.length} messages of which ${wanted} change`)
  setRead(userId, page, op)
}

async function mark(person: Person): Promise<void> {
  const client = server.as(person)
  const userId = idOf(person)
  const channel = pick(channels)
  const topic = pick(topics.filter((one) => one !== ''))
  if (below(6) === 0) {
    await client.must('POST', '/mark_all_as_read')
    unreadOf(userId).clear()
  } else if (!channel.subscribers.has(userId)) return
  else if (below(3) === 0) {
    await client.must('POST', '/mark_stream_as_read', { stream_id: channel.id })
    forget([userId], (one) => one.channel === channel)
  } else {
    const answer = await client.post('/mark_topic_as_read', { stream_id: channel.id, topic_name: topic })
    if (answer.status === 200) forget([userId], (one) => isInTopic(one, channel, topic))
    else if (answer.body.msg !== `No such topic '${topic}'`) throw new Error(JSON.stringify(answer.body))
  }
}

async function changeSubscription(person: Person): Promise<void> {
  const channel = pick(channels)
  const userId = idOf(person)
  if (!channel.subscribers.has(userId)) {
    await owner.subscribe([channel.name], { principals: [userId] })
    channel.subscribers.add(userId)
    return
  }
  const by = below(2) === 0 ? server.as(person) : owner
  await by.must('DELETE', '/users/me/subscriptions', {
    subscriptions: [channel.name],
    ...(by === owner ? { principals: [userId] } : {}),
  })
  channel.subscribers.delete(userId)
  forget([userId], (one) => one.channel === channel)
}

/** Mutes or unmutes a user. */
async function mute(person: Person): Promise<void> {
  const userId = idOf(person)
  const other = pick(ids.filter((id) => id !== userId))
  const isMuted = mutedBy(userId).has(other)
  await server.as(person).must(isMuted ? 'DELETE' : 'POST', `/users/me/muted_users/${other}`)
  if (isMuted) mutedBy(userId).delete(other)
  else {
    mutedBy(userId).add(other)
    forget([userId], ({ senderId }) => senderId === other)
  }
}

async function deleteTopic(): Promise<void> {
  const channel = pick(channels)
  const topic = pick(topics.slice(1))
  // Half of the crowd stays wherever it was moved, and so do its marks.
  const left = sent.filter((one) => one.channel && !isInTopic(one, channel, topic))
  if (left.length < CROWD / 2) return
  await owner.must('POST', `/streams/${channel.id}/delete_topic`, { topic_name: topic })
  forget(ids, (one) => isInTopic(one, channel, topic))
  sent = sent.filter((one) => !isInTopic(one, channel, topic))
}

async function move(): Promise<void> {
  const inChannels = sent.filter(({ channel }) => channel)
  const one = pick(inChannels)
  const from = one.channel as Channel
  const to = pick(channels)
  const topic = pick(topics.slice(1))
  const mode = pick(['change_one', 'change_later', 'change_all'])
  const answer = await owner.patch(`/messages/${one.id}`, {
    ...(to === from ? {} : { stream_id: to.id }),
    topic,
    propagate_mode: mode,
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  })
  if (answer.status !== 200) {
    if (answer.status !== 400) throw new Error(JSON.stringify(answer.body))
    return
  }
  const old = one.topic
  const moved = sent.filter(
    (other) =>
      other === one ||
      (mode !== 'change_one' && isInTopic(other, from, old) && (mode === 'change_all' || other.id > one.id)),
  )
  for (const other of moved) Object.assign(other, { channel: to, topic })
  const outside = ids.filter((id) => !to.subscribers.has(id))
  if (to === from) return
  for (const other of moved) other.receivers = new Set(to.subscribers)
  forget(outside, (other) => moved.includes(other))
}

async function change(): Promise<void> {
  const person = pick(people)
  const channel = pick(channels)
  const isIn = channel.subscribers.has(idOf(person))
  await pick([
    () => (isIn ? send(person, channel, pick(topics)) : send('owner', channels[0] as Channel, pick(topics))),
    () => sendDirect(person),
    () => flag(person),
    () => flag(person),
    () => flagInNarrow(person),
    () => flagInNarrow(person),
    () => mark(person),
    () => changeSubscription(pick(people.slice(1))),
    () => deleteTopic(),
    () => move(),
    () => mute(person),
  ])()
}

const sorted = (list: Iterable<number>) => [...list].sort((a, b) => a - b)

/** Throws unless all unread data of a user equals the model. */
async function check(person: Person): Promise<void> {
  const client = server.as(person)
  const userId = idOf(person)
  const wanted = sorted(unreadOf(userId))
  const compare = (what: string, found: unknown, expected: unknown) => {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
    if (a !== b) throw new Error(`${person}: ${what}:\n${a}\nbut in the model\n${b}`)
  }
  const queue = await client.register({
    event_types: ['update_message_flags'],
    client_capabilities: { empty_topic_name: true },
  })
  const { unread_msgs } = queue.state
  await client.must('DELETE', '/events', { queue_id: queue.queueId })
  compare('the count', unread_msgs.count, wanted.length)
  const byTopic = unread_msgs.streams.flatMap(({ stream_id, topic, unread_message_ids }) =>
    unread_message_ids.map((id: number) => [id, stream_id, topic.toLowerCase()]),
  )
  const known = new Map(sent.map((one) => [one.id, one]))
  const inChannels = wanted.map((id) => known.get(id) as Sent).filter(({ channel }) => channel)
  compare(
    'the topics',
    byTopic.sort(([a], [b]) => Number(a) - Number(b)),
    inChannels.map(({ id, channel, topic }) => [id, channel?.id, topic.toLowerCase()]),
  )
  const direct = [...unread_msgs.pms, ...unread_msgs.huddles].flatMap((one) => one.unread_message_ids)
  const wantedDirect = wanted.filter((id) => !inChannels.some((one) => one.id === id))
  compare('the direct messages', sorted(direct), wantedDirect)

  const narrowed = await client.must('GET', '/messages', {
    narrow: [['is', 'unread']],
    anchor: 'newest',
    num_before: 5_000,
  })
  compare(
    'is:unread',
    narrowed.messages.map(({ id }) => id),
    wanted,
  )
  const { anchor } = await client.must('GET', '/messages', { anchor: 'first_unread' })
  const received = wanted.filter((id) => known.get(id)?.receivers.has(userId))
  compare('the first unread', anchor, received[0] ?? 1e16)
  const channel = pick(
    channels.filter(({ subscribers }) => subscribers.has(userId)).concat(channels[0] ?? []),
  )
  if (channel.subscribers.has(userId)) {
    const narrow = [['channel', channel.name]]
    const fromMemory = await client.must('GET', '/messages', { narrow, anchor: 'newest', num_before: 200 })
    const fromRows = await client.must('GET', '/messages', { narrow, anchor: 9e15, num_before: 200 })
    for (const { messages } of [fromMemory, fromRows])
      for (const { id, flags } of messages)
        compare(`whether ${id} is read`, flags.includes('read'), !unreadOf(userId).has(id))
    const first = await client.must('GET', '/messages', { narrow, anchor: 'first_unread' })
    const firstInChannel = inChannels.find((one) => one.channel === channel)?.id
    compare(`the first unread of ${channel.name}`, first.anchor, firstInChannel ?? 1e16)
    const read = await client.must('GET', '/messages', {
      narrow: [...narrow.map(([operator, operand]) => ({ operator, operand })), NOT_UNREAD],
      anchor: 'oldest',
      num_after: 5_000,
    })
    const wantedRead = sent.filter((one) => one.channel === channel && !unreadOf(userId).has(one.id))
    compare(
      'what is not is:unread',
      read.messages.map(({ id }) => id),
      wantedRead.map(({ id }) => id),
    )
  }
  const one = pick(sent)
  const holders = await findFlagHolders(sql, one.id as MessageId)
  const wantedHolders = ids.filter((id) => unreadOf(id).has(one.id))
  compare(`users with ${one.id} unread`, holders.unreadUserIds, wantedHolders)
  const pairs = sent.flatMap(({ id }) =>
    ids.map((reader) => ({ userId: reader as UserId, messageId: id as MessageId })),
  )
  compare(
    'the unread of pairs',
    (await filterUnread(sql, pairs)).map(({ userId: reader, messageId }) => `${reader} ${messageId}`),
    pairs.flatMap(({ userId: reader, messageId }) =>
      unreadOf(reader).has(messageId) ? [`${reader} ${messageId}`] : [],
    ),
  )
  // The cache of this process and the data it would load from the tables.
  const rows = await readFlaggedMessages(
    sql,
    readableBy(userId).map(({ id }) => id as MessageId),
    userId as UserId,
  )
  const fresh = new Reader(userId as UserId, await loadReader(sql, userId as UserId))
  const kept = await readers.get(userId as UserId)
  for (const [what, reader] of Object.entries({ fresh, kept }))
    compare(
      `the reader ${what}`,
      rows.filter(({ message }) => reader.isUnread(message)).map(({ message }) => message.id),
      wanted,
    )
}

const NOT_UNREAD = { operator: 'is', operand: 'unread', negated: true }

t.test(
  '[READING1] unread messages equal those of a plain model after random changes in any order',
  async (t) => {
    t.comment(`PARLEY_TEST_SEED=${seed}`)
    for (const { name } of channels)
      await owner.subscribe([name], {
        principals: ids,
        invite_only: name === 'secret',
        history_public_to_subscribers: true,
      })
    await Promise.all(Array.from({ length: CROWD }, () => send('owner', channels[0] as Channel, 'b')))
    sent.sort((a, b) => a.id - b.id)
    for (let step = 1; step <= STEPS; step++) {
      try {
        await change()
        if (step % CHECKED_EVERY === 0) await check(pick(people))
      } catch (error) {
        throw new Error(`step ${step}, PARLEY_TEST_SEED=${seed}`, { cause: error })
      }
    }
    for (const person of people) await check(person)
    const [moved] =
      await sql`select count(*)::int as count from read_marks where place <> 0 and through_id > 0`
    t.comment(`${moved?.count} marks were moved, ${sent.length} messages are left`)
  },
)
