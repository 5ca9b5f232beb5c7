import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeRandom } from '../../events/make-random.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { note } from '../../harness/client/note.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'

type Term = readonly [operator: string, operand: unknown, isNegated?: boolean]

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

const toNarrow = (terms: readonly Term[]) =>
  terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))
const ask = (person: Person, terms: readonly Term[], fields: Fields = {}) =>
  server.as(person).get('/messages', {
    apply_markdown: false,
    anchor: 'newest',
    num_before: 1_000,
    narrow: toNarrow(terms),
    ...fields,
  })
async function contents(person: Person, ...terms: Term[]): Promise<string[]> {
  const { status, body } = await ask(person, terms)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.messages.map(({ content }: { content: string }) => content)
}
const badNarrow = (reason: string) =>
  [`Invalid narrow operator: ${reason}`, { code: 'BAD_NARROW', desc: reason }] as const

await owner.must('PATCH', '/realm', { enable_spectator_access: true })
// Channels 1 to 5; the guest and member2 can read different ones.
await owner.subscribe(['town'], { principals: [1, 4] })
await owner.subscribe(['quiet'], { principals: [1, 4] })
await owner.subscribe(['web'], { is_web_public: true })
await owner.subscribe(['secret'], { invite_only: true, principals: [1, 4] })
await owner.subscribe(['old'], { principals: [1, 4, 5] })

const first = await owner.send('town', 'plans', 'town one')
await member.send('town', '✔ plans', 'town done')
await owner.send('quiet', 'noise', 'quiet noise')
await owner.send('quiet', 'news', 'quiet news')
await owner.send('web', 'page', 'web page')
const secret = await owner.send('secret', 'hidden', 'secret one')
const past = await owner.send('old', 'past', 'old past')
const direct = await owner.sendDirect([4], '✔ direct')
const group = await owner.sendDirect([4, 5], 'group')
await owner.must('DELETE', '/streams/5')
const all = [
  'town one',
  'town done',
  'quiet noise',
  'quiet news',
  'web page',
  'secret one',
  'old past',
  '✔ direct',
  'group',
]

/** Checks that a term finds these of all, and its negation the others. */
async function finds(t: Tap, term: readonly [operator: string, operand: unknown], found: readonly string[]) {
  const label = JSON.stringify(term)
  t.same(await contents('owner', term), found, label)
  t.same(
    await contents('owner', [...term, true]),
    all.filter((content) => !found.includes(content)),
    `not ${label}`,
  )
}
type Tap = Pick<typeof t, 'same'>

t.test('[NARROW1] narrows find messages by kind of channel', async (t) => {
  const open = ['town one', 'town done', 'quiet noise', 'quiet news', 'web page', 'old past']
  for (const operator of ['channels', 'streams']) {
    await finds(t, [operator, 'public'], open)
    await finds(t, [operator, 'web-public'], ['web page'])
    await finds(t, [operator, 'archived'], ['old past'])
  }
  t.same(await contents('owner', ['channels', 'public'], ['channels', 'archived']), ['old past'])
  t.same(await contents('owner', ['channel', 'secret', true], ['channels', 'public', true]), [
    '✔ direct',
    'group',
  ])
})

t.test('[NARROW2] a narrow to public channels reads them whole', async (t) => {
  t.same(await contents('member2', ['channels', 'public']), [
    'town one',
    'town done',
    'quiet noise',
    'quiet news',
    'web page',
    'old past',
  ])
  t.same(await contents('member2', ['channels', 'public'], ['topic', 'PLANS']), ['town one'])
  t.same(await contents('member2', ['channels', 'public'], ['channel', 'quiet']), [
    'quiet noise',
    'quiet news',
  ])
  t.same(await contents('member2', ['channels', 'public', true]), ['group'])
  t.same(await contents('member2', ['channels', 'archived']), ['old past'])
  t.same(await contents('guest', ['channels', 'public']), ['web page'], 'guests read web-public channels')
  t.same(await contents('guest', ['channels', 'web-public']), ['web page'])
})

