import { request } from 'node:http'
import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Client, Fields, Queue } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import type { Recipients } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t, { env: { GRAVATAR: 'on' } })
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
await member.subscribe(['secret'], { invite_only: true, principals: [4, 6] })
const TOWN = 1
const SECRET = 2

const send = (person: Person, fields: Fields) =>
  server.as(person).post('/messages', { type: 'channel', content: 'hello', topic: 'news', ...fields })
const noChannel = (name: string) => ({ code: 'STREAM_DOES_NOT_EXIST', stream: name })

/** Messages by id, as their sender sees them. */
async function read(client: Client, ...ids: number[]) {
  const { messages } = await client.must('GET', '/messages', {
    message_ids: ids,
    allow_empty_topic_name: true,
    apply_markdown: false,
  })
  return messages
}
async function messagesOf(client: Client, queue: Queue) {
  return (await client.events(queue)).filter(({ type }) => type === 'message')
}

t.test('[SEND1] a channel message reaches its subscribers and nobody else', async (t) => {
  let id: number | undefined
  const events = await expectConsistent(server, async () => {
    const { body } = await send('owner', { to: 'town', content: '*hello*' })
    t.same(Object.keys(body).sort(), ['id', 'msg', 'result'])
    id = body.id
  })
  for (const person of ['owner', 'member', 'guest'] as const) {
    const [event, ...more] = events[person]
    t.same(more, [])
    t.same(
      [{ ...event, id, message: { ...event.message, timestamp: 0 } }],
      [
        {
          id,
          type: 'message',
          flags: [],
          message: {
            id,
            timestamp: 0,
            sender_id: 1,
            content: '<p><em>hello</em></p>',
            content_type: 'text/html',
            type: 'stream',
            stream_id: TOWN,
            display_recipient: 'town',
            recipient_id: TOWN * 2,
            subject: 'news',
            client: 'API',
            topic_links: [],
            is_me_message: false,
            reactions: [],
            submessages: [],
            sender_full_name: 'The owner',
            sender_email: emailOf('owner'),
            sender_realm_str: '',
            avatar_url: null,
          },
        },
      ],
    )
  }
  t.same(events.member2, [])
})

t.test(
  '[SEND2] a channel is named by id, by name in any case, by JSON, or by a list with one of these',
  async (t) => {
    for (const to of ['town', ' TOWN ', '"town"', '["town"]', String(TOWN), `[${TOWN}]`]) {
      for (const type of ['channel', 'stream']) {
        t.equal((await send('owner', { type, to })).status, 200, `${type} ${to}`)
      }
    }
    const single = 'Expected exactly one channel'
    expectRefusal(t, await send('owner', { to: '[]' }), single)
    expectRefusal(t, await send('owner', { to: '["town","secret"]' }), single)
    expectRefusal(t, await send('owner', { to: [1, 2] }), single)
    expectRefusal(t, await send('owner', { to: '{"id":1}' }), 'to[0] is not a string')
    expectRefusal(t, await send('owner', { to: '[1,"town"]' }), 'to[0] is not a string')
    expectRefusal(t, await send('owner', { to: '1.5' }), 'to[0] is not an integer')
  },
)

t.test(
  '[SEND3] a user who cannot read a private channel gets the same answer as for an absent one',
  async (t) => {
    expectRefusal(
      t,
      await send('owner', { to: 'Nowhere' }),
      "Channel 'Nowhere' does not exist",
      noChannel('Nowhere'),
    )
    expectRefusal(t, await send('owner', { to: 99 }), "Channel with ID '99' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 99,
    })
    for (const person of ['owner', 'administrator', 'member2', 'bot'] as const) {
      expectRefusal(
        t,
        await send(person, { to: 'Secret' }),
        "Channel 'Secret' does not exist",
        noChannel('Secret'),
      )
      expectRefusal(t, await send(person, { to: SECRET }), `Channel with ID '${SECRET}' does not exist`, {
        code: 'STREAM_DOES_NOT_EXIST',
        stream_id: SECRET,
      })
    }
    t.equal((await send('guest', { to: 'secret' })).status, 200)
  },
)

t.test('[SEND4] a public channel accepts messages of everyone except for guests outside it', async (t) => {
  await owner.subscribe(['square'])
  for (const person of ['member2', 'bot', 'moderator'] as const) {
    t.equal((await send(person, { to: 'square' })).status, 200)
  }
  expectRefusal(
    t,
    await send('guest', { to: 'square' }),
    "Channel 'square' does not exist",
    noChannel('square'),
  )
})

