import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import t from 'tap'
import type { Answer, Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import type { ReplyAt } from '../../harness/client/wire-types.ts'

const START_SECONDS = 1_800_000_000
const clock = new ManualClock(START_SECONDS * 1000)
const server = await startTestServer(t, { clock, env: { GRAVATAR: 'on' } })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4] })
await owner.subscribe(['other'])
await member.subscribe(['guarded'], { invite_only: true, principals: [4] })
await member.subscribe(['shared'], {
  invite_only: true,
  history_public_to_subscribers: true,
  principals: [4],
})

const get = (person: Person, fields: Fields) => server.as(person).get('/messages', fields)
async function page(person: Person, fields: Fields) {
  return server.as(person).must('GET', '/messages', fields)
}
async function contents(person: Person, fields: Fields): Promise<string[]> {
  const { messages } = await page(person, {
    apply_markdown: false,
    anchor: 'newest',
    num_before: 100,
    ...fields,
  })
  return messages.map(({ content }: { content: string }) => content)
}
const badNarrow = (reason: string) =>
  [`Invalid narrow operator: ${reason}`, { code: 'BAD_NARROW', desc: reason }] as const

const one = await owner.send('town', 'Äpfel', '*one*')
clock.leap(100_000_000)
const two = await member.send('town', 'birnen', 'two')
clock.leap(100_000_000)
const three = await owner.send('town', '', 'three', { read_by_sender: true })
const four = await owner.sendDirect([4], 'four')
const five = await owner.sendDirect([4, 5], 'five')
await owner.send('other', 'birnen', 'elsewhere')

t.test('[PAGE1] a page around an anchor is complete', async (t) => {
  const body = await page('owner', {
    anchor: two,
    num_before: 1,
    num_after: 1,
    narrow: [['channel', 'town']],
  })
  const common = {
    content_type: 'text/html',
    type: 'stream',
    stream_id: 1,
    display_recipient: 'town',
    recipient_id: 2,
    client: 'API',
    topic_links: [],
    is_me_message: false,
    reactions: [],
    submessages: [],
    sender_realm_str: '',
    avatar_url: null,
  }
  const byOwner = { sender_id: 1, sender_full_name: 'The owner', sender_email: emailOf('owner') }
  const byMember = { sender_id: 4, sender_full_name: 'The member', sender_email: emailOf('member') }
  t.same(body, {
    result: 'success',
    msg: '',
    messages: [
      {
        ...common,
        ...byOwner,
        id: one,
        subject: 'Äpfel',
        content: '<p><em>one</em></p>',
        timestamp: START_SECONDS,
        flags: [],
      },
      {
        ...common,
        ...byMember,
        id: two,
        subject: 'birnen',
        content: '<p>two</p>',
        timestamp: START_SECONDS + 100_000,
        flags: [],
      },
      {
        ...common,
        ...byOwner,
        id: three,
        subject: 'general chat',
        content: '<p>three</p>',
        timestamp: START_SECONDS + 200_000,
        flags: ['read'],
      },
    ],
    anchor: two,
    found_anchor: true,
    found_oldest: true,
    found_newest: true,
    history_limited: false,
  })
})

t.test('[PAGE2] the reader chooses the form of messages', async (t) => {
  const { messages } = await page('owner', {
    message_ids: [one, three],
    apply_markdown: false,
    client_gravatar: false,
    allow_empty_topic_name: true,
  })
  t.match(messages, [
    {
      content: '*one*',
      content_type: 'text/x-markdown',
      avatar_url: /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/,
    },
    { subject: '' },
  ])
})