t.test('[NARROW3] a narrow finds conversations that include a user', async (t) => {
  for (const operator of ['dm-including', 'group-pm-with']) {
    await finds(t, [operator, 4], ['✔ direct', 'group'])
    await finds(t, [operator, emailOf('member2')], ['group'])
    await finds(t, [operator, [4, 5]], ['group'])
    await finds(t, [operator, 1], ['✔ direct', 'group'])
    await finds(t, [operator, 6], [])
  }
  t.same(await contents('owner', ['dm-including', 4], ['dm-including', 5]), ['group'])
  t.same(await contents('owner', ['dm-including', 4], ['dm-including', 5, true]), ['✔ direct'])
  t.same(await contents('owner', ['dm-including', 4, true], ['dm-including', 5, true]), all.slice(0, -2))
  t.same(await contents('member2', ['dm-including', 1]), ['group'], 'only own conversations')
})

t.test('[NARROW4] a narrow by message id finds the message if it is readable', async (t) => {
  await finds(t, ['id', first], ['town one'])
  await finds(t, ['id', String(group)], ['group'])
  await finds(t, ['id', 999_999], [])
  t.same(await contents('member2', ['id', secret]), [])
  t.same(await contents('member2', ['id', direct]), [])
  t.same(await contents('member2', ['id', first]), [], 'like any view of received messages')
  t.same(await contents('member2', ['channel', 'town'], ['id', first]), ['town one'])
  t.same(await contents('owner', ['id', first], ['id', group]), [])
})

t.test('[NARROW5] near excludes nothing', async (t) => {
  t.same(await contents('owner', ['near', first]), all)
  t.same(await contents('owner', ['channel', 'town'], ['near', String(first)]), ['town one', 'town done'])
})

t.test('[NARROW6] with finds the conversation of a message', async (t) => {
  t.same(await contents('owner', ['with', first]), ['town one'])
  t.same(await contents('owner', ['with', String(direct)]), ['✔ direct'])
  t.same(await contents('owner', ['channel', 'quiet'], ['topic', 'news'], ['with', first]), ['town one'])
  t.same(await contents('owner', ['dm', 4], ['with', first]), ['town one'])
  t.same(await contents('owner', ['with', first], ['sender', 4]), [])
  t.same(await contents('member2', ['with', first]), ['town one'], 'a public channel is open')
  t.same(await contents('member2', ['channel', 'town'], ['topic', 'plans'], ['with', secret]), ['town one'])
  t.same(await contents('owner', ['dm', 4], ['with', 999_999]), ['✔ direct'])
  for (const id of [secret, direct, 999_999]) {
    const answer = await ask('member2', [['with', id]])
    expectRefusal(t, answer, ...badNarrow(`unknown message ${id}`))
  }
  expectRefusal(
    t,
    await ask('owner', [
      ['channel', 'town'],
      ['with', 999_999],
    ]),
    ...badNarrow('unknown message 999999'),
  )
  expectRefusal(t, await ask('owner', [['with', 'x']]), ...badNarrow('unknown message "x"'))
  expectRefusal(t, await ask('owner', [['with', first, true]]), ...badNarrow("'with' cannot be negated"))
  expectRefusal(
    t,
    await ask('owner', [
      ['with', first],
      ['with', first],
    ]),
    ...badNarrow("more than one 'with'"),
  )
})

t.test('[NARROW7] resolved topics begin with their prefix', async (t) => {
  await finds(t, ['is', 'resolved'], ['town done'])
})

t.test('[NARROW8] followed and muted topics and channels are those of the reader', async (t) => {
  const set = (stream_id: number, topic: string, visibility_policy: number) =>
    owner.must('POST', '/user_topics', { stream_id, topic, visibility_policy })
  await finds(t, ['is', 'followed'], [])
  await finds(t, ['is', 'muted'], [])
  await set(1, 'PLANS', 1)
  await set(2, 'News', 3)
  await owner.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: 2, property: 'is_muted', value: true }],
  })
  await finds(t, ['is', 'followed'], ['quiet news'])
  await finds(t, ['is', 'muted'], ['town one', 'quiet noise'])
  const shown = all.filter((content) => content !== 'town one' && content !== 'quiet noise')
  await finds(t, ['in', 'home'], shown)
  await finds(t, ['in', 'all'], all)
  t.same(await contents('member', ['is', 'muted']), [])
  await set(2, 'noise', 2)
  await finds(t, ['is', 'muted'], ['town one'])
})