t.test(
  '[SEND5] a topic can come as subject; both names of the empty topic, and no topic, mean it',
  async (t) => {
    const topicOf = async (fields: Fields) => {
      const { body } = await owner.post('/messages', { type: 'stream', to: TOWN, content: 'x', ...fields })
      return (await read(owner, body.id))[0].subject
    }
    t.equal(await topicOf({ subject: 'old name' }), 'old name')
    t.equal(await topicOf({ topic: ' new ', subject: 'old' }), 'new')
    for (const fields of [
      { topic: '(no topic)' },
      { topic: 'general chat' },
      { topic: ' ' },
      { topic: '' },
    ]) {
      t.equal(await topicOf(fields), '')
    }
  },
)

t.test('[SEND6] a topic has at most 60 code points', async (t) => {
  const topic = '😀'.repeat(60)
  const { body } = await send('owner', { to: 'town', topic: ` ${topic} ` })
  t.equal((await read(owner, body.id))[0].subject, topic)
  expectRefusal(
    t,
    await send('owner', { to: 'town', topic: `${topic}x` }),
    'topic is too long (limit: 60 characters)',
  )
})

t.test('[SEND25] a message to a channel needs a topic, which can be empty', async (t) => {
  for (const type of ['channel', 'stream']) {
    expectRefusal(t, await send('owner', { type, to: 'town', topic: undefined }), 'Missing topic')
    for (const topic of ['', '(no topic)', 'x']) {
      t.equal((await send('owner', { type, to: 'town', topic })).status, 200)
    }
  }
  t.equal((await send('owner', { to: 'town', topic: undefined, subject: '' })).status, 200)
  t.equal((await send('owner', { type: 'direct', to: [4], topic: undefined })).status, 200)
})

t.test(
  '[SEND26] a new topic cannot have invisible characters, and existing ones stay readable',
  async (t) => {
    const refused = (position: number) => `Invalid character in topic, at position ${position}!`
    for (const [topic, position] of [
      ['a\0b', 2],
      ['a\nb', 2],
      ['😀😀\u0007', 3],
      ['\u0378', 1],
      ['x\u009f', 2],
    ] as const) {
      expectRefusal(t, await send('owner', { to: 'town', topic }), refused(position))
    }
    t.equal((await send('owner', { to: 'town', topic: ' \n\u200dfine\t' })).status, 200, 'trimmed first')
    const { body } = await send('owner', { to: 'town', topic: 'of old' })
    const { sql } = server.node.services
    await sql`update messages set topic = ${'of\u0007old'} where id = ${body.id}`
    const patch = (fields: Fields) => owner.patch(`/messages/${body.id}`, fields)
    const there = await owner.must('GET', '/messages', { message_ids: [body.id] })
    t.equal(there.messages[0].subject, 'of\u0007old')
    t.equal((await patch({ content: 'an edit', topic: 'of\u0007old' })).status, 200)
    expectRefusal(t, await patch({ topic: 'of\u0008old' }), refused(3))
    expectRefusal(t, await patch({ topic: 'of\0old' }), refused(3))
    t.equal((await patch({ topic: 'as of now' })).status, 200)
  },
)

t.test('[SEND7] content has 1 to 10,000 code points; trailing blanks are removed', async (t) => {
  const content = '😀'.repeat(10_000)
  const { body } = await send('owner', { to: 'town', content })
  t.equal((await read(owner, body.id))[0].content, content)
  expectRefusal(
    t,
    await send('owner', { to: 'town', content: `${content}x` }),
    'content is too long (limit: 10000 characters)',
  )
  for (const empty of ['', ' ', '\n\t ']) {
    expectRefusal(t, await send('owner', { to: 'town', content: empty }), 'Message must not be empty')
    expectRefusal(
      t,
      await send('owner', { type: 'direct', to: [4], content: empty }),
      'Message must not be empty',
    )
  }
  expectRefusal(
    t,
    await send('owner', { to: 'town', content: 'a\0b' }),
    'content must not contain null characters',
  )
  const trailing = await send('owner', { to: 'town', content: '  indented\n\n \t' })
  t.equal((await read(owner, trailing.body.id))[0].content, '  indented')
})

