/** Outgoing webhooks: bots whose receiver is called for each message to them, and whose answer is posted once. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLogger } from '../../server/logger.ts'
import { GuardedFetch } from '../../server/outbound/guarded-fetch.ts'
import { callReceiver } from '../../workers/jobs/webhooks/call-receiver.ts'
import { startWorker } from '../../workers/worker.ts'
import { Client, type Fields } from '../harness/client/client.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import {
  expectedSignature,
  type ReceivedCall,
  type ReceiverPath,
  startWebhookReceiver,
} from '../harness/providers/start-webhook-receiver.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

/** Its workers work for all tests of the file. */
const whole = t
const receiver = await startWebhookReceiver(t)
const server = await startTestServer(t, { redis: true, env: receiver.env })
const { sql, state } = server.node.services
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
await owner.subscribe(['general'], { principals: [owner, member, member2].map((one) => one.userId) })
await owner.subscribe(['secret'], { principals: [owner.userId], invite_only: true })

interface Heard {
  readonly id: number
  readonly sender_id: number
  readonly content: string
  readonly client: string
}
const heard = async (narrow: readonly object[], reader = member): Promise<Heard[]> =>
  (
    await reader.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
      narrow: JSON.stringify(narrow),
    })
  ).messages
const inTopic = (topic: string) => [
  { operator: 'channel', operand: 'general' },
  { operator: 'topic', operand: topic },
]
const saidIn = async (topic: string) => (await heard(inTopic(topic))).map(({ content }) => content)
const waiting = () => sql<{ tries: number }[]>`select tries from pending_notifications where way = 'webhook'`
/** Resolves when no call waits, and the server has what was said. */
const settled = () =>
  pollUntil('nothing waits', async () => {
    if ((await waiting()).length > 0) return false
    const [row] = await sql<{ id: number }[]>`select last_id as id from event_counter`
    return row !== undefined && state.appliedId >= row.id
  })
/** Makes what waits for its time due, all of it or some, and wakes the workers. */
const hurry = async (which = sql``) => {
  await sql`update pending_notifications set due_at = now() where way = 'webhook' ${which}`
  await sql`select pg_notify('parley_pending', 'webhook')`
}
/** The notices that the owner of the bots got about failures. */
const noticesToOwner = async () => {
  const dms = await heard([{ operator: 'is', operand: 'dm' }])
  return dms.filter(({ content }) => content.includes('There will be no more')).map(({ content }) => content)
}
let made = 0
async function makeBot(fields: Fields = {}, person = member) {
  const name = `hook${++made}`
  const path = receiver.open(name)
  const { user_id: id, api_key: key } = await person.must('POST', '/bots', {
    full_name: `The ${name}`,
    short_name: name,
    bot_type: 3,
    payload_url: path.url,
    ...fields,
  })
  const email = `${name}-bot@${new URL(server.node.url).hostname}`
  const call = (topic: string, content: string, sender = member) =>
    sender.send('general', topic, `@**The ${name}|${id}** ${content}`)
  return { id: id as number, name, path, call, email, client: new Client(server.node.url, id, email, key) }
}
/** The calls that wait go, and those under way end. */
async function endSlow(path: ReceiverPath): Promise<void> {
  await sql`delete from pending_notifications where way = 'webhook'`
  path.answer = { body: {} }
  for (const call of path.calls) call.answer(200, '{}')
  await settled()
}
/** Expects no more calls of a bot under way than its owner has turns. */
async function expectTurns(t: Test, botId: number, countMax: number): Promise<void> {
  const claimed = await sql`
    select from pending_notifications where user_id = ${botId} and claimed_by is not null`
  t.ok(claimed.length <= countMax, `${claimed.length} are under way`)
}
const work = { config: server.config, logger: createLogger('silent') }

