/** Requests that make the server slow, exhaust its memory or mislead it. */

import t from 'tap'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { connect } from '../../../db/connection/connect.ts'
import { EMPTY_SNAPSHOT } from '../../../workers/pool/markdown/snapshot.ts'
import { renderMarkdown } from '../../../workers/pool/markdown/render-markdown.ts'
import { Imager } from '../../../workers/pool/imager.ts'
import { Renderer } from '../../../workers/pool/renderer.ts'
import { RECENT_LENGTH_MAX } from '../../../server/actors/channel-messages.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { sendRaw } from '../../wire/send-raw.ts'

const PASSWORD = 'correct horse battery'
const WRONG = 'Wrong password!'

await t.test('[LEAK18] a body with more parts than allowed fields is not read further', async (t) => {
  const server = await startTestServer(t)
  const port = Number(new URL(server.node.url).port)
  const { authorization } = server.as('member')
  const send = (parts: readonly string[], headers: readonly string[]) => {
    const body = `${parts.map((part) => `--xyz\r\n${part}\r\n\r\n\r\n`).join('')}--xyz--\r\n`
    const lines = [
      'POST /api/v1/messages HTTP/1.1',
      'Host: x',
      ...headers,
      'Content-Type: multipart/form-data; boundary=xyz',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    return sendRaw(port, `${lines.join('\r\n')}\r\n\r\n${body}`)
  }
  const named = 'Content-Disposition: form-data; name="a"'
  for (const part of ['X: y', `${named}; filename="f"`, named]) {
    const parts = Array<string>(50_000)
      .fill(part)
      .slice(0, 2_000_000 / (part.length + 16))
    const { status, body } = await send(parts, [`Authorization: ${authorization}`])
    t.equal(status, 400, part)
    t.equal(JSON.parse(body).msg, 'Too many parameters in one request (maximum 1000).')
    t.equal((await send(parts, [])).status, 401, 'without credentials no body is read')
  }
})

await t.test('[LEAK19] slow linkifiers do not block the web process', async (t) => {
  const renderer = new Renderer(1, 10_000)
  t.teardown(() => renderer.close())
  const linkifiers = Array.from({ length: 3 }, (_, index) => ({
    pattern: `(?P<id>x)(.*y.*z.*${index}w)?`,
    urlTemplate: 'https://example.com/{id}',
  }))
  const snapshot = { ...EMPTY_SNAPSHOT, linkifiers }
  const hostile = 'x '.repeat(250).trim()
  const rendered = renderer.render(hostile, snapshot)
  t.type(rendered, Promise, 'rendered in a thread')
  t.equal(await rendered, renderMarkdown(hostile, snapshot).html, 'which has all of its links')
})

await t.test('[LEAK20] a linkifier makes at most ten links in a topic', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.must('POST', '/realm/filters', {
    pattern: '(?P<id>[0-9])',
    url_template: 'https://example.com/{id}',
  })
  await owner.subscribe(['town'])
  const linksOf = async (topic: string) => {
    const id = await owner.send('town', topic, 'content')
    return (await owner.must('GET', `/messages/${id}`)).message.topic_links.length
  }
  t.equal(await linksOf('1 2 3 4 5 6 7 8 9 0'), 10)
  t.equal(await linksOf('1 2 3 4 5 6 7 8 9 0 1 2'), 10)
})

await t.test('[LEAK21] only the right password reveals whether an address has an account', async (t) => {
  const server = await startTestServer(t, {
    clock: new ManualClock(),
    env: { RATE_LIMIT_LOGINS_PER_MINUTE: '3' },
  })
  const guest = server.as('guest')
  await guest.must('PATCH', '/settings', { new_password: PASSWORD })
  const change = (email: string, old_password?: string) => guest.patch('/settings', { email, old_password })
  for (const email of [emailOf('owner'), 'nobody@example.com', 'user1@127.0.0.1', 'no address'])
    expectRefusal(t, await change(email), WRONG)
  for (const email of [emailOf('owner'), 'nobody@example.com'])
    expectRefusal(t, await change(email, 'guess'), WRONG)
  expectRefusal(t, await change(emailOf('owner'), PASSWORD), `Email '${emailOf('owner')}' already in use`)
  t.equal((await change(emailOf('owner'), PASSWORD)).status, 429, 'it counts like a password guess')
})