t.test('[SEND27] trailing white space does not count towards the length of a message', async (t) => {
  const content = '😀'.repeat(10_000)
  const padded = content + ' \n'.repeat(20_000)
  const tooLong = 'content is too long (limit: 10000 characters)'
  const { body } = await send('owner', { to: 'town', content: padded })
  t.equal((await read(owner, body.id))[0].content, content)
  const { id } = (await send('owner', { to: 'town', content: 'short' })).body
  await owner.must('PATCH', `/messages/${id}`, { content: padded })
  t.equal((await read(owner, id))[0].content, content)
  expectRefusal(t, await owner.patch(`/messages/${id}`, { content: ` ${padded}` }), tooLong)
  await owner.must('PATCH', `/messages/${id}`, { content: ' \n'.repeat(20_000) })
  t.equal((await read(owner, id))[0].content, '(deleted)')
  const scheduled = { type: 'direct', to: [4], scheduled_delivery_timestamp: 4e9 }
  await owner.must('POST', '/scheduled_messages', { ...scheduled, content: padded })
  const { scheduled_messages: listed } = await owner.must('GET', '/scheduled_messages')
  t.equal(listed[0].content, content)
  expectRefusal(t, await owner.post('/scheduled_messages', { ...scheduled, content: ` ${padded}` }), tooLong)
  const { rendered } = await owner.must('POST', '/messages/render', { content: padded })
  t.match(rendered, /^<p><span/)
})

t.test('[SEND8] missing parameters are reported by name', async (t) => {
  for (const name of ['type', 'to', 'content']) {
    expectRefusal(
      t,
      await send('owner', { to: 'town', [name]: undefined, ...(name === 'to' ? {} : {}) }),
      `Missing '${name}' argument`,
      {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: name,
      },
    )
  }
  expectRefusal(t, await send('owner', { to: 'town', type: 'telepathy' }), 'Invalid type')
})

t.test('[SEND9] direct messages reach only their participants', async (t) => {
  let id: number | undefined
  const events = await expectConsistent(server, async () => {
    id = await owner.sendDirect([6, 4], '/me waves')
  })
  for (const person of ['owner', 'member', 'guest'] as const) {
    t.match(events[person], [
      {
        type: 'message',
        message: {
          id,
          type: 'private',
          subject: '',
          is_me_message: true,
          display_recipient: [
            { id: 1, email: emailOf('owner'), full_name: 'The owner', is_mirror_dummy: false },
            { id: 4, email: emailOf('member') },
            { id: 6, email: emailOf('guest') },
          ],
        },
      },
    ])
    t.notOk('stream_id' in events[person][0].message)
  }
  t.same(events.member2, [])
})

t.test('[SEND10] people are named by ids, by addresses, or by addresses separated by commas', async (t) => {
  const partners = async (to: unknown, type = 'direct') => {
    const { body } = await owner.post('/messages', { type, to, content: 'x' })
    return ((await read(owner, body.id))[0].display_recipient as Recipients).map(({ id }) => id)
  }
  t.same(await partners([4, 5, 4]), [1, 4, 5])
  t.same(await partners([1, 4, 5], 'private'), [1, 4, 5])
  t.same(await partners(5), [1, 5])
  t.same(await partners(['MEMBER@example.com', emailOf('guest')]), [1, 4, 6])
  t.same(await partners(emailOf('member2')), [1, 5])
  t.same(await partners(`${emailOf('member2')}, ${emailOf('guest')},`), [1, 5, 6])
  t.same(await partners([1]), [1])
  t.same(await partners(emailOf('owner')), [1])
  expectRefusal(t, await send('owner', { type: 'direct', to: [] }), 'Message must have recipients')
  expectRefusal(t, await send('owner', { type: 'direct', to: ' , ' }), 'Message must have recipients')
  expectRefusal(t, await send('owner', { type: 'direct', to: [4, 999] }), 'Invalid user ID 999')
  expectRefusal(
    t,
    await send('owner', { type: 'direct', to: 'x@example.com' }),
    "Invalid email 'x@example.com'",
  )
})

t.test('[SEND11] a conversation has at most 100 people, the sender included', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const added = await Promise.all(Array.from({ length: 94 }, (_, index) => addUser(server, `user${index}`)))
  const others = [2, 3, 4, 5, 6, 7, ...added.map(({ userId }) => userId)]
  t.equal(typeof (await owner.sendDirect(others.slice(0, 99), 'all of us')), 'number')
  expectRefusal(
    t,
    await owner.post('/messages', { type: 'direct', to: others, content: 'too many' }),
    'Too many recipients (maximum 100).',
  )
})

t.test('[SEND12] direct messages to a deactivated user are refused', async (t) => {
  const gone = await addUser(server, 'gone')
  await owner.sendDirect([gone.userId], 'before')
  await deactivate(server, gone.userId)
  const msg = "'gone@example.com' is no longer using this organization."
  expectRefusal(t, await send('owner', { type: 'direct', to: [gone.userId] }), msg)
  expectRefusal(t, await send('owner', { type: 'direct', to: [4, gone.userId] }), msg)
  expectRefusal(t, await send('owner', { type: 'direct', to: 'gone@example.com' }), msg)
})