t.test('[PAGE3] an anchor is an id, newest, oldest, first_unread or a date', async (t) => {
  const around = async (person: Person, anchor: unknown, more: Fields = {}) => {
    const body = await page(person, { anchor: String(anchor), num_after: 1, num_before: 1, ...more })
    return [body.anchor, ...body.messages.map(({ id }: { id: number }) => id)]
  }
  t.same(await around('member', two), [two, one, two, three])
  t.same(await around('member', `${two + 0}`), [two, one, two, three])
  t.same(await around('member', 'oldest'), [0, one])
  t.same(await around('member', 'newest'), [1e16, five])
  t.same(await around('member', 1e15), [1e15, five])
  t.same(await around('member', '99999999999999999'), [1e16, five])
  t.same(await around('member', -7), [0, one])
  t.same(await around('member', 'first_unread'), [one, one, two])
  // The owner's own messages are read for the owner.
  const narrow = [['topic', '']]
  t.same(await around('owner', 'first_unread', { narrow }), [1e16, three])
  t.same(await around('member', 'first_unread', { narrow }), [three, three])
  t.same(await around('member', 'newest', { use_first_unread_anchor: true }), [one, one, two])
  const at = (seconds: number, zone = 'Z') => new Date(seconds * 1000).toISOString().replace('Z', zone)
  for (const [date, id] of [
    [at(START_SECONDS), one],
    [at(START_SECONDS + 1), two],
    [at(START_SECONDS + 100_000), two],
    [at(START_SECONDS + 100_000, ''), two],
    [at(START_SECONDS + 100_000 + 3600, '+01:00'), two],
    [at(START_SECONDS + 100_001), three],
    ['2001-01-01', one],
    ['2001-01-01T10:00', one],
    ['2001-01-01 10:00:00.123456+0100', one],
    [at(START_SECONDS + 300_000), 1e16],
  ] as const) {
    t.equal((await around('member', 'date', { anchor_date: date }))[0], id, date)
  }
  t.equal((await around('owner', 'date', { anchor_date: '2001-01-01', narrow: [['sender', 4]] }))[0], two)
})

