import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { INTEGRATIONS } from '../../server/integrations/table.ts'
import { Client } from '../harness/client/client.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { ACCOUNTS, startTestServer } from '../harness/servers/start-server.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { ARRIVAL_SECONDS, FIXTURES, type Fixture, writeFixtures } from './fixtures.ts'
import { bodyOf, sendWebhook, type SentWebhook } from './send-webhook.ts'

const clock = new ManualClock(ARRIVAL_SECONDS * 1_000)
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const member = server.as('member')
const { url } = server.node

/** The part of a message that fixtures have. */
interface WireMessage {
  readonly subject: string
  readonly content: string
}

/** Bots of the member: one for webhooks alone, one that may do more. */
async function makeBot(name: string, bot_type: number) {
  const { user_id: id, api_key: key } = await member.must('POST', '/bots', {
    full_name: name,
    short_name: name.toLowerCase().replaceAll(' ', '-'),
    bot_type,
  })
  const email = (await owner.must('GET', `/users/${id}`)).user.email
  return { id, key, client: new Client(url, id, email, key) }
}
const hooks = await makeBot('Webhooks', 2)
const generic = await makeBot('Generic', 1)
await owner.subscribe(['hooks', 'closed', 'one topic'], { principals: [1, 4, 6] })
await owner.subscribe(['secret'], { principals: [1], invite_only: true })

const post = (name: string, { query = {}, ...webhook }: SentWebhook) =>
  sendWebhook(url, name, { ...webhook, query: { api_key: hooks.key, stream: 'hooks', ...query } })
const postText = (payload: string, query: Record<string, string> = {}) =>
  post('text', { payload, raw: 'text/plain', query })

/** The newest messages that a person got from a sender, oldest first. */
async function messagesFrom(sender: number, count: number, reader = owner, isRendered = false) {
  const { messages } = await reader.must('GET', '/messages', {
    anchor: 'newest',
    num_before: count,
    num_after: 0,
    narrow: [['sender', sender]],
    apply_markdown: isRendered,
  })
  return messages
}
const newest = async (reader = owner) => (await messagesFrom(hooks.id, 1, reader))[0]

/** The messages of the server's bot to the member. */
async function notices(): Promise<readonly string[]> {
  const { messages } = await member.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [['is', 'dm']],
    apply_markdown: false,
  })
  return messages
    .filter(({ sender_full_name }) => sender_full_name === 'Notification Bot')
    .map(({ content }) => content)
}

t.test('[HOOKIN1] each documented payload becomes its message', async (t) => {
  for (const [name, fixtures] of FIXTURES) {
    for (const fixture of fixtures) {
      const { status, text, body } = await post(name, fixture)
      t.equal(status, 200, `${name}: ${fixture.title}: ${text}`)
      if (INTEGRATIONS.get(name)?.answers) t.equal(text, 'ok')
      else t.same(body['ignored_events'], fixture.ignored && [fixture.ignored], `${name}: ${fixture.title}`)
    }
    const posted = fixtures.filter(({ ignored }) => ignored === undefined)
    const written = await messagesFrom(hooks.id, posted.length)
    const rendered = await messagesFrom(hooks.id, posted.length, owner, true)
    for (const [index, fixture] of posted.entries())
      compare(t, `${name}: ${fixture.title}`, fixture, { written: written[index], rendered: rendered[index] })
    if (process.env['UPDATE_DOCS']) writeFixtures(name, fixtures)
  }
})

function compare(
  t: { same(found: unknown, wanted: unknown, title: string): unknown },
  title: string,
  fixture: Fixture,
  { written, rendered }: Readonly<Record<'written' | 'rendered', WireMessage | undefined>>,
): void {
  const found = {
    topic: written?.subject,
    content: written?.content.split('\n'),
    html: rendered?.content.split('\n'),
  }
  if (process.env['UPDATE_DOCS']) Object.assign(fixture, found)
  const { topic, content, html } = fixture
  t.same(found, { topic, content, html }, title)
}