await t.test(
  '[LEAK22] a cached page belongs to the channel it was read from, even after a rename',
  async (t) => {
    const server = await startTestServer(t)
    const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
    await owner.subscribe(['here'], {
      invite_only: true,
      history_public_to_subscribers: true,
      principals: [owner.userId, member.userId],
    })
    await owner.subscribe(['there'], { principals: [owner.userId, guest.userId] })
    const [secret, open] = [channelIdOf(server, 'here'), channelIdOf(server, 'there')]
    await owner.send('there', 'topic', 'open')
    const first = await owner.send('here', 'topic', 'secret')
    for (let count = 0; count < RECENT_LENGTH_MAX + 10; count++) await owner.send('there', 'topic', 'open')
    const read = { num_before: 5, num_after: 5 }
    const page = { ...read, narrow: [['channel', 'there']], anchor: 'newest', num_after: 0 }
    await owner.must('GET', '/messages', page) // From here on the newest messages are cached.
    await member.must('GET', '/messages', { ...page, narrow: [] })

    const other = connect(server.databaseUrl, 2, 'parley-test')
    t.teardown(() => other.end())
    const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = other.begin(async (tx) => {
      await tx`lock table read_marks in access exclusive mode`
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const asked = member.must('GET', '/messages', {
      ...read,
      narrow: [['channel', 'here']],
      anchor: 'first_unread',
    })
    await pollUntil('it waits', async () => {
      const [row] = await other<{ count: number }[]>`
      select count(*)::int as count from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`
      return (row?.count ?? 0) > 0
    })
    await owner.must('PATCH', `/streams/${secret}`, { new_name: 'elsewhere' })
    await owner.must('PATCH', `/streams/${open}`, { new_name: 'here' })
    release.resolve()
    await holding
    t.ok((await asked).messages.every((one) => one.stream_id === secret || one.stream_id === open))
    const narrow = [['channel', open]]
    const { messages } = await guest.must('GET', '/messages', { ...read, narrow, anchor: String(first) })
    t.same(
      messages.filter((one) => one.stream_id !== open),
      [],
    )
    t.equal(messages.length, 6)
  },
)

await t.test('[LEAK23] the files of each user wait separately, at most six of them', async (t) => {
  const imager = new Imager(20_000)
  t.teardown(() => imager.close())
  const file = await drawImage('red')
  const made = Array.from({ length: 8 }, () => imager.make('emoji', file, 1))
  const other = imager.make('avatar', file, 2)
  const outcomes = await Promise.allSettled([...made, other])
  t.same(
    outcomes.map(({ status }) => status === 'fulfilled'),
    [...Array<boolean>(6).fill(true), false, false, true],
  )
  await t.resolves(imager.make('emoji', file, 1), 'and then the next')
})

await t.test(
  '[LEAK24] a cached query result is the same for every caller and cannot be changed',
  async (t) => {
    const server = await startTestServer(t)
    const [owner, guest] = [server.as('owner'), server.as('guest')]
    await owner.subscribe(['town'], { principals: [owner.userId, guest.userId] })
    const id = await owner.send('town', 'topic', 'content')
    const page = { anchor: 'newest', num_before: 5, num_after: 0 }
    const queries: [string, Fields][] = [
      ['/users', { user_ids: [7, 1, 6, 1], include_custom_profile_fields: true }],
      ['/users/1', { client_gravatar: false }],
      ['/messages', { ...page, narrow: [['channel', 'town']] }],
      [
        '/messages',
        { ...page, narrow: [{ operator: 'channels', operand: 'public' }, ['sender', 'me'], ['has', 'link']] },
      ],
      [
        '/messages',
        {
          ...page,
          narrow: [
            ['dm', [7, 1, 6]],
            ['search', 'b "a c"'],
          ],
        },
      ],
      [
        '/messages',
        {
          ...page,
          narrow: [
            ['with', id],
            ['topic', 'other'],
            ['channel', 'town'],
          ],
        },
      ],
      ['/messages', { message_ids: [id, id, 999], narrow: [['is', 'unread']] }],
      [
        '/messages/matches_narrow',
        {
          msg_ids: [id],
          narrow: [
            ['topic', 'topic'],
            ['channel', 'town'],
          ],
        },
      ],
      ['/streams', { include_public: true, include_all: false }],
      ['/users/me/subscriptions', { include_subscribers: 'partial' }],
      ['/user_groups', { include_deactivated_groups: true }],
      ['/get_stream_id', { stream: 'town' }],
      ['/events', { queue_id: 'none', last_event_id: -1, dont_block: true }],
      ['/realm/presence', { unknown: [3, 1] }],
    ]
    for (const [path, fields] of queries) {
      for (const client of [owner, guest]) {
        const answers = []
        for (let times = 0; times < 3; times++) {
          const { status, body } = await client.get(path, fields)
          const { server_timestamp: _, ...rest } = body
          answers.push({ status, rest })
        }
        t.ok((answers[0]?.status ?? 500) < 500, path)
        t.same(answers, Array(3).fill(answers[0]), `${path} of ${client.email}`)
      }
    }
  },
)

await t.test(
  '[LEAK27] requests for absent avatars are limited, those for existing ones are not',
  async (t) => {
    const server = await startTestServer(t, {
      clock: new ManualClock(),
      env: { RATE_LIMIT_ADDRESS_PER_MINUTE: '3' },
    })
    const { url } = server.node
    const { avatar_url: avatar } = await mustUpload(
      server.as('member'),
      '/users/me/avatar',
      await drawImage('red'),
    )
    const load = async (path: string) => {
      const response = await fetch(url + path)
      await response.arrayBuffer()
      return response
    }
    for (let times = 0; times < 8; times++) t.equal((await load(avatar)).status, 200)
    const absent = `/user_avatars/1/${'0'.repeat(32)}.png`
    for (let times = 0; times < 3; times++) t.equal((await load(absent)).status, 404)
    const refused = await fetch(url + absent)
    t.equal(refused.status, 429)
    t.match(await refused.json(), { result: 'error', code: 'RATE_LIMIT_HIT' })
    t.equal((await server.as('member').get('/users/me')).status, 200)
  },
)