t.test('[NARROW9] has finds messages by their contents', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  for (const content of [
    'plain <a href=x> "/user_uploads/1"',
    '[link](https://example.com)',
    '![image](https://example.com/a.png)',
    '[file](/user_uploads/1/ab/file.txt)',
  ])
    await owner.send('town', 'topic', content)
  // The HTML with uploads; without them nothing is previewed.
  await server.node.services.sql`update messages
    set rendered = rendered || '<div class="message_inline_image"></div>' where content like '![image]%'`
  const read = async (...terms: Term[]) => {
    const fields = { anchor: 'newest', num_before: 9, apply_markdown: false, narrow: toNarrow(terms) }
    const { messages } = await owner.must('GET', '/messages', fields)
    return messages.map(({ content }: { content: string }) => content.slice(0, 6))
  }
  for (const [operand, found] of [
    ['link', ['[link]', '![imag', '[file]']],
    ['image', ['![imag']],
    ['attachment', ['[file]']],
  ] as const) {
    t.same(await read(['has', operand]), found, operand)
    const others = ['plain ', '[link]', '![imag', '[file]'].filter(
      (one) => !(found as readonly string[]).includes(one),
    )
    t.same(await read(['has', operand, true]), others, `not ${operand}`)
  }
  t.same(await read(['has', 'link'], ['has', 'attachment', true]), ['[link]', '![imag'])
  t.same(await read(['has', 'link'], ['has', 'link', true]), [])
})

t.test('[NARROW10] the sender can be me', async (t) => {
  t.same(await contents('member', ['sender', 'me']), ['town done'])
  t.same(await contents('member', ['sender', 'me', true], ['is', 'dm']), ['✔ direct', 'group'])
})

t.test('[NARROW11] an invalid operand is refused', async (t) => {
  for (const [operator, operand] of [
    ['is', 'link'],
    ['has', 'resolved'],
    ['in', 'town'],
    ['channels', 'private'],
    ['streams', 1],
    ['id', 'x'],
    ['id', [first]],
    ['near', '-1'],
    ['search', 7],
    ['search', ['town']],
  ] as const) {
    const described = typeof operand === 'string' ? operand : JSON.stringify(operand)
    expectRefusal(
      t,
      await ask('owner', [[operator, operand]]),
      ...badNarrow(`unknown '${operator}' operand ${described}`),
    )
  }
  expectRefusal(t, await ask('owner', [['dm-including', 99]]), ...badNarrow('unknown user in 99'))
  expectRefusal(t, await ask('owner', [['pile', 1]]), ...badNarrow('unknown operator pile'))
})

t.test('[NARROW12] anchors and message ids obey the rarer terms, too', async (t) => {
  const narrow: Term[] = [['channels', 'public']]
  const unread = await ask('member2', narrow, { anchor: 'first_unread' })
  t.equal(unread.body.anchor, past, 'messages that were not received are not unread')
  const byId = await ask('member2', narrow, { anchor: undefined, message_ids: [first, secret, group] })
  t.same(
    byId.body.messages.map(({ id }: { id: number }) => id),
    [first],
  )
  const before = await ask('owner', [['id', group]], { anchor: group - 1 })
  t.same(before.body.messages, [], 'the message itself is not before that anchor')
})