t.test('[HOOKOUT1] rows are written with messages of people that mention a bot or go to it', async (t) => {
  const bot = await makeBot()
  const rows = async () => {
    const found = await sql`delete from pending_notifications where way = 'webhook'
      returning user_id as "userId", message_id as "messageId", trigger`
    return found.map((row) => ({ ...row }))
  }
  const mention = await bot.call('rows', 'hello')
  t.same(await rows(), [{ userId: bot.id, messageId: mention, trigger: 'mention' }])
  const direct = await member2.sendDirect([bot.id], 'hello')
  t.same(await rows(), [{ userId: bot.id, messageId: direct, trigger: 'direct_message' }])
  await owner.must('POST', '/messages', {
    type: 'channel',
    to: 'secret',
    topic: 'x',
    content: `@**The ${bot.name}**`,
  })
  await member.send('general', 'rows', `@_**The ${bot.name}|${bot.id}** silently`)
  await member.send('general', 'rows', '@**all**')
  await member.must('PATCH', `/messages/${await member.send('general', 'rows', 'plain')}`, {
    content: `@**The ${bot.name}|${bot.id}** by an edit`,
  })
  await server
    .as('bot')
    .send('general', 'rows', `@**The ${bot.name}|${bot.id}** from a bot`)
    .catch(() => undefined)
  await server.as('bot').sendDirect([bot.id], 'from a bot')
  t.same(await rows(), [], 'hidden channels, silent mentions, wildcards, edits and bots call nobody')
  const group = await owner.must('POST', '/user_groups/create', {
    name: 'hooks',
    description: '',
    members: JSON.stringify([bot.id]),
  })
  t.ok(group)
  await owner.subscribe(['general'], { principals: [bot.id] })
  await member.send('general', 'rows', '@*hooks*')
  t.match(await rows(), [{ userId: bot.id, trigger: 'mention' }])
  await member.must('DELETE', `/bots/${bot.id}`)
  await bot.call('rows', 'gone')
  t.same(await rows(), [])
})

t.test('[HOOKOUT2] a call that hangs ends at its bound, and may be tried again', async (t) => {
  const path = receiver.open('hanging')
  path.answer = 'held'
  const fetch = new GuardedFetch(server.config.outbound)
  const request = { url: path.url, interface: 1, headers: {}, contentType: 'text/plain', text: 'x' } as const
  t.match(await callReceiver(fetch, request, 200), {
    kind: 'failed',
    isPassing: true,
    reason: 'no_answer',
  })
  const inside = { ...request, url: 'http://[::1]:1/' }
  t.match(await callReceiver(fetch, inside), {
    isPassing: false,
    reason: 'address_refused',
  })
})

t.test('[HOOKOUT13] calls that waited for a worker are made side by side', async (t) => {
  const [slow, quick] = [await makeBot(), await makeBot({}, member2)]
  slow.path.answer = 'held'
  quick.path.answer = { body: { content: 'not after all others' } }
  const url = quick.path.url.replace('127.0.0.1', 'localhost')
  await member2.must('PATCH', `/bots/${quick.id}`, { service_payload_url: url })
  for (let index = 0; index < 30; index++) await slow.call('waiting', String(index))
  await quick.call('waited', 'hello', member2)
  const worker = await startWorker(work)
  t.teardown(async () => {
    await endSlow(slow.path)
    await worker.close()
  })
  await pollUntil(
    'the other answers',
    async () => (await saidIn('waited')).length === 2,
    () => slow.path.calls.length,
  )
  t.ok(slow.path.calls.length < 30, 'each of the others ends at its bound only')
  await expectTurns(t, slow.id, 4)
})

t.test('[HOOKOUT3] a worker that is killed during a call loses and repeats no answer', async (t) => {
  const bot = await makeBot()
  bot.path.answer = 'held'
  const worker = startWorkerProcess(t, {
    ...receiver.env,
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: server.config.redisPrefix,
    PUBLIC_URL: server.node.url,
  })
  await bot.call('killed', 'hello')
  await pollUntil('it is called', () => bot.path.calls.length === 1)
  await worker.kill()
  t.match(await waiting(), [{ tries: 1 }], 'it is claimed, and waits')
  bot.path.answer = { body: { content: 'after all' } }
  for (const one of await Promise.all([startWorker(work), startWorker(work)])) // They begin with a sweep.
    whole.teardown(() => one.close())
  await settled()
  t.same((await saidIn('killed')).slice(1), ['after all'])
  const ids = bot.path.calls.map(({ headers }) => headers['webhook-id'])
  t.equal(ids.length, 2)
  t.equal(ids[0], ids[1], 'the receiver can tell that it is the same call')

  bot.path.answer = 'held'
  await bot.call('twice', 'hello')
  await pollUntil('it is called', () => bot.path.calls.length === 3)
  bot.path.answer = { body: { content: 'the faster one' } }
  await hurry() // As if the claim had expired while its worker lives.
  await settled()
  bot.path.calls[2]?.answer(200, '{"content": "the slower one"}')
  await bot.call('afterwards', 'hello')
  await pollUntil('the next one is answered', async () => (await saidIn('afterwards')).length === 2)
  await settled()
  t.same((await saidIn('twice')).slice(1), ['the faster one'])
})

