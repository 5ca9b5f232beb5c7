/** Pages of messages, compared with a plain model that is filled at random. */

import t from 'tap'
import { randomNumbers } from '../../events/make-random.ts'
import type { Fields } from '../../harness/client/client.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import type { ReplyAt } from '../../harness/client/wire-types.ts'

t.test('[PAGE14] pages and flags equal those of a plain model', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const server = await startTestServer(t)
  const random = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const people = ['owner', 'member', 'member2', 'guest'] as const
  const idOf = (person: Person) => server.as(person).userId
  const channels = [
    { name: 'public', id: 1, isPrivate: false, isHistoryPublic: true, members: new Set<number>() },
    { name: 'shared', id: 2, isPrivate: true, isHistoryPublic: true, members: new Set<number>() },
    { name: 'guarded', id: 3, isPrivate: true, isHistoryPublic: false, members: new Set<number>() },
  ]
  type Channel = (typeof channels)[number]
  interface Sent {
    id: number
    sender: number
    channel: Channel | undefined
    topic: string
    received: ReadonlySet<number>
    partners: string
    /** The users with it unread: nobody here reads, but leaving the channel ends it. */
    unread: Set<number>
  }
  const all: Sent[] = []
  const administrator = server.as('administrator')
  for (const { name, isPrivate, isHistoryPublic, members } of channels) {
    await administrator.subscribe([name], {
      invite_only: isPrivate,
      history_public_to_subscribers: isHistoryPublic,
    })
    members.add(administrator.userId)
  }
  const topics = ['', 'a', 'A', 'Σ', 'σ', 'b']
  const foldTopic = (topic: string) => (topic === 'A' ? 'a' : topic === 'Σ' ? 'σ' : topic)
  for (let round = 0; round < 24; round++) {
    const person = pick(people)
    const channel = pick(channels)
    if (channel.members.has(idOf(person))) {
      await administrator.must('DELETE', '/users/me/subscriptions', {
        subscriptions: [channel.name],
        principals: [idOf(person)],
      })
      channel.members.delete(idOf(person))
      for (const message of all) if (message.channel === channel) message.unread.delete(idOf(person))
    } else {
      await administrator.subscribe([channel.name], { principals: [idOf(person)] })
      channel.members.add(idOf(person))
    }
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const isReadBySender = random() < 0.5
        const more = { read_by_sender: isReadBySender }
        if (random() < 0.2) {
          const [sender, ...others] = [pick(people), pick(people), pick(people)]
          const partners = [...new Set([sender, ...others].map(idOf))].sort((a, b) => a - b)
          const id = await server.as(sender).sendDirect(others.map(idOf), `message ${index}`, more)
          const received = new Set(partners)
          all.push({
            id,
            sender: idOf(sender),
            channel: undefined,
            topic: '',
            received,
            partners: partners.join(),
            unread: without(received, isReadBySender ? idOf(sender) : 0),
          })
        } else {
          const to = random() < 0.7 ? (channels[0] as Channel) : pick(channels)
          const sender = pick([
            'administrator',
            ...people.filter((one) => to.members.has(idOf(one))),
          ] as const)
          const topic = pick(topics)
          const received = new Set(to.members)
          const id = await server.as(sender).send(to.name, topic, `message ${index}`, more)
          const unread = without(received, isReadBySender ? idOf(sender) : 0)
          all.push({ id, sender: idOf(sender), channel: to, topic, received, partners: '', unread })
        }
      }),
    )
  }
  all.sort((a, b) => a.id - b.id)
  t.ok(
    all.filter(({ channel }) => channel === channels[0]).length > 256,
    'more than the memory of a channel holds',
  )

  for (let query = 0; query < 200; query++) {
    const reader = pick(people)
    const userId = idOf(reader)
    const mayReadNow = (channel: Channel) =>
      channel.members.has(userId) || (!channel.isPrivate && reader !== 'guest')
    const terms = Array.from({ length: Math.floor(random() * 3) }, () => makeTerm(userId))
    const narrow = terms.map(({ operator, operand, isNegated }) => ({
      operator,
      operand,
      negated: isNegated,
    }))
    const isRefused = terms.some(({ channel }) => channel && !mayReadNow(channel))
    const opened = terms.find(({ channel, isNegated }) => channel && !isNegated)?.channel
    const readable = all.filter((message) => {
      if (!terms.every(({ matches, isNegated }) => matches(message) !== isNegated)) return false
      if (!message.channel) return message.received.has(userId)
      if (!mayReadNow(message.channel)) return false
      return (message.channel === opened && opened.isHistoryPublic) || message.received.has(userId)
    })
    const before = pick([0, 1, 3, 50, 255, 256, 257, 600])
    const after = pick([0, 0, 1, 3, 50, 300])
    const include_anchor = random() < 0.7
    const given = pick<string | number>([
      'newest',
      'newest',
      'oldest',
      'first_unread',
      pick(all).id,
      pick(all).id + 1,
    ])
    const unread = readable.find((message) => message.unread.has(userId))
    const anchor =
      given === 'newest'
        ? 1e16
        : given === 'oldest'
          ? 0
          : given === 'first_unread'
            ? (unread?.id ?? 1e16)
            : Number(given)
    const older = readable.filter(({ id }) => id < anchor)
    const newer = readable.filter(({ id }) => id > anchor)
    const isThere = readable.some(({ id }) => id === anchor)
    const fields = { anchor: String(given), num_before: before, num_after: after, include_anchor, narrow }
    const answer = await get2(reader, fields)
    const label = `seed ${seed}, query ${query}: ${reader} ${JSON.stringify(fields)}`
    if (isRefused) {
      if (answer.body.code !== 'BAD_NARROW') t.fail(label)
      continue
    }
    const expected = {
      ids: [
        ...(before === 0 ? [] : older.slice(-before)),
        ...(isThere && include_anchor ? [{ id: anchor }] : []),
        ...newer.slice(0, after),
      ].map(({ id }) => id),
      anchor,
      found_anchor: isThere && include_anchor,
      found_oldest: anchor === 0 || (before > 0 && older.length <= before),
      found_newest: anchor >= 9e15 || (after > 0 && newer.length <= after),
    }
    const found = (body: ReplyAt<'GET', '/messages'>) => ({
      ids: body.messages?.map(({ id }) => id),
      anchor: body.anchor,
      found_anchor: body.found_anchor,
      found_oldest: body.found_oldest,
      found_newest: body.found_newest,
    })
    t.same(found(answer.body), expected, label)
    for (const { id, flags } of answer.body.messages) {
      const message = all.find((one) => one.id === id) as Sent
      const isAsModel = flags.includes('read') !== message.unread.has(userId)
      if (!isAsModel) t.fail(`${label}: message ${id} is ${flags.join()}`)
    }
    if (given === 'newest' && before > 0) {
      // The same page with a term that excludes nothing, which bypasses memory.
      const bySql = await get2(reader, { ...fields, narrow: [...narrow, { operator: 'near', operand: 1 }] })
      t.same(found(bySql.body), expected, `${label}, not from memory`)
      t.same(answer.body.messages, bySql.body.messages)
    }
  }

  function without(ids: ReadonlySet<number>, id: number): Set<number> {
    return new Set([...ids].filter((one) => one !== id))
  }

  async function get2(reader: Person, fields: Fields) {
    return server.as(reader).get('/messages', fields)
  }

  function makeTerm(userId: number): {
    operator: string
    operand: unknown
    isNegated: boolean
    channel?: Channel
    matches: (message: Sent) => boolean
  } {
    const isNegated = random() < 0.3
    const channel = pick(channels)
    const topic = pick(topics)
    const person = pick(people)
    const partners = [...new Set([userId, idOf(person), idOf(pick(people))])].sort((a, b) => a - b)
    return pick([
      {
        operator: 'channel',
        operand: channel.name,
        isNegated,
        channel,
        matches: (one: Sent) => one.channel === channel,
      },
      {
        operator: 'channel',
        operand: channel.id,
        isNegated,
        channel,
        matches: (one: Sent) => one.channel === channel,
      },
      {
        operator: 'topic',
        operand: topic,
        isNegated,
        matches: (one: Sent) => one.channel !== undefined && foldTopic(one.topic) === foldTopic(topic),
      },
      {
        operator: 'sender',
        operand: idOf(person),
        isNegated,
        matches: (one: Sent) => one.sender === idOf(person),
      },
      {
        operator: 'dm',
        operand: partners,
        isNegated,
        matches: (one: Sent) => one.partners === partners.join(),
      },
      { operator: 'is', operand: 'dm', isNegated, matches: (one: Sent) => one.channel === undefined },
    ])
  }
})