t.test('[SEND13] a message is read for its sender if the client is for people, or requests it', async (t) => {
  const flagsOf = async (userAgent: string, fields: Fields = {}) => {
    const { body } = await owner.request(
      'POST',
      '/messages',
      { type: 'channel', to: TOWN, topic: 'flags', content: 'x', ...fields },
      { 'user-agent': userAgent },
    )
    const { messages } = await owner.must('GET', '/messages', { message_ids: [body.id] })
    return [messages[0].client, ...messages[0].flags]
  }
  t.same(await flagsOf('ZulipMobile/27.0 (x)'), ['ZulipMobile', 'read'])
  t.same(await flagsOf('Mozilla/5.0 (X11)'), ['Mozilla', 'read'])
  t.same(await flagsOf('ZulipPython/0.9'), ['ZulipPython'])
  t.same(await flagsOf('ZulipPython/0.9', { read_by_sender: true }), ['ZulipPython', 'read'])
  t.same(await flagsOf('Mozilla/5.0', { read_by_sender: false }), ['Mozilla'])
  t.same(await flagsOf('x'.repeat(40)), ['x'.repeat(30)])
  const events = await expectConsistent(server, () =>
    owner.send('town', 'flags', 'read', { read_by_sender: true }),
  )
  t.same(events.owner?.[0].flags, ['read'])
  t.same(events.member?.[0].flags, [])
})