t.test(
  '[HOOKOUT4] the JSON form says who called where, is signed, and its answer is posted by the bot',
  async (t) => {
    const bot = await makeBot()
    bot.path.answer = { body: { content: 'Hello *you*' } }
    const id = await bot.call('form', 'what **now**?')
    await pollUntil('it is answered', async () => (await saidIn('form')).length === 2)
    const [question, answer] = await heard(inTopic('form'))
    t.match(answer, { sender_id: bot.id, content: 'Hello *you*', client: 'OutgoingWebhook' })
    const [call] = bot.path.calls
    if (!call) throw new Error('no call')
    const { message, ...rest } = JSON.parse(call.body)
    const { services } = (await member.register()).state.realm_bots.find(
      ({ user_id }: { user_id: number }) => user_id === bot.id,
    )
    t.same(rest, {
      data: question?.content,
      bot_email: bot.email,
      bot_full_name: `The ${bot.name}`,
      token: services[0].token,
      trigger: 'mention',
    })
    const { flags: _, ...shown } = question as unknown as Record<string, unknown>
    t.match(message, {
      ...shown,
      id,
      sender_id: member.userId,
      subject: 'form',
      display_recipient: 'general',
    })
    t.match(message.rendered_content, /<strong>now<\/strong>/)
    t.match(call.headers, { 'content-type': 'application/json', 'webhook-id': `msg_${id}_${bot.id}` })
    const { signing_secret: secret } = await member.must('GET', `/bots/${bot.id}/signing_secret`)
    t.equal(call.headers['webhook-signature'], expectedSignature(call, String(secret)))

    await member.sendDirect([bot.id], 'a word in private')
    await pollUntil('it is called', () => bot.path.calls.length === 2)
    t.match(JSON.parse(bot.path.calls[1]?.body ?? ''), {
      trigger: 'direct_message',
      message: { type: 'private' },
    })
    await settled()
    const talk = await heard([{ operator: 'dm', operand: [bot.id] }])
    t.same(
      talk.map(({ content }) => content),
      ['a word in private', 'Hello *you*'],
    )
  },
)