t.test('[PAGE4] an invalid anchor, or a date anchor without its date, is refused', async (t) => {
  const missing = (name: string) =>
    [`Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name: name }] as const
  expectRefusal(t, await get('owner', { num_before: 1 }), ...missing('anchor'))
  expectRefusal(t, await get('owner', { anchor: 'date' }), ...missing('anchor_date'))
  for (const anchor of ['', 'latest', '1.5', '0x10', '1e3', '[1]', 'null', '123456789012345678']) {
    expectRefusal(t, await get('owner', { anchor }), 'Invalid anchor')
  }
  for (const anchor_date of [
    '',
    'yesterday',
    '1',
    '2024-13-01',
    '2024-01-01T25:00',
    '2024-01-01Z',
    '10000-01-01',
  ]) {
    expectRefusal(t, await get('owner', { anchor: 'date', anchor_date }), 'Invalid anchor')
  }
})

t.test('[PAGE5] a page has at most 5,000 messages', async (t) => {
  t.equal((await get('owner', { anchor: 'newest', num_before: 2_500, num_after: 2_500 })).status, 200)
  const tooMany = 'Too many messages requested (maximum 5000).'
  expectRefusal(t, await get('owner', { anchor: 'newest', num_before: 2_501, num_after: 2_500 }), tooMany)
  expectRefusal(t, await get('owner', { anchor: 'newest', num_before: 5_001 }), tooMany)
  expectRefusal(t, await get('owner', { anchor: 'newest', num_before: -1 }), 'Invalid num_before')
  expectRefusal(t, await get('owner', { anchor: 'newest', num_after: 'x' }), 'num_after is not valid JSON')
  expectRefusal(
    t,
    await getWithBody({ message_ids: Array(5_001).fill(one) }),
    'message_ids is too long (limit: 5000 items)',
  )
})

t.test('[PAGE6] messages can be requested by ids instead of a page', async (t) => {
  const { messages, ...rest } = await page('member', { message_ids: [three, 999_999, -1, one, one] })
  t.same(
    messages.map(({ id }: { id: number }) => id),
    [one, three],
  )
  t.same(rest, { result: 'success', msg: '' })
  t.same(
    await contents('member', { anchor: undefined, message_ids: [one, two, four], narrow: [['is', 'dm']] }),
    ['four'],
  )
  t.same((await page('member', { message_ids: [] })).messages, [])
  expectRefusal(
    t,
    await get('member', { message_ids: [one], anchor: 'newest' }),
    'The anchor can only be omitted where message_ids are given.',
  )
})

t.test('[PAGE7] each operator narrows, in both forms, negated or not', async (t) => {
  const all = ['*one*', 'two', 'three', 'four', 'five', 'elsewhere']
  for (const [operator, operand, found] of [
    ['channel', 'town', ['*one*', 'two', 'three']],
    ['stream', ' TOWN ', ['*one*', 'two', 'three']],
    ['channel', 1, ['*one*', 'two', 'three']],
    ['channel', '1', ['*one*', 'two', 'three']],
    ['topic', 'BIRNEN', ['two', 'elsewhere']],
    ['subject', 'äPFEL', ['*one*']],
    ['topic', 'general chat', ['three']],
    ['topic', '', ['three']],
    ['sender', 4, ['two']],
    ['from', emailOf('member').toUpperCase(), ['two']],
    ['sender', '4', ['two']],
    ['dm', 4, ['four']],
    ['dm', [4], ['four']],
    ['dm', [1, 4], ['four']],
    ['pm-with', emailOf('member'), ['four']],
    ['pm-with', `${emailOf('member')}, ${emailOf('member2')}`, ['five']],
    ['dm', [5, 4], ['five']],
    ['dm', [6], []],
    ['is', 'dm', ['four', 'five']],
    ['is', 'private', ['four', 'five']],
  ] as [string, unknown, string[]][]) {
    const label = `${operator}:${JSON.stringify(operand)}`
    t.same(await contents('owner', { narrow: [[operator, operand]] }), found, label)
    t.same(await contents('owner', { narrow: [{ operator, operand }] }), found, label)
    const rest = all.filter((content) => !found.includes(content))
    t.same(await contents('owner', { narrow: [{ operator, operand, negated: true }] }), rest, `-${label}`)
  }
})

t.test('[PAGE8] all terms must match; contradicting terms match nothing', async (t) => {
  t.same(
    await contents('owner', {
      narrow: [
        ['channel', 'town'],
        ['sender', 4],
      ],
    }),
    ['two'],
  )
  t.same(
    await contents('owner', {
      narrow: [
        ['topic', 'birnen'],
        ['channel', 'other'],
      ],
    }),
    ['elsewhere'],
  )
  t.same(
    await contents('owner', {
      narrow: [['channel', 'town'], { operator: 'topic', operand: 'birnen', negated: true }],
    }),
    ['*one*', 'three'],
  )
  for (const narrow of [
    [
      ['channel', 'town'],
      ['channel', 'other'],
    ],
    [
      ['channel', 'town'],
      ['is', 'dm'],
    ],
    [
      ['topic', 'birnen'],
      ['topic', 'Äpfel'],
    ],
    [
      ['dm', [4]],
      ['dm', [5, 4]],
    ],
    [['is', 'dm'], { operator: 'is', operand: 'dm', negated: true }],
    [
      ['sender', 1],
      ['sender', 4],
    ],
    [
      ['dm', 4],
      ['topic', 'birnen'],
    ],
  ]) {
    t.same(await contents('owner', { narrow }), [], JSON.stringify(narrow))
    t.same((await page('owner', { narrow, anchor: 'first_unread' })).messages, [])
  }
})

t.test('[PAGE9] an invalid term is refused with its description', async (t) => {
  for (const [term, reason] of [
    [['has', 'colour'], "unknown 'has' operand colour"],
    [['is', 'new'], "unknown 'is' operand new"],
    [['is', 7], "unknown 'is' operand 7"],
    [['channel', 'nowhere'], 'unknown channel nowhere'],
    [['channel', 99], 'unknown channel 99'],
    [['channel', [1]], 'unknown channel [1]'],
    [['sender', 'nobody@example.com'], 'unknown user nobody@example.com'],
    [['sender', 99], 'unknown user 99'],
    [['dm', [4, 99]], 'unknown user in [4,99]'],
    [['pm-with', 'member@example.com,x'], 'unknown user in member@example.com,x'],
  ] as const) {
    const [msg, extra] = badNarrow(reason)
    expectRefusal(t, await get('owner', { anchor: 'newest', narrow: [term] }), msg, extra)
  }
  expectRefusal(t, await get('owner', { anchor: 'newest', narrow: {} }), 'narrow is not a list')
  expectRefusal(t, await get('owner', { anchor: 'newest', narrow: ['x'] }), 'narrow[0] is not a dict')
  expectRefusal(
    t,
    await get('owner', { anchor: 'newest', narrow: [{ operator: 'is' }] }),
    'narrow[0]["operand"] field is missing: Field required',
  )
  expectRefusal(
    t,
    await get('owner', { anchor: 'newest', narrow: Array(51).fill(['is', 'dm']) }),
    'narrow is too long (limit: 50 items)',
  )
  t.equal((await get('owner', { anchor: 'newest', narrow: Array(50).fill(['is', 'dm']) })).status, 200)
})

t.test('[PAGE10] an unreadable channel looks absent, even if its name is a number', async (t) => {
  await member.subscribe(['2'], { invite_only: true })
  for (const narrow of [
    [['channel', 'guarded']],
    [{ operator: 'channel', operand: 'guarded', negated: true }],
    [
      ['channel', 'guarded'],
      ['channel', 'town'],
    ],
  ]) {
    expectRefusal(
      t,
      await get('owner', { anchor: 'newest', num_before: 1, narrow }),
      ...badNarrow('unknown channel guarded'),
    )
  }
  expectRefusal(
    t,
    await get('owner', { anchor: 'newest', narrow: [['channel', 3]] }),
    ...badNarrow('unknown channel 3'),
  )
  expectRefusal(
    t,
    await get('guest', { anchor: 'newest', narrow: [['channel', 'town']] }),
    ...badNarrow('unknown channel town'),
  )
  t.same(await contents('owner', { narrow: [['channel', '2']] }), ['elsewhere'])
  t.same(await contents('member', { narrow: [['channel', '2']] }), [])
})

t.test(
  '[PAGE11] a narrow to a public channel finds all its messages; other narrows only received ones',
  async (t) => {
    t.same(await contents('member2', { narrow: [['channel', 'town']] }), ['*one*', 'two', 'three'])
    t.same(await contents('member2', { narrow: [['topic', 'birnen']] }), [])
    t.same(await contents('member2', {}), ['five'])
    t.same(await contents('member2', { anchor: undefined, message_ids: [one, two, five] }), ['five'])
    t.same(await contents('guest', {}), [])
  },
)

t.test('[PAGE12] only their participants read direct messages', async (t) => {
  const narrow = [['dm', [1, 4]]]
  t.same(await contents('member', { narrow }), ['four'])
  for (const person of ['member2', 'guest', 'administrator'] as const) {
    // A third participant makes it another conversation.
    t.same(await contents(person, { narrow }), person === 'member2' ? ['five'] : [])
    t.same(await contents(person, { anchor: undefined, message_ids: [four] }), [])
  }
})

t.test(
  '[PAGE13] protected history shows messages sent during a subscription, also after a return',
  async (t) => {
    const join = (channel: string) => member.subscribe([channel], { principals: [6] })
    const leave = (channel: string) =>
      server.as('guest').delete('/users/me/subscriptions', { subscriptions: [channel] })
    const narrowed = (channel: string) => contents('guest', { narrow: [['channel', channel]] })
    for (const channel of ['guarded', 'shared']) {
      await member.send(channel, 'topic', `${channel} before`)
      await join(channel)
      await member.send(channel, 'topic', `${channel} during`)
      await leave(channel)
      await member.send(channel, 'topic', `${channel} between`)
      const unknown = await get('guest', { anchor: 'newest', narrow: [['channel', channel]] })
      expectRefusal(t, unknown, ...badNarrow(`unknown channel ${channel}`))
      t.same(await contents('guest', {}), [])
      await join(channel)
      await member.send(channel, 'topic', `${channel} again`)
      t.same(await contents('guest', {}), [`${channel} during`, `${channel} again`])
      const whole = ['before', 'during', 'between', 'again'].map((word) => `${channel} ${word}`)
      t.same(await contents('member', { narrow: [['channel', channel]] }), whole)
      const seen = channel === 'shared' ? whole : [`${channel} during`, `${channel} again`]
      t.same(await narrowed(channel), seen)
      t.same(await contents('guest', { narrow: [['channel', channel]], anchor: 9e15 }), seen)
      t.same(
        await contents('guest', {
          narrow: [
            ['channel', channel],
            ['topic', 'topic'],
          ],
        }),
        seen,
      )
      const first = await page('guest', {
        anchor: 'first_unread',
        narrow: [['channel', channel]],
        apply_markdown: false,
      })
      t.equal(first.messages[0].content, `${channel} again`, 'unread messages end with the subscription')
      const { max_message_id } = await server.as('guest').must('GET', '/users/me')
      await leave(channel)
      t.ok((await server.as('guest').must('GET', '/users/me')).max_message_id < max_message_id)
    }
  },
)

t.test('[PAGE17] an anchor beyond the newest message promises nothing about newer ones', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['ends'])
  const id = await owner.send('ends', 'topic', 'the newest')
  const found = async (anchor: number, num_before: number, num_after: number, narrow: unknown = []) => {
    const page = await owner.must('GET', '/messages', { anchor, num_before, num_after, narrow })
    return [page.messages.length, page.found_newest]
  }
  for (const narrow of [[['channel', 'ends']], [{ operator: 'topic', operand: 'x', negated: true }]]) {
    t.same(await found(id + 1, 0, 0, narrow), [0, false])
    t.same(await found(id + 1, 1, 0, narrow), [1, false])
    t.same(await found(id + 1, 1, 1, narrow), [1, true])
    t.same(await found(9e15, 0, 0, narrow), [0, true])
    t.same(await found(9e15, 1, 0, narrow), [1, true])
  }
})

t.test('[PAGE15] a page ends early if its messages are huge', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const { sql } = server.node.services
  await owner.subscribe(['huge'])
  const ids = await Promise.all(Array.from({ length: 100 }, () => owner.send('huge', 'topic', 'small')))
  ids.sort((a, b) => a - b)
  await sql`update messages set rendered = repeat('x', 200000)`
  const ask = (fields: Fields) => owner.must('GET', '/messages', fields)
  const older = await ask({ anchor: '9000000000000000', num_before: 1_000 })
  t.ok(older.messages.length > 50 && older.messages.length < 100)
  t.match(older, { found_oldest: false, found_newest: true })
  t.equal(older.messages.at(-1).id, ids.at(-1))
  const newer = await ask({ anchor: 'oldest', num_after: 1_000, narrow: [['channel', 'huge']] })
  t.ok(newer.messages.length > 50 && newer.messages.length < 100)
  t.match(newer, { found_oldest: true, found_newest: false })
  t.equal(newer.messages[0].id, ids[0])
  expectRefusal(
    t,
    await owner.get('/messages', { message_ids: ids }),
    'Too many messages requested (maximum 99).',
  )
})

/** Parameters can also be in the body of a GET; this many do not fit a URL. */
async function getWithBody(fields: Fields): Promise<Answer> {
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)] as [string, string]),
  ).toString()
  const sent = request(`${owner.url}/api/v1/messages`, {
    method: 'GET',
    headers: {
      authorization: owner.authorization,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode as number,
    body: (await json(response)) as Answer<ReplyAt<'GET', '/messages'>>['body'],
    headers: new Headers(),
  }
}