t.test('[SEND14] any User-Agent is accepted', async (t) => {
  // A cut after 30 UTF-16 units would leave half a character.
  const userAgent = Buffer.from(`${'x'.repeat(29)}😀/1.0`).toString('latin1')
  const body = new URLSearchParams({ type: 'channel', to: 'town', topic: 'x', content: 'x' }).toString()
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${owner.url}/api/v1/messages`,
      {
        method: 'POST',
        headers: {
          authorization: owner.authorization,
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': userAgent,
        },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
  t.equal(status, 200)
})

t.test('[SEND15] the local id of a message is sent only to the queue that sent it', async (t) => {
  const mine = await owner.register()
  const other = await owner.register()
  const theirs = await member.register()
  await owner.send('town', 'marks', 'marked', { queue_id: mine.queueId, local_id: '12.01' })
  await owner.send('town', 'marks', 'without a queue', { local_id: '13.01' })
  // Local ids are not sent to the queue of another user.
  await owner.send('town', 'marks', 'to a stranger', { queue_id: theirs.queueId, local_id: '14.01' })
  const marks = async (client: Client, queue: Queue) =>
    (await messagesOf(client, queue)).map((event) => event.local_message_id)
  t.same(await marks(owner, mine), ['12.01', undefined, undefined])
  t.same(await marks(owner, other), [undefined, undefined, undefined])
  t.same(await marks(member, theirs), [undefined, undefined, undefined])
})

t.test('[SEND16] a retry sends nothing and returns the same id', async (t) => {
  const queue = await owner.register()
  const mark = { queue_id: queue.queueId, local_id: '1' }
  const first = await owner.send('town', 'retries', 'once', mark)
  t.equal(await owner.send('town', 'retries', 'once', mark), first)
  t.equal(await owner.sendDirect([4], 'even elsewhere', mark), first)
  // Many at once, in one batch with new ones.
  const batch = await Promise.all([
    ...Array.from({ length: 5 }, () => owner.send('town', 'retries', 'twin', { ...mark, local_id: '2' })),
    ...Array.from({ length: 5 }, (_, index) => owner.send('town', 'retries', `single ${index}`)),
    owner.send('town', 'retries', 'once', mark),
    // Local ids of different senders are separate.
    member.send('town', 'retries', 'mine', mark),
  ])
  t.equal(new Set(batch.slice(0, 5)).size, 1)
  t.equal(new Set(batch.slice(5, 10)).size, 5)
  t.equal(batch[10], first)
  t.not(batch[11], first)
  const contents = (await messagesOf(owner, queue)).map(({ message }) => message.content)
  t.same(
    contents.toSorted((a, b) => (a < b ? -1 : 1)),
    ['mine', 'once', ...Array.from({ length: 5 }, (_, index) => `single ${index}`), 'twin'],
  )
  expectRefusal(
    t,
    await send('owner', { to: 'town', queue_id: queue.queueId, local_id: 'x'.repeat(101) }),
    'local_id is too long (limit: 100 characters)',
  )
})

t.test('[SEND21] after a retry at another process the message can be read there', async (t) => {
  // Without Redis and with a stopped clock, the other process gets nothing by itself.
  const quiet = await startTestServer(t, { clock: new ManualClock() })
  const other = await quiet.startAnotherNode()
  const mark = { queue_id: 'any', local_id: '1' }
  const id = await quiet.as('owner').sendDirect([1], 'once', mark)
  t.equal(await other.as('owner').sendDirect([1], 'once', mark), id)
  const page = await other.as('owner').must('GET', '/messages', { anchor: 'newest', num_before: 1 })
  t.match(page.messages, [{ id, content: '<p>once</p>' }])
})

t.test('[SEND17] a retry at another process is the same message, also concurrently', async (t) => {
  const server = await startTestServer(t, { redis: true })
  const another = await server.startAnotherNode()
  const [here, there] = [server.as('owner'), another.as('owner')]
  await here.subscribe(['town'])
  const queue = await here.register()
  const mark = (index: number) => ({ queue_id: queue.queueId, local_id: String(index) })
  // A process that lags behind answers once it has caught up.
  const first = await here.send('town', 'retries', 'first', mark(0))
  t.equal(await there.sendDirect([1], 'first', mark(0)), first)
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? here : there).sendDirect([1], `message ${index >> 1}`, mark(1 + (index >> 1))),
    ),
  )
  for (let index = 0; index < 40; index += 2) t.equal(ids[index], ids[index + 1])
  t.equal(new Set(ids).size, 20)
  t.equal((await messagesOf(here, queue)).length, 21)
})

t.test('[SEND18] messages of one sender keep their order, however long each takes to render', async (t) => {
  const queue = await member.register()
  const long = 'word '.repeat(1_500)
  const contents = Array.from({ length: 40 }, (_, index) => `${index} ${index % 3 === 0 ? long : ''}`.trim())
  // Each is sent as soon as the one before was accepted, before its reply.
  const sent = contents.map((content) => owner.send('town', 'order', content))
  const direct = contents.map((content) => owner.sendDirect([4], content))
  await Promise.all([...sent, ...direct])
  const events = await messagesOf(member, queue)
  for (const type of ['stream', 'private']) {
    const received = events
      .filter(({ message }) => message.type === type)
      .map(({ message }) => Number.parseInt(message.content, 10))
    t.equal(received.length, contents.length)
    t.same(await orderOf(type), received)
  }

  async function orderOf(type: string) {
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: contents.length,
      apply_markdown: false,
      narrow:
        type === 'stream'
          ? [
              ['channel', 'town'],
              ['topic', 'order'],
            ]
          : [['dm', [1]]],
    })
    return messages.map(({ content }: { content: string }) => Number.parseInt(content, 10))
  }
})

t.test('[SEND19] a message that takes too long to render fails alone', async (t) => {
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      owner.post('/messages', {
        type: 'channel',
        to: 'town',
        topic: 'slow',
        content: index % 4 === 0 ? '![['.repeat(3_333) : `short ${index}`,
      }),
    ),
  )
  for (const [index, answer] of answers.entries()) {
    if (index % 4 === 0) expectRefusal(t, answer, 'Unable to render message')
    else t.equal(answer.status, 200)
  }
  const { messages } = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 100 })
  t.equal(messages.length, 9)
})

t.test('[SEND20] a user who is removed while a message is on its way has not sent it', async (t) => {
  await owner.subscribe(['closing'], { principals: [guest.userId] })
  const { committer } = server.node.services
  const submit = committer.submit.bind(committer)
  t.teardown(() => Reflect.deleteProperty(committer, 'submit'))
  // The message is admitted and rendered, and waits for its commit; the removal comes first.
  const isOnItsWay = new Promise<() => void>((resolve) => {
    committer.submit = (async (decision: never) => {
      Reflect.deleteProperty(committer, 'submit')
      await new Promise<void>((go) => resolve(go))
      return submit(decision)
    }) as typeof submit
  })
  const sending = guest.post('/messages', { type: 'channel', to: 'closing', topic: 'x', content: 'too late' })
  const go = await isOnItsWay
  await owner.must('DELETE', '/users/me/subscriptions', {
    subscriptions: ['closing'],
    principals: [guest.userId],
  })
  go()
  t.match(await sending, { status: 400, body: { code: 'STREAM_DOES_NOT_EXIST' } })
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    narrow: [['channel', 'closing']],
  })
  t.same(messages, [])
})