t.test("[HOOKOUT5] Slack's form, in channels only", async (t) => {
  const bot = await makeBot({ interface_type: 2 })
  bot.path.answer = { body: { text: 'from Slack’s kind' } }
  const id = await bot.call('slack', 'hey & you')
  await pollUntil('it is answered', async () => (await saidIn('slack')).length === 2)
  t.equal((await saidIn('slack'))[1], 'from Slack’s kind')
  const [question] = await heard(inTopic('slack'))
  const sent = Object.fromEntries(new URLSearchParams(bot.path.calls[0]?.body))
  t.match(bot.path.calls[0]?.headers, { 'content-type': 'application/x-www-form-urlencoded' })
  t.match(sent, {
    token: /^[A-Za-z0-9]{32}$/,
    team_id: 'T1',
    team_domain: new URL(server.node.url).hostname,
    channel_id: /^C\d+$/,
    channel_name: 'general',
    thread_ts: /^\d+$/,
    timestamp: /^\d+$/,
    user_id: `U${member.userId}`,
    text: question?.content,
    trigger_word: 'mention',
    service_id: String(bot.id),
  })
  t.ok(id)
  await member.sendDirect([bot.id], 'hello')
  await settled()
  t.equal(bot.path.calls.length, 1)
  t.match((await heard([{ operator: 'dm', operand: [bot.id] }])).at(-1)?.content, /^Failure! Slack's form/)
})

t.test('[HOOKOUT6] answers of all kinds: posted, cut, silent, or reported to the owner once', async (t) => {
  const bot = await makeBot()
  const long = 'x'.repeat(10_001)
  const kinds: readonly [unknown, string | undefined][] = [
    [{ response_string: 'older' }, 'older'],
    [{ content: 'newer', response_string: 'older' }, 'newer'],
    [{ content: long }, `${long.slice(0, 9_999)}…`],
    [{ content: 'nul \0 here ' }, 'nul \u{FFFD} here'],
    [{ response_not_required: true, content: 'not said' }, undefined],
    [{ content: '  ' }, undefined],
    [{}, undefined],
    ['', undefined],
    ['""', undefined],
  ]
  for (const [index, [body, expected]] of kinds.entries()) {
    bot.path.answer = { body }
    await bot.call(`kind ${index}`, 'hello')
    await settled()
    t.same((await saidIn(`kind ${index}`)).slice(1), expected === undefined ? [] : [expected], `${index}`)
  }
  t.same(await noticesToOwner(), [])
  const garbage = ['{"content":', '[]', '5', '{"content": 5}', '\u{FFFD}\u{0}```']
  for (const [index, body] of garbage.entries()) {
    bot.path.answer = { body }
    await bot.call(`garbage ${index}`, 'hello')
    await settled()
    t.match((await saidIn(`garbage ${index}`)).slice(1), [/^Failure! Third party sent an answer/])
  }
  const notices = await noticesToOwner()
  t.equal(notices.length, 1, 'once for an outage')
  t.match(notices[0], /your bot @_\*\*The hook\d+\|\d+\*\*, but its receiver sent an answer that is not JSON/)
  t.match(notices[0], '```text\n{"content":\n```')
  t.equal(bot.path.calls.length, kinds.length + garbage.length, 'none is asked again')
  bot.path.answer = { body: { content: 'well again' } }
  await bot.call('well', 'hello')
  await settled()
  bot.path.answer = { status: 404, body: 'gone' }
  await Promise.all([bot.call('ill', '1'), bot.call('ill', '2'), bot.call('ill', '3')])
  await settled()
  t.equal((await noticesToOwner()).length, 2, 'the next outage is another one, and calls at once share it')
  t.equal((await saidIn('ill')).filter((one) => one === 'Failure! Third party responded with 404.').length, 3)
})

t.test(
  '[HOOKOUT12] the owner hears of failures in their language, others in that of the organization',
  async (t) => {
    const bot = await makeBot()
    await member.must('PATCH', '/settings', { default_language: 'de' })
    bot.path.answer = { status: 410, body: 'gone' }
    await bot.call('languages', 'hello')
    await settled()
    t.same((await saidIn('languages')).slice(1), ['Failure! Third party responded with 410.'])
    const dms = (await heard([{ operator: 'is', operand: 'dm' }])).map(({ content }) => content)
    const [notice = ''] = dms.filter((content) => content.includes('Bis ein Aufruf gelingt'))
    t.match(
      notice,
      /^\[Eine Nachricht\]\(\/#narrow\/[^)]+\) hat deinen Bot @_\*\*[^*]+\*\* aufgerufen, aber sein Empfänger hat mit 410 geantwortet\.$/m,
    )
    t.match(notice, 'Er hat geantwortet:\n```text\ngone\n```')
    await member.must('PATCH', '/settings', { default_language: 'en' })
  },
)

t.test(
  '[HOOKOUT7] a receiver that fails is called again later, at most four times, and refusals end at once',
  async (t) => {
    const bot = await makeBot()
    bot.path.answer = 'held'
    const callAt = (index: number) => pollUntil('it is called', () => bot.path.calls[index])
    const dueAt = async () => {
      const [row] = await sql<{ due: string }[]>`
        select due_at::text as due from pending_notifications where way = 'webhook'`
      return row?.due
    }
    /** Lets a call fail, and makes the next one due once the worker has put it off. */
    const failAndHurry = async (index: number, fail: (call: ReceivedCall) => void) => {
      const call = await callAt(index)
      const claimedUntil = await dueAt()
      fail(call)
      const due = await pollUntil('it waits', async () => {
        const found = await dueAt()
        return found === claimedUntil ? undefined : found
      })
      // Its time may have come meanwhile.
      await hurry(sql`and due_at = ${due}::text::timestamptz`)
    }
    await bot.call('patience', 'hello')
    await failAndHurry(0, (call) => call.answer(503, 'busy'))
    await failAndHurry(1, (call) => call.drop())
    const third = await callAt(2)
    third.answer(200, '{"content": "there"}')
    await settled()
    t.same((await saidIn('patience')).slice(1), ['there'])

    const before = (await noticesToOwner()).length
    await bot.call('hopeless', 'hello')
    for (let index = 3; index < 7; index++) await failAndHurry(index, (call) => call.answer(500, 'ill'))
    const last = await callAt(7)
    last.answer(500, 'ill')
    await settled()
    t.equal(bot.path.calls.length, 8)
    t.same((await saidIn('hopeless')).slice(1), ['Failure! Third party responded with 500.'])
    t.match((await noticesToOwner()).slice(before), [/responded with 500[^]*```text\nill\n```/])

    const odd: readonly [Parameters<typeof Object.assign>[0], RegExp][] = [
      [{ status: 302, headers: { location: bot.path.url } }, /responded with 302/],
      [{ status: 307, headers: { location: 'http://10.0.0.1/' } }, /responded with 307/],
      [{ bytes: 10 * 1024 * 1024 }, /is too long/],
      [{ status: 400, body: 'no' }, /responded with 400/],
    ]
    for (const [index, [answer, words]] of odd.entries()) {
      bot.path.answer = answer
      await bot.call(`odd ${index}`, 'hello')
      await settled()
      t.match((await saidIn(`odd ${index}`)).slice(1), [words])
      t.equal(bot.path.calls.length, 9 + index, 'no redirect is followed, and no call repeated')
    }
    const closed = `http://127.0.0.1:${await findFreePort()}/`
    await member.must('PATCH', `/bots/${bot.id}`, { service_payload_url: closed })
    await bot.call('closed', 'hello')
    await pollUntil('it was tried', async () => ((await waiting())[0]?.tries ?? 0) > 0)
    await member.must('PATCH', `/bots/${bot.id}`, { service_payload_url: 'http://[::1]/' })
    await hurry()
    await settled()
    t.same((await saidIn('closed')).slice(1), ['Failure! Third party has an address that may not be called.'])
  },
)

t.test('[HOOKOUT8] a bot that may not write where it was called notifies its owner instead', async (t) => {
  const bot = await makeBot()
  bot.path.answer = { body: { content: 'unwelcome' } }
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'general' })
  const allow = (group: unknown) =>
    owner.must('PATCH', `/streams/${stream_id}`, { can_send_message_group: JSON.stringify({ new: group }) })
  const everyone = (await owner.must('GET', '/user_groups')).user_groups.find(
    ({ name }: { name: string }) => name === 'role:everyone',
  )
  t.teardown(() => allow(everyone?.id)) // Also if the test fails.
  await allow({ direct_members: [member.userId], direct_subgroups: [] })
  const before = (await noticesToOwner()).length
  await bot.call('closed room', 'hello')
  await settled()
  t.equal((await saidIn('closed room')).length, 1)
  t.match((await noticesToOwner()).slice(before), [/sent an answer that cannot be posted/])
})

