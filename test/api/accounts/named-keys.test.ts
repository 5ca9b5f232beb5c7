/** Keys of programs: how they are made, listed and managed, and how they end. */

import t from 'tap'
import { rotateKeys } from '../../../server/admin/rotate-keys.ts'
import { openLocalWriter } from '../../../server/actors/local-writer.ts'
import { KEY_AGE_SECONDS_MAX, NAMED_KEYS_PER_USER_MAX } from '../../../server/domain/accounts/named-keys.ts'
import { FRESH_SESSION_SECONDS } from '../../../server/domain/accounts/second-factors.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { loadState } from '../../../server/state/load-state.ts'
import { openStream, refusedUpgrade } from '../../events/open-stream.ts'
import { Browser } from '../../harness/browser/browser.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { FactorAccounts, PROOF, wrongCode } from '../../harness/sign-on/factor-accounts.ts'
import { deactivateUser } from '../../harness/worlds/account-changes.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { startKeys } from './start-keys.ts'

const { clock, server, url, makeKey, makeBot, isNoKey, GENERAL, HIDDEN } = await startKeys(t)
const { services } = server.node
const { sql, state } = services
const people = new FactorAccounts(server, clock)
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]

const isUnknown = (answer: { status: number; body: object }) =>
  expectRefusal(t, answer as never, 'Key does not exist.', { status: 404, code: 'NOT_FOUND' })
const isIn = async (client: Client) => (await client.get('/users/me')).status === 200
const listOf = async (client: Client) => (await client.must('GET', '/users/me/keys')).keys

await t.test(
  '[NAMEDKEY1] a key is shown once, stored as a hash, and listed for its user alone',
  async (t) => {
    const made = await member.must('POST', '/users/me/keys', {
      name: ' Backup script ',
      scope: 'channel',
      stream_id: GENERAL,
      expires_in_seconds: 3600,
    })
    t.match(made.api_key, /^[A-Za-z0-9]{32}$/)
    const now = Math.floor(clock.nowMs() / 1000)
    t.same(await listOf(member), [
      {
        id: made.id,
        name: 'Backup script',
        scope: 'channel',
        stream_id: GENERAL,
        created_at: now,
        expires_at: now + 3600,
        last_used_at: null,
      },
    ])
    t.same(await listOf(owner), [])
    const rows = await sql`select named_keys::text as row from named_keys`
    const events =
      await sql`select event::text as row from event_log where event::text like '%named_key_made%'`
    t.equal(events.length, 1)
    for (const { row } of [...rows, ...events]) t.notOk(row.includes(made.api_key))
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['named_key_made'] })
    t.match(entries[0], {
      acting_user_id: member.userId,
      details: {
        user_id: member.userId,
        key_id: made.id,
        name: 'Backup script',
        scope: 'channel',
        stream_id: GENERAL,
      },
    })
    t.same((await loadState(sql)).namedKeys, state.namedKeys, 'the tables have what memory has')
    for (const other of [owner, guest]) isUnknown(await other.delete(`/users/me/keys/${made.id}`))
    isUnknown(await member.delete('/users/me/keys/nothing'))
    t.equal((await member.delete(`/users/me/keys/${made.id}`)).status, 200)
    isUnknown(await member.delete(`/users/me/keys/${made.id}`))
    t.same(await listOf(member), [])
    const ended = await owner.must('GET', '/realm/audit_log', { kinds: ['named_keys_ended'] })
    t.match(ended.entries[0], { details: { user_id: member.userId, key_ids: [made.id] } })
  },
)

await t.test('[NAMEDKEY2] the name, scope and life of a new key have limits', async (t) => {
  const ask = (fields: Fields) => member.post('/users/me/keys', { name: 'Program', scope: 'read', ...fields })
  const refused: readonly [Fields, string][] = [
    [{ name: '  ' }, 'name cannot be blank'],
    [{ name: 'n'.repeat(61) }, 'name is too long (limit: 60 characters)'],
    [{ scope: 'everything' }, 'Invalid scope'],
    [{ expires_in_seconds: 59 }, 'Invalid expires_in_seconds'],
    [{ expires_in_seconds: KEY_AGE_SECONDS_MAX + 1 }, 'Invalid expires_in_seconds'],
    [{ stream_id: GENERAL }, 'Unsupported parameter combination: scope, stream_id'],
    [{ scope: 'channel' }, "Missing 'stream_id' argument"],
    [{ scope: 'channel', stream_id: HIDDEN }, 'Invalid channel ID'],
    [{ scope: 'channel', stream_id: 999 }, 'Invalid channel ID'],
    [{ scope: 'webhooks' }, 'Only bots have keys for webhooks.'],
  ]
  for (const [fields, msg] of refused) {
    const { status, body } = await ask(fields)
    t.match({ status, msg: body.msg }, { status: 400, msg }, JSON.stringify(fields))
  }
  t.same(await listOf(member), [], 'none was made')
  for (const fields of [
    { name: 'n'.repeat(60) },
    { expires_in_seconds: 60 },
    { expires_in_seconds: KEY_AGE_SECONDS_MAX },
    { expires_in_seconds: null },
  ]) {
    const { status, body } = await ask(fields)
    t.equal(status, 200, JSON.stringify(fields))
    await member.must('DELETE', `/users/me/keys/${body.id}`)
  }
})