t.test(
  '[HOOKIN2] every file of a sender is in the table, with fixtures and in the documentation',
  async (t) => {
    const folder = join(import.meta.dirname, '../../server/integrations/senders')
    const files = readdirSync(folder).map((file) => file.replace('.ts', ''))
    t.same(files.sort(), [...INTEGRATIONS.keys()].sort())
    t.same([...FIXTURES.keys()], [...INTEGRATIONS.keys()].sort())
    const text = readFileSync(join(import.meta.dirname, '../../docs/integrations.md'), 'utf8')
    for (const { name, title, events } of INTEGRATIONS.values()) {
      const row = text.split('\n').find((line) => line.startsWith(`| ${title} | \`${name}\` |`))
      t.ok(row, name)
      for (const event of events) t.ok(row?.includes(`\`${event}\``), `${name}: ${event}`)
    }
  },
)

t.test('[HOOKIN3] the key of an active bot in the address is the only credential', async (t) => {
  const [payload, raw] = ['hello', 'text/plain']
  const refused = async (query: Record<string, string>, msg: string, status = 401, more = {}) => {
    const { body, ...answer } = await sendWebhook(url, 'text', { payload, raw, query, headers: more })
    t.match({ status: answer.status, body }, { status, body: { result: 'error', msg } }, msg)
  }
  await refused({}, "Missing 'api_key' argument", 400)
  await refused({ api_key: 'short' }, 'Malformed API key')
  await refused({ api_key: 'x'.repeat(32) }, 'Invalid API key')
  const person = ACCOUNTS.get('owner')?.key ?? ''
  await refused({ api_key: person }, 'Invalid API key')
  await refused({}, "Missing 'api_key' argument", 400, { authorization: generic.client.authorization })
  const gone = await makeBot('Gone', 2)
  await member.must('DELETE', `/bots/${gone.id}`)
  await refused({ api_key: gone.key }, 'Account is deactivated')

  const { api_key: fresh } = await member.must('POST', `/bots/${generic.id}/api_key/regenerate`)
  await refused({ api_key: generic.key }, 'Invalid API key')
  for (const key of [hooks.key, fresh]) t.equal((await postText('hello', { api_key: key })).status, 200)
  const elsewhere = await postText('other credentials', { api_key: hooks.key })
  t.equal(elsewhere.status, 200)
  t.equal(
    (
      await post('text', {
        payload,
        raw,
        headers: { authorization: 'Bearer of something else', cookie: 'sessionid=x' },
      })
    ).status,
    200,
  )
})

t.test('[HOOKIN4] a bot for webhooks may do nothing but send, and other bots may do more', async (t) => {
  for (const path of ['/users/me', '/messages', '/streams', '/bot_storage']) {
    const { status, body } = await hooks.client.get(path)
    t.same(
      { status, msg: body.msg },
      { status: 401, msg: 'This API is not available to incoming webhook bots.' },
      path,
    )
  }
  t.equal(
    (await hooks.client.post('/messages', { type: 'channel', to: '"hooks"', topic: 'x', content: 'y' }))
      .status,
    200,
  )
  t.equal((await server.as('bot').get('/users/me')).status, 200)
})

t.test('[HOOKIN5] the address names the place, and the owner of the bot gets what has none', async (t) => {
  const { stream_id: id } = await owner.must('GET', '/get_stream_id', { stream: 'hooks' })
  for (const query of [{ stream: 'hooks' }, { stream: ' HOOKS ' }, { stream: String(id) }]) {
    await postText(`to ${query.stream}`, query)
    t.match(await newest(), {
      display_recipient: 'hooks',
      subject: 'Text',
      content: `to ${query.stream}`.trimEnd(),
    })
  }
  await postText('by the other name', { stream: '', channel: 'hooks' })
  await sendWebhook(url, 'text', {
    payload: 'x',
    raw: 'text/plain',
    query: { api_key: hooks.key, channel: 'hooks' },
  })
  t.match(await newest(), { display_recipient: 'hooks', content: 'x' })
  await postText('for me', { stream: '' })
  t.match(await newest(member), { type: 'private', content: 'for me' })
  await postText('x', { topic: 'deploys' })
  t.match(await newest(), { subject: 'deploys' })
  await postText('x', { topic: `${'long '.repeat(30)}` })
  t.match(await newest(), { subject: /^(?:long ){11}long…$/ })
  await postText('x', { topic: 'two\nlines\u0007' })
  t.match(await newest(), { subject: 'two lines' })
  t.equal((await postText('x', { topic: 'x'.repeat(1_001) })).status, 400)
  const jira = FIXTURES.get('jira')?.[0] as Fixture
  await post('jira', { ...jira, query: { stream: 'one%20topic', topic: 'a%2Fb' } })
  t.match(await newest(), { display_recipient: 'one topic', subject: 'a/b' })
})