t.test('[HOOKOUT9] slow receivers of one person hold up no bots of others', async (t) => {
  const [slow, quick] = [await makeBot(), await makeBot({}, member2)]
  slow.path.answer = 'held'
  t.teardown(() => endSlow(slow.path)) // Also if the test fails.
  quick.path.answer = { body: { content: 'at once' } }
  // Another host, since calls to one host take turns, too.
  const url = quick.path.url.replace('127.0.0.1', 'localhost')
  await member2.must('PATCH', `/bots/${quick.id}`, { service_payload_url: url })
  for (let index = 0; index < 30; index++) await slow.call('slow', String(index))
  await pollUntil('it is called', () => slow.path.calls.length > 0)
  await quick.call('quick', 'hello', member2)
  await pollUntil('the other answers', async () => (await saidIn('quick')).length === 2)
  await expectTurns(t, slow.id, 8)
})

t.test('[HOOKOUT10] managers of an outgoing webhook see and replace its signing secret', async (t) => {
  const bot = await makeBot()
  const path = `/bots/${bot.id}/signing_secret`
  const { signing_secret: first } = await member.must('GET', path)
  t.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.equal((await owner.must('GET', path)).signing_secret, first)
  const { signing_secret: second } = await member.must('POST', `${path}/regenerate`)
  t.not(second, first)
  t.equal((await member.must('GET', path)).signing_secret, second)
  await bot.call('signed', 'hello')
  const [call] = await pollUntil('it is called', () =>
    bot.path.calls.length > 0 ? bot.path.calls : undefined,
  )
  t.equal(call?.headers['webhook-signature'], call && expectedSignature(call, String(second)))
  for (const request of [
    (person: Client, id: number) => person.get(`/bots/${id}/signing_secret`),
    (person: Client, id: number) => person.post(`/bots/${id}/signing_secret/regenerate`),
  ]) {
    expectRefusal(t, await request(member2, bot.id), 'Insufficient permission')
    expectRefusal(t, await request(owner, 9_999), 'No such bot')
    expectRefusal(t, await request(owner, 7), 'This bot is not an outgoing webhook.')
  }
})

t.test('[HOOKOUT11] the example rolls dice, and refuses calls that are not signed', async (t) => {
  const bot = await makeBot()
  const { signing_secret: secret } = await member.must('GET', `/bots/${bot.id}/signing_secret`)
  const program = spawn(process.execPath, [join(import.meta.dirname, '../../examples/dice-bot.ts')], {
    env: { PATH: process.env.PATH, SIGNING_SECRET: String(secret), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(program, 'exit')
  t.teardown(async () => {
    program.kill()
    await exited
  })
  const [line] = (await once(program.stdout, 'data')) as [Buffer]
  const [, port] = /"port":(\d+)/.exec(line.toString()) ?? []
  const url = `http://127.0.0.1:${port}/`
  await member.must('PATCH', `/bots/${bot.id}`, { service_payload_url: url })
  await bot.call('dice', '3d6')
  await settled()
  t.match((await saidIn('dice')).slice(1), [/^:dice: [1-6], [1-6], [1-6]$/])
  t.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 403)
})