t.test('[NARROW13] random narrows find the same as a plain filter', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)
  note(`random narrows of seed ${seed}`)
  const random = makeRandom(seed)
  const pick = <Item>(items: readonly Item[]) => random.pick(items)
  const isIn = (percent: number) => random.below(100) < percent
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const readers: Person[] = ['member', 'member2', 'guest']
  const channels = [
    { id: 1, name: 'commons', kind: 'public', subscribers: [1, 4] },
    { id: 2, name: 'garden', kind: 'web-public', subscribers: [1, 5] },
    { id: 3, name: 'cellar', kind: 'private', subscribers: [1, 5, 6] },
    { id: 4, name: 'attic', kind: 'public', subscribers: [1, 4, 6] },
  ] as const
  type Channel = (typeof channels)[number]
  await owner.must('PATCH', '/realm', { enable_spectator_access: true })
  for (const { name, kind, subscribers } of channels)
    await owner.subscribe([name], {
      invite_only: kind === 'private',
      is_web_public: kind === 'web-public',
      principals: subscribers,
    })
  const visibilities = { 'commons/herbs': 1, 'garden/✔ roses': 3, 'attic/herbs': 2 } as Record<string, number>
  for (const reader of readers) {
    const client = server.as(reader)
    for (const [key, visibility_policy] of Object.entries(visibilities)) {
      const [name, topic] = key.split('/')
      const channel = channels.find((one) => one.name === name) as Channel
      if (mayRead(reader, channel))
        await client.must('POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy })
    }
    const muted = channels.filter((one) => isSubscribed(reader, one) && one.name === 'attic')
    await client.must('POST', '/users/me/subscriptions/properties', {
      subscription_data: muted.map(({ id }) => ({ stream_id: id, property: 'is_muted', value: true })),
    })
  }
  interface Sent {
    readonly id: number
    readonly channel: Channel | undefined
    readonly topic: string
    readonly sender: number
    readonly partners: readonly number[]
    readonly content: string
  }
  const words = ['lavender', 'thermometer', 'wheelbarrow', 'ox', '50%', 'a_b', 'back\\slash', '<b>']
  const extras = ['', ' [x](https://example.com)', ' ![x](/user_uploads/1/a.png)']
  const topics = ['herbs', '✔ roses', 'wheel']
  const sent: Sent[] = []
  for (let index = 0; index < 200; index++) {
    // The index has some of them, but not the newer ones.
    if (index === 120) await indexMessages(server.node.services.sql)
    const content = `${pick(words)} ${pick(words)}${pick(extras)}`
    if (isIn(25)) {
      const others = [...new Set([pick([4, 5, 6]), pick([4, 5, 6])])]
      const id = await owner.sendDirect(others, content)
      sent.push({ id, channel: undefined, topic: '', sender: 1, partners: [1, ...others], content })
    } else {
      const channel = pick(channels)
      const topic = pick(topics)
      const sender = pick(['owner', ...readers.filter((one) => isSubscribed(one, channel))] as const)
      const id = await server.as(sender).send(channel.name, topic, content)
      sent.push({ id, channel, topic, sender: server.as(sender).userId, partners: [], content })
    }
  }
  for (let query = 0; query < 250; query++) {
    const reader = pick(readers)
    const terms = Array.from({ length: 1 + random.below(3) }, () => makeTerm(reader))
    const narrow = terms.map(({ term }) => term)
    const opened = (channel: Channel) =>
      channel.kind !== 'private' &&
      terms.some(({ term: [operator, operand, isNegated] }) => {
        if (isNegated) return false
        if (operator === 'channel') return operand === channel.name
        return operator === 'channels' && (operand === 'public' || operand === channel.kind)
      })
    const expected = sent.filter((message) => {
      if (!terms.every(({ term, matches }) => matches(message) !== term[2])) return false
      if (!message.channel) return message.partners.includes(server.as(reader).userId)
      if (!mayRead(reader, message.channel)) return false
      return isSubscribed(reader, message.channel) || opened(message.channel)
    })
    const label = `seed ${seed}: ${reader} ${JSON.stringify(narrow)}`
    const isPaged = isIn(30)
    const anchor = pick(sent).id
    const { status, body } = await server.as(reader).get('/messages', {
      narrow: toNarrow(narrow),
      ...(isPaged
        ? { anchor: String(anchor), num_before: 5, num_after: 5 }
        : { anchor: 'oldest', num_after: 500 }),
    })
    const isRefused = terms.some(({ channel }) => channel && !mayRead(reader, channel))
    if (isRefused) {
      if (status !== 400 || body.code !== 'BAD_NARROW') t.fail(label)
      continue
    }
    const ids = expected.map(({ id }) => id)
    const page = [...ids.filter((id) => id < anchor).slice(-5), ...ids.filter((id) => id >= anchor)]
    const after = ids.filter((id) => id > anchor).slice(0, 5)
    const wanted = isPaged ? page.filter((id) => id <= anchor || after.includes(id)) : ids
    t.same(
      body.messages?.map(({ id }: { id: number }) => id),
      wanted,
      label,
    )
    const { messages } = await server.as(reader).must('GET', '/messages/matches_narrow', {
      msg_ids: sent.slice(0, 100).map(({ id }) => id),
      narrow: toNarrow(narrow),
    })
    const asked = new Set(sent.slice(0, 100).map(({ id }) => id))
    t.same(
      Object.keys(messages).map(Number),
      ids.filter((id) => asked.has(id)),
      `matches of ${label}`,
    )
  }

  function isSubscribed(reader: Person, { subscribers }: Channel): boolean {
    return (subscribers as readonly number[]).includes(server.as(reader).userId)
  }

  function mayRead(reader: Person, channel: Channel): boolean {
    if (channel.kind === 'web-public' || isSubscribed(reader, channel)) return true
    return channel.kind === 'public' && reader !== 'guest'
  }

  interface Made {
    readonly term: readonly [operator: string, operand: unknown, isNegated: boolean]
    readonly matches: (message: Sent) => boolean
    readonly channel?: Channel
  }

  function makeTerm(reader: Person): Made {
    const isNegated = isIn(35)
    const channel = pick(channels)
    const partner = pick([1, 4, 5, 6])
    const word = pick([...words, 'lavend', 'barrow', 'ARROW', 'wheel'])
    const message = pick(sent)
    const visibility = (one: Sent) => visibilities[`${one.channel?.name}/${one.topic}`]
    const isMuted = (one: Sent) =>
      one.channel !== undefined &&
      (visibility(one) === undefined
        ? one.channel.name === 'attic' && isSubscribed(reader, one.channel)
        : visibility(one) === 1)
    const made = (operator: string, operand: unknown, matches: (message: Sent) => boolean): Made => ({
      term: [operator, operand, isNegated],
      matches,
    })
    return pick<() => Made>([
      () => ({ ...made('channel', channel.name, (one) => one.channel === channel), channel }),
      () => made('channels', 'public', (one) => one.channel !== undefined && one.channel.kind !== 'private'),
      () => made('channels', 'web-public', (one) => one.channel?.kind === 'web-public'),
      () => made('topic', 'HERBS', (one) => one.topic === 'herbs'),
      () => made('sender', partner, (one) => one.sender === partner),
      () => made('sender', 'me', (one) => one.sender === server.as(reader).userId),
      () => made('dm-including', partner, (one) => one.partners.includes(partner)),
      () => made('id', message.id, (one) => one === message),
      () => made('is', 'dm', (one) => one.channel === undefined),
      () => made('is', 'resolved', (one) => one.topic.startsWith('✔ ')),
      () => made('is', 'followed', (one) => visibility(one) === 3),
      () => made('is', 'muted', isMuted),
      () => made('in', 'home', (one) => !isMuted(one)),
      () => made('has', 'link', (one) => one.content.includes('[x]')),
      () => made('has', 'image', () => false), // Without uploads nothing is previewed.
      () => made('has', 'attachment', (one) => one.content.includes('user_uploads')),
      () => made('search', word, (one) => finds(one, word)),
      () => made('search', `${word} lavender`, (one) => finds(one, word) && finds(one, 'lavender')),
      () => made('search', `"er ${word}"`, (one) => finds(one, `er ${word}`)),
    ])()
  }

  function finds({ topic, content }: Sent, word: string): boolean {
    return `${topic} ${content}`.toLowerCase().includes(word.toLowerCase())
  }
})