t.test('[HOOKIN6] the policy of the channel decides about topics', async (t) => {
  const { stream_id: id } = await owner.must('GET', '/get_stream_id', { stream: 'one topic' })
  await owner.must('PATCH', `/streams/${id}`, { topics_policy: '"disable_empty_topic"' })
  await postText('x', { stream: 'one topic', topic: ' ' })
  t.match(await newest(), { subject: 'Text' })
  await owner.subscribe(['no topics'], { principals: [owner.userId, hooks.id] })
  const { stream_id: plainId } = await owner.must('GET', '/get_stream_id', { stream: 'no topics' })
  await owner.must('PATCH', `/streams/${plainId}`, { topics_policy: '"empty_topic_only"' })
  await postText('x', { stream: 'no topics', topic: 'a topic' })
  t.match(await newest(), { subject: 'general chat', stream_id: plainId }, 'the name of the empty topic')
})

t.test('[HOOKIN7] a long content is cut with a mark, outside of its code', async (t) => {
  const { status } = await postText(`\`\`\`\n${'😀'.repeat(11_000)}`)
  t.equal(status, 200)
  const { content } = (await newest()) ?? { content: '' }
  t.ok(Array.from(content).length <= 10_000)
  t.match(content, /😀…?\n```\n\n…$/u)
  await postText('y'.repeat(10_000))
  t.equal((await newest())?.content, 'y'.repeat(10_000))
})

t.test('[HOOKIN8] texts of others mention nobody, and stay in their place', async (t) => {
  const fixture = FIXTURES.get('github')?.find(({ title }) => title === 'a push') as Fixture
  const nasty =
    '@**all** @**The owner** @*role:everyone* ](https://evil.example) ``` ` **x** \n> y #**hooks**'
  const payload = structuredClone(fixture.payload) as { commits: { message: string }[] }
  for (const commit of payload.commits) commit.message = nasty
  await post('github', { headers: { 'x-github-event': 'push' }, payload })
  const comment = FIXTURES.get('github')?.find(({ title }) => title === 'a comment') as Fixture
  const commented = structuredClone(comment.payload) as { comment: { body: string } }
  commented.comment.body = `${nasty}\n\`\`\`\n\n@**all**`
  await post('github', { headers: { 'x-github-event': 'issue_comment' }, payload: commented })
  await post('slack_incoming', {
    payload: { text: '<!channel> <!everyone> @**all** @**The owner** [a](https://evil.example)' },
  })
  await postText('@**all** @**topic** @**The owner** @*role:everyone*')
  for (const { flags, content } of await messagesFrom(hooks.id, 4, owner, true)) {
    t.same(flags, [], content)
    t.notMatch(content, /class="user-mention(?: channel-wildcard-mention| topic-mention)?"/)
    t.notMatch(content, /<a href="https:\/\/evil\.example">(?!https)/)
  }
})

t.test('[HOOKIN9] filters of the address take names of events with wildcards', async (t) => {
  const fixture = FIXTURES.get('github')?.find(({ title }) => title === 'an approval') as Fixture
  const isPosted = async (query: Record<string, string>) => {
    const { body, status } = await post('github', { ...fixture, query })
    t.equal(status, 200)
    return body['ignored_events'] === undefined
  }
  t.equal(await isPosted({ only_events: '["pull_request_review"]' }), true)
  t.equal(await isPosted({ only_events: '["push","pull_*"]' }), true)
  t.equal(await isPosted({ only_events: '["pull_reques?"]' }), false)
  t.equal(await isPosted({ only_events: '[]' }), false)
  t.equal(await isPosted({ exclude_events: '["*review*"]' }), false)
  t.equal(await isPosted({ exclude_events: '["push"]' }), true)
  t.equal(await isPosted({ only_events: '["*"]', exclude_events: '["pull*view"]' }), false)
  t.equal(
    (await post('github', { ...fixture, query: { only_events: 'push' } })).body['msg'],
    'only_events is not valid JSON',
  )
  t.equal((await postText('x', { only_events: '["y"]' })).body['ignored_events'], undefined)
})

t.test('[HOOKIN10] a delivery that its sender repeats is posted once at each place', async (t) => {
  const fixture = FIXTURES.get('github')?.[0] as Fixture
  const headers = { ...fixture.headers, 'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }
  const before = await newest()
  for (const _ of [1, 2, 3]) t.equal((await post('github', { ...fixture, headers })).status, 200)
  await post('github', { ...fixture, headers, query: { topic: 'elsewhere' } })
  const after = (await messagesFrom(hooks.id, 4)).filter(({ id }) => id > (before?.id ?? 0))
  t.same(
    after.map(({ subject }) => subject),
    ['hello-world / main', 'elsewhere'],
  )
  const stripe = FIXTURES.get('stripe')?.[0] as Fixture
  await post('stripe', stripe)
  t.equal((await newest())?.id, after.at(-1)?.id, 'an event that HOOKIN1 posted')
})

t.test('[HOOKIN11] the owner gets one message about each way to fail, also after a restart', async (t) => {
  const other = await server.startAnotherNode()
  const before = (await notices()).length
  const query = { api_key: hooks.key, stream: 'hooks' }
  const failing: readonly (readonly [string, SentWebhook, number, string])[] = [
    ['github', { payload: {}, query }, 400, 'Malformed payload'],
    ['github', { payload: 'no { JSON', raw: 'application/json', query }, 400, 'Malformed payload'],
    ['slack_incoming', { payload: { text: '' }, query }, 400, 'no_text'],
    ['text', { payload: ' ', raw: 'text/plain', query }, 400, 'The payload has no text.'],
    ['text', { payload: 'x', raw: 'text/plain', query: { ...query, stream: 'nowhere' } }, 200, ''],
    ['text', { payload: 'x', raw: 'text/plain', query: { ...query, stream: 'secret' } }, 200, ''],
    ['text', { payload: 'x', raw: 'text/plain', query: { ...query, stream: '999' } }, 200, ''],
  ]
  for (const [name, webhook, status, msg] of failing) {
    for (const address of [url, url, other.node.url]) {
      const answer = await sendWebhook(address, name, webhook)
      t.match({ status: answer.status, msg: answer.body['msg'] ?? answer.text }, { status, msg }, name)
    }
  }
  const sent = (await notices()).slice(before)
  t.equal(sent.length, 6, 'both payloads of GitHub fail in the same way')
  const [github, , , nowhere, secret] = sent
  t.match(
    github,
    /^Your bot @_\*\*Webhooks\|\d+\*\* received a GitHub webhook, but its payload could not be read\./,
  )
  t.match(nowhere, /there is no channel `nowhere` that the bot can post to\./)
  t.equal(secret, nowhere?.replace('nowhere', 'secret'), 'absent and forbidden look alike')
})

t.test('[HOOKIN12] a channel that refuses the message refuses the webhook', async (t) => {
  const { stream_id: id } = await owner.must('GET', '/get_stream_id', { stream: 'closed' })
  await owner.must('PATCH', `/streams/${id}`, { can_send_message_group: { new: 2 } })
  const before = (await notices()).length
  for (const _ of [1, 2]) {
    const { status, body } = await postText('x', { stream: 'closed' })
    t.equal(status, 400)
    t.match(body, { result: 'error', code: 'BAD_REQUEST', msg: /\w/ })
  }
  const sent = (await notices()).slice(before)
  t.equal(sent.length, 1)
  t.match(sent[0], /its message to `closed` was refused: /)
})

const SECRET = 'It is a secret'
const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')
/** The proof of each sender. */
const PROOFS: Readonly<Record<string, (body: string) => Record<string, string>>> = {
  github: (body) => ({ 'X-Hub-Signature-256': `sha256=${hmac(body)}` }),
  gitea: (body) => ({ 'X-Gitea-Signature': hmac(body) }),
  forgejo: (body) => ({ 'X-Gitea-Signature': hmac(body) }),
  gitlab: () => ({ 'X-Gitlab-Token': SECRET }),
  grafana: (body) => ({ 'X-Grafana-Alerting-Signature': hmac(body) }),
  sentry: (body) => ({ 'Sentry-Hook-Signature': hmac(body) }),
  jira: (body) => ({ 'X-Hub-Signature': `sha256=${hmac(body)}` }),
  pagerduty: (body) => ({ 'X-PagerDuty-Signature': `v1=${'0'.repeat(64)},v1=${hmac(body)}` }),
  circleci: (body) => ({ 'circleci-signature': `v1=${hmac(body)}` }),
  stripe: (body) => ({
    'Stripe-Signature': `t=${ARRIVAL_SECONDS},v0=x,v1=${hmac(`${ARRIVAL_SECONDS}.${body}`)}`,
  }),
  slack_incoming: (body) => ({
    'X-Slack-Request-Timestamp': String(ARRIVAL_SECONDS),
    'X-Slack-Signature': `v0=${hmac(`v0:${ARRIVAL_SECONDS}:${body}`)}`,
  }),
}

t.test('[HOOKIN13] a bot with a secret takes only webhooks of senders who know it', async (t) => {
  const signed = await makeBot('Signed', 2)
  const own = { api_key: signed.key, stream: '' }
  t.equal((await postText('before', own)).status, 200)
  const set = (config_data: Record<string, unknown>, person = member) =>
    person.patch(`/bots/${signed.id}`, { config_data })
  await expectConsistent(server, async () => {
    await set({ webhook_secret: SECRET })
  })
  const long = { webhook_secret: 'x'.repeat(201) }
  t.equal((await set(long)).body.msg, 'config_data["webhook_secret"] is too long (limit: 200 characters)')
  t.equal((await set({ webhook_secret: 'other' }, server.as('member2'))).status, 400)
  const shown = [await member.must('GET', '/bots'), (await member.register()).state.realm_bots]
  t.notMatch(JSON.stringify(shown), SECRET)
  const before = (await notices()).length
  for (const name of INTEGRATIONS.keys()) {
    const fixture = FIXTURES.get(name)?.find(({ ignored }) => ignored === undefined) as Fixture
    const body = bodyOf(fixture)
    const prove = PROOFS[name] ?? (() => ({ Authorization: `bearer ${SECRET}` }))
    const proof = prove(body)
    const attempt = async (headers: Record<string, string>, payload = fixture.payload) => {
      const { headers: sent } = fixture
      return (await post(name, { ...fixture, payload, headers: { ...sent, ...headers }, query: own })).status
    }
    const refused = INTEGRATIONS.get(name)?.answers?.unproven.status ?? 400
    t.equal(await attempt(proof), 200, name)
    t.equal(await attempt({}), refused, name)
    const [header = '', value = ''] = Object.entries(proof).at(-1) ?? []
    t.equal(
      await attempt({ ...proof, [header]: value.replace(/.$/, (end) => (end === '0' ? '1' : '0')) }),
      refused,
      name,
    )
    if (!value.includes(SECRET)) t.equal(await attempt(proof, { other: 1 }), refused, name)
  }
  t.equal((await notices()).length - before, INTEGRATIONS.size)
  const stale = `t=${ARRIVAL_SECONDS - 301},v1=${hmac(`${ARRIVAL_SECONDS - 301}.{}`)}`
  const { body } = await post('stripe', { payload: {}, headers: { 'Stripe-Signature': stale }, query: own })
  t.match(body, { result: 'error', code: 'BAD_REQUEST', msg: 'Webhook signature verification failed.' })
  t.equal((await postText('x', own)).status, 400)
  await set({ webhook_secret: '' })
  t.equal((await postText('x', own)).status, 200)
})

t.test(
  '[HOOKIN14] a body is limited, and a method, a name or a site that is not meant is refused',
  async (t) => {
    const query = { api_key: hooks.key, stream: 'hooks' }
    const { status, body } = await postText('x'.repeat(2 * 1024 * 1024 + 1))
    t.match(
      { status, body },
      { status: 413, body: { msg: 'Request body is too large (limit: 2097152 bytes)' } },
    )
    t.equal((await postText(' '.repeat(2 * 1024 * 1024))).status, 400)
    t.equal((await post('nothing', { payload: {} })).status, 404)
    t.equal((await sendWebhook(url, 'json', { payload: {}, query, method: 'PUT' })).status, 405)
    const deep = await post('json', { raw: 'application/json', payload: '['.repeat(100_000) })
    t.equal(deep.status, 400)
    const elsewhere = await post('json', { payload: {}, headers: { origin: 'https://evil.example' } })
    t.equal(elsewhere.status, 403)
    t.equal(elsewhere.headers.get('access-control-allow-origin'), null)
    const empty = await sendWebhook(url, 'json', { raw: 'application/json', payload: '', query })
    t.equal(empty.status, 400)
  },
)

t.test('[HOOKIN15] webhooks are counted for each bot, and refused in the form of the API', async (t) => {
  const limited = await startTestServer(t, { clock, env: { RATE_LIMIT_USER_PER_MINUTE: '3' } })
  const create = (name: string) =>
    limited.as('member').must('POST', '/bots', { full_name: name, short_name: name, bot_type: 2 })
  const [one, two] = [await create('one'), await create('two')]
  const send = (api_key: string) =>
    sendWebhook(limited.node.url, 'text', { payload: 'x', raw: 'text/plain', query: { api_key } })
  for (const _ of [1, 2, 3]) t.equal((await send(one.api_key)).status, 200)
  const { status, body, headers } = await send(one.api_key)
  t.match({ status, body }, { status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': /\d|60/ } })
  t.ok(Number(headers.get('retry-after')) > 0)
  t.equal((await send(two.api_key)).status, 200, 'another bot')
})

t.test('[HOOKIN16] metrics count webhooks by integration and result', async (t) => {
  const found = await scrape(url)
  const count = (integration: string, result: string) =>
    found.find('parley_webhooks_total', { integration, result }) ?? 0
  for (const result of ['posted', 'unsupported', 'filtered', 'unreadable'])
    t.ok(count('github', result) > 0, result)
  for (const result of ['unsigned', 'channel_unknown', 'refused']) t.ok(count('text', result) > 0, result)
})

t.test('[HOOKIN17] senders of Slack read refusals as Slack writes them', async (t) => {
  const gone = await makeBot('Gone too', 2)
  await member.must('DELETE', `/bots/${gone.id}`)
  const { api_key: reading } = await member.must('POST', `/bots/${generic.id}/keys`, {
    name: 'Reads',
    scope: 'read',
  })
  const hello = { payload: { text: 'hello' } }
  const cases: readonly (readonly [SentWebhook, number, string])[] = [
    [hello, 200, 'ok'],
    [{ raw: 'application/json', payload: '{"text":' }, 400, 'invalid_payload'],
    [{ raw: 'application/x-www-form-urlencoded', payload: 'payload=%7B' }, 400, 'invalid_payload'],
    [{ payload: ['text'] }, 400, 'invalid_payload'],
    [{ payload: {} }, 400, 'no_text'],
    [{ payload: { text: ' ', blocks: [], attachments: null } }, 400, 'no_text'],
    [{ ...hello, query: { api_key: '' } }, 403, 'invalid_token'],
    [{ ...hello, query: { api_key: 'short' } }, 403, 'invalid_token'],
    [{ ...hello, query: { api_key: 'x'.repeat(32) } }, 403, 'invalid_token'],
    [{ ...hello, query: { api_key: gone.key } }, 403, 'invalid_token'],
    [{ ...hello, query: { api_key: reading } }, 403, 'invalid_token'],
    [{ ...hello, query: { stream: 'closed' } }, 403, 'action_prohibited'],
    [{ ...hello, query: { stream: 'nowhere' } }, 200, 'ok'],
  ]
  for (const [webhook, status, text] of cases) {
    const { headers, ...answer } = await post('slack_incoming', webhook)
    const title = JSON.stringify(webhook)
    t.match({ ...answer, type: headers.get('content-type') }, { status, text, type: /^text\/plain/ }, title)
  }
  const keyless = await sendWebhook(url, 'slack_incoming', hello)
  t.match(keyless, { status: 403, text: 'invalid_token' })
  const unknown = await post('slack_incoming', { ...hello, query: { only_events: 'x' } })
  t.match(
    unknown,
    { status: 400, body: { msg: 'only_events is not valid JSON' } },
    'Slack has no word for it',
  )
  t.match(await post('json', { raw: 'application/json', payload: '{' }), {
    status: 400,
    body: { result: 'error', msg: 'Malformed payload' },
  })
})

t.test('[HOOKPAGE1] the list of integrations has each with its title and events', async (t) => {
  const { integrations } = await server.as('guest').must('GET', '/integrations')
  t.same(
    integrations,
    [...INTEGRATIONS.values()].map(({ name, title, events }) => ({ name, title, events: [...events] })),
  )
})