await t.test('[NAMEDKEY7] a revoked key ends its polls, streams and queues at once', async (t) => {
  const [made, kept] = [await makeKey(member, 'read'), await makeKey(member, 'read')]
  const queues = [await made.program.register(), await made.program.register()] as const
  const other = await kept.program.register()
  const stream = await openStream(made.program, queues[0])
  const keptStream = await openStream(kept.program, other)
  const parked = made.program.get('/events', {
    queue_id: queues[1].queueId,
    last_event_id: queues[1].lastEventId,
  })
  await pollUntil('the poll waits', () => services.queues.countWaiting().polls === 1)
  await member.must('DELETE', `/users/me/keys/${made.id}`)
  t.match(await stream.closed, { code: 4004, reason: 'the API key is no longer valid' })
  t.ok([200, 400].includes((await parked).status))
  isNoKey(await made.program.get('/events', { queue_id: queues[1].queueId, dont_block: true }))
  const rows = await sql`select id from event_queues where id in ${sql(queues.map(({ queueId }) => queueId))}`
  t.equal(rows.length, 0)
  isNoKey(await made.program.get('/users/me'))
  await owner.send('general', 'topic', 'after')
  t.match(await keptStream.take(1), [{ type: 'message' }], 'those of other keys stay')
  await keptStream.close()
  const refused = await refusedUpgrade(url, `queue_id=${other.queueId}`, made.program.authorization)
  t.equal(refused.status, 401)
})

await t.test('[NAMEDKEY8] a key that is over looks like none, and so do its queues', async (t) => {
  // All timers run now, so the hourly one does not run again before the stream has ended.
  clock.leap(1)
  clock.advance(1)
  const { program, id } = await makeKey(member, 'read', { expires_in_seconds: 120 })
  const queue = await program.register({ idle_queue_timeout: 'mobile' })
  const stream = await openStream(program, queue)
  clock.advance(119_000)
  t.ok(await isIn(program))
  clock.advance(1_000)
  isNoKey(await program.get('/users/me'))
  t.same(
    (await listOf(member)).filter((key) => key.id === id),
    [],
  )
  isUnknown(await member.delete(`/users/me/keys/${id}`))
  clock.advance(60_000)
  t.match(await stream.closed, { code: 4004 })
  t.equal((await sql`select from named_keys where id = ${id}`).length, 1, 'before it leaves the tables')
  clock.advance(3_600_000)
  await pollUntil('the key has left the tables', async () => {
    const rows = await sql`select from named_keys where id = ${id}`
    return rows.length === 0
  })
  const rows = await sql`select from event_queues where id = ${queue.queueId}`
  t.equal(rows.length, 0)
})

await t.test('[NAMEDKEY9] the last use of a key is recorded now and then', async (t) => {
  const { program, id } = await makeKey(member, 'read')
  const used = async () => (await listOf(member)).find((key) => key.id === id)?.last_used_at
  t.equal(await used(), null)
  const first = Math.floor(clock.nowMs() / 1000)
  t.ok(await isIn(program))
  await services.seenKeys.record()
  t.equal(await used(), first)
  clock.leap(599_000)
  t.ok(await isIn(program))
  await services.seenKeys.record()
  t.equal(await used(), first, 'not for each request')
  clock.leap(1_000)
  t.ok(await isIn(program))
  await services.seenKeys.record()
  t.equal(await used(), first + 600)
})

await t.test('[NAMEDKEY11] owners of a bot and administrators manage its keys, others do not', async (t) => {
  const bot = await makeBot(member)
  const { id } = await makeKey(bot, 'read', {}, member)
  const path = `/bots/${bot.userId}/keys`
  const asks = [
    (client: Client, at = path) => client.get(at as '/bots/1/keys'),
    (client: Client, at = path) => client.post(at as '/bots/1/keys', { name: 'n', scope: 'read' }),
    (client: Client, at = path) => client.delete(`${at}/${id}` as '/bots/1/keys/1'),
  ]
  for (const ask of asks) {
    expectRefusal(t, await ask(server.as('member2')), 'Insufficient permission')
    for (const none of [999, member.userId])
      expectRefusal(t, await ask(member, `/bots/${none}/keys`), 'No such bot')
  }
  const lofty = await makeBot(owner)
  await owner.must('PATCH', `/bots/${lofty.userId}`, { role: 100 })
  for (const ask of asks)
    expectRefusal(
      t,
      await ask(server.as('administrator'), `/bots/${lofty.userId}/keys`),
      'Must be an organization owner',
    )
  t.equal(
    (await member.post(path, { name: 'n', scope: 'channel', stream_id: HIDDEN })).body.msg,
    'Invalid channel ID',
  )
  t.match(await member.post(path, { name: 'n', scope: 'read', stream_id: GENERAL }), {
    status: 400,
    body: { parameters: 'scope, stream_id' },
  })
  isUnknown(await member.delete(`${path}/nothing`))
  const administrator = await makeKey(bot, 'read', {}, server.as('administrator'))
  t.ok(await isIn(administrator.program))
  t.same(new Set((await listOf(bot)).map((key) => key.id)), new Set([id, administrator.id]))
  for (let more = 2; more < NAMED_KEYS_PER_USER_MAX; more++)
    await makeKey(bot, 'read', { expires_in_seconds: 60 }, member)
  const tooMany = `Too many keys of programs (maximum ${NAMED_KEYS_PER_USER_MAX}).`
  expectRefusal(t, await member.post(path, { name: 'n', scope: 'read' }), tooMany)
  expectRefusal(t, await bot.post('/users/me/keys', { name: 'n', scope: 'read' }), tooMany)
  clock.leap(60_000)
  await makeKey(bot, 'read', {}, member)
  t.equal(state.namedKeysOf(bot.userId as UserId).length, 3, 'those that are over make room')
})