t.test('[NARROW14] near leads to the conversation of a message that has left the topic', async (t) => {
  await owner.subscribe(['moves'], { principals: [1, 4] })
  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
  const moved = await owner.send('moves', 'lunch', 'lunch one')
  const gone = await owner.send('moves', 'lunch', 'lunch two')
  const { streams } = await owner.must('GET', '/streams')
  const closedId = streams.find(({ name }) => name === 'closed')?.stream_id
  await owner.must('PATCH', `/messages/${moved}`, { topic: 'dinner', send_notification_to_new_thread: false })
  await owner.must('PATCH', `/messages/${gone}`, {
    stream_id: closedId,
    send_notification_to_new_thread: false,
  })
  await owner.send('moves', 'lunch', 'lunch anew')
  const lunch = (id: unknown, ...others: Term[]) =>
    [['channel', 'moves'], ['topic', 'Lunch'], ['near', id], ...others] as const
  t.same(await contents('member', ...lunch(moved)), ['lunch one'])
  t.same(await contents('member', ...lunch(String(gone))), ['lunch two'], 'also in another channel')
  t.same(
    await contents('member2', ...lunch(gone)),
    ['lunch anew'],
    'nobody learns of places they may not read',
  )
  t.same(await contents('member', ...lunch(999_999)), ['lunch anew'])
  t.same(await contents('member', ...lunch(direct)), ['lunch anew'], 'direct messages do not move')
  t.same(await contents('member', ...lunch(moved, ['sender', 4])), [], 'other terms stay')
  const inTopic = await contents('member', ['channel', 'moves'], ['topic', 'Dinner'], ['near', moved])
  t.same(inTopic, ['lunch one'])
  const inChannel = await contents('member', ['channel', 'town'], ['near', moved])
  t.same(inChannel, ['town one', 'town done'], 'a whole channel stays')
})