await t.test('[NAMEDKEY12] in a browser a new key needs a proof, as other keys do', async (t) => {
  const account = await people.addAccount()
  const bot = await makeBot(account.client)
  const browser = new Browser(url)
  await browser.send('POST', '/json/login', {
    fields: { username: account.email, ...PROOF, otp_token: account.code() },
  })
  const isKey = { status: 200, body: { api_key: /^[A-Za-z0-9]{32}$/ } }
  const paths = ['/json/users/me/keys', `/json/bots/${bot.userId}/keys`]
  const ask = (path: string, more: Record<string, string> = {}) =>
    browser.call('POST', path, { name: 'Program', scope: 'read', ...more })
  for (const path of paths) t.match(await ask(path), isKey, 'just after a log-in')
  clock.leap(FRESH_SESSION_SECONDS * 1000)
  for (const path of paths) {
    t.match(await ask(path), { status: 400, body: { code: 'RECENT_LOGIN_REQUIRED' } })
    t.match(await ask(path, { password: 'wrong horse' }), { status: 400, body: { msg: 'Wrong password!' } })
    const code = account.code()
    t.match(await ask(path, { ...PROOF, otp_token: wrongCode(code) }), { body: { msg: 'Wrong code!' } })
    t.match(await ask(path, { ...PROOF, otp_token: code }), isKey)
  }
  const { body } = await browser.send('GET', '/json/users/me/keys')
  t.equal(body.keys.length, 2)
})

await t.test(
  '[NAMEDKEY13] keys end with the other keys of their user, and stay where those stay',
  async (t) => {
    const person = await people.addPerson()
    const made = async () => (await makeKey(person, 'read')).program
    const ends: readonly [string, () => Promise<unknown>, isKept?: true][] = [
      [
        'a password that keeps keys',
        () =>
          person.must('PATCH', '/settings', {
            old_password: PROOF.password,
            new_password: 'battery staple horse',
            keep_api_keys: true,
          }),
        true,
      ],
      [
        'a new password',
        () =>
          person.must('PATCH', '/settings', {
            old_password: 'battery staple horse',
            new_password: 'another battery staple',
          }),
      ],
      [
        'a new key',
        async () => {
          person.key = (await person.must('POST', '/users/me/api_key/regenerate')).api_key
        },
      ],
      ['the end of all sessions', () => person.must('DELETE', '/users/me/sessions'), true],
      ['another role', () => owner.must('PATCH', `/users/${person.userId}`, { role: 300 }), true],
    ]
    for (const [name, act, isKept = false] of ends) {
      const program = await made()
      t.ok(await isIn(program))
      await act()
      t.equal(await isIn(program), isKept, name)
    }
    const bot = await makeBot(person)
    const ofBot = await makeKey(bot, 'read', {}, person)
    bot.key = (await person.must('POST', `/bots/${bot.userId}/api_key/regenerate`)).api_key
    isNoKey(await ofBot.program.get('/users/me'))
    const last = await made()
    const lastOfBot = await makeKey(bot, 'read', {}, person)
    await services.committer.submit(deactivateUser(person.userId as UserId))
    for (const program of [last, lastOfBot.program])
      expectRefusal(t, await program.get('/users/me'), 'Account is deactivated', {
        status: 401,
        code: 'UNAUTHORIZED',
      })
    await owner.must('POST', `/users/${person.userId}/reactivate`)
    isNoKey(await last.get('/users/me'))
    t.same(state.namedKeysOf(person.userId as UserId), [])
  },
)

await t.test('[NAMEDKEY14] an operator who rotates keys ends the named ones, too', async (t) => {
  const bot = await makeBot(member)
  const [own, ofBot] = [await makeKey(guest, 'read'), await makeKey(bot, 'read', {}, member)]
  const writer = await openLocalWriter(server.databaseUrl)
  await rotateKeys(writer, ['bot-keys'])
  clock.advance(1_000)
  await pollUntil('keys of bots ended', async () => !(await isIn(ofBot.program)))
  t.ok(await isIn(own.program))
  await rotateKeys(writer, ['api-keys'])
  clock.advance(1_000)
  await pollUntil('keys of people ended', async () => !(await isIn(own.program)))
  t.equal(writer.state.namedKeys.size, 0)
  await writer.close()
})
