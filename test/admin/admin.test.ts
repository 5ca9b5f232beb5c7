/**
 * The admin command line, next to a server with a stopped clock: only the notification reaches it. It runs as a process of
 * its own where that matters, and otherwise in the process of the test.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { storeHalfLogin } from '../../db/accounts/half-logins.ts'
import { storeReset } from '../../db/accounts/password-resets.ts'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { makeDemo } from '../../server/admin/demo.ts'
import { hashApiKey, Passwords } from '../../server/changes/passwords.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { Browser } from '../harness/browser/browser.ts'
import { FactorAccounts, isIn } from '../harness/sign-on/factor-accounts.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { Client } from '../harness/client/client.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { pollUntil } from '../services/poll-until.ts'
import { type Ending, runEntry, type Settings } from '../start/run-entry.ts'
import { runHere } from './run-here.ts'

const admin = (settings: Settings, ...args: string[]) => runHere(settings, args)
const adminProcess = (t: TestContext, settings: Settings, ...args: string[]) =>
  runEntry(t, 'server/admin/main.ts', settings, args)

/** Runs a process with a standard input; the servers of the test go on meanwhile. */
async function pipedProcess(settings: Settings, args: readonly string[], input: string): Promise<Ending> {
  const child = spawn(process.execPath, ['server/admin/main.ts', ...args], {
    env: { PATH: process.env.PATH, ...moduleSettings(), ...settings },
  })
  child.stdin.on('error', () => undefined) // Some commands end before they read it.
  child.stdin.end(input)
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await ended) as [number | null]
  return { code, stdout, stderr }
}

/** The output of a command that must succeed: one line of JSON. */
function readResult({ code, stdout, stderr }: Ending) {
  if (code !== 0 || stderr !== '' || !/^[^\n]+\n$/.test(stdout)) {
    throw new Error(`the command ended with ${code}, and said: ${stdout}${stderr}`)
  }
  return JSON.parse(stdout)
}

const NEW_USER = ['user', 'create', '--email', 'Ann@example.com', '--name', 'Ann Ö', '--role', 'moderator']

t.test('[CLI3] a created user can log in to a running server at once, by key and by password', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock() })
  const owner = server.as('owner')
  const queue = await owner.register()
  const created = readResult(
    await pipedProcess(
      { DATABASE_URL: server.databaseUrl },
      [...NEW_USER, '--password-stdin'],
      'correct horse\nnot this\n',
    ),
  )
  t.strictSame(Object.keys(created), ['user_id', 'email', 'api_key'])
  t.match(created, { user_id: 8, email: 'Ann@example.com', api_key: /^[A-Za-z0-9]{32}$/ })

  const ann = new Client(server.node.url, created.user_id, created.email, created.api_key)
  await pollUntil('the server knows the user', async () => (await ann.get('/users/me')).status === 200)
  t.match(await ann.must('GET', '/users/me'), { full_name: 'Ann Ö', role: 300, is_bot: false })
  t.match(await owner.events(queue), [{ type: 'realm_user', op: 'add', person: { user_id: 8 } }])
  const fields = { username: 'ann@example.com', password: 'correct horse' }
  t.match(await server.anyone.must('POST', '/fetch_api_key', fields), { user_id: 8 })
  const wrong = await server.anyone.post('/fetch_api_key', { ...fields, password: 'wrong horse' })
  t.equal(wrong.status, 401)
})

t.test('[CLI4] a bot must have an active person as its owner', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock() })
  const settings = { DATABASE_URL: server.databaseUrl }
  const create = (owner: string) =>
    admin(
      settings,
      'user',
      'create',
      '--email=b@example.com',
      '--name=B',
      '--role=member',
      '--bot',
      '--owner',
      owner,
    )
  t.match(await create('nobody@example.com'), {
    code: 1,
    stderr: 'parley: there is no user nobody@example.com\n',
  })
  t.match(await create('bot@example.com'), {
    code: 1,
    stderr: 'parley: the owner of a bot must be an active person\n',
  })
  const created = readResult(await create('MEMBER2@example.com'))
  const bot = new Client(server.node.url, created.user_id, created.email, created.api_key)
  await pollUntil('the server knows the bot', async () => (await bot.get('/users/me')).status === 200)
  t.match(await bot.must('GET', '/users/me'), { is_bot: true })
  t.match((await server.as('owner').must('GET', '/users')).members.at(-1), {
    bot_type: 1,
    bot_owner_id: server.as('member2').userId,
  })
})

t.test('[CLI5] deactivation ends the waiting polls, the queues and the bots of a user at once', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock() })
  const member = server.as('member')
  const bot = server.as('bot')
  const queue = await member.register()
  await bot.register()
  const other = await server.as('member2').register()
  const poll = member.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId })
  const args = ['user', 'deactivate', '--email', 'member@example.com']
  t.strictSame(readResult(await admin({ DATABASE_URL: server.databaseUrl }, ...args)), {
    user_id: member.userId,
    email: 'member@example.com',
    full_name: 'The member',
    role: 'member',
    is_bot: false,
    is_active: false,
  })
  await poll // It would wait for ever, since the clock does not move.
  t.match(await member.get('/users/me'), { status: 401, body: { msg: 'Account is deactivated' } })
  t.match(await bot.get('/users/me'), { status: 401, body: { msg: 'Account is deactivated' } })
  const rows = await server.node.services.sql<{ userId: number }[]>`
    select user_id as "userId" from event_queues order by user_id`
  t.strictSame(
    rows.map(({ userId }) => userId),
    [server.as('member2').userId],
  )
  const events = await server.as('member2').events(other)
  t.match(events, [
    { type: 'realm_user', op: 'update', person: { user_id: member.userId, is_active: false } },
    { type: 'realm_user', op: 'update', person: { user_id: bot.userId, is_active: false } },
  ])
  t.match(await admin({ DATABASE_URL: server.databaseUrl }, ...args), {
    code: 1,
    stderr: 'parley: member@example.com is already deactivated\n',
  })
})

t.test('[CLI6] after a rotation only the new key is valid', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock() })
  const guest = server.as('guest')
  const rotated = readResult(
    await admin({ DATABASE_URL: server.databaseUrl }, 'user', 'rotate-key', '--email', 'GUEST@example.com'),
  )
  t.match(rotated, { user_id: guest.userId, email: 'guest@example.com', api_key: /^[A-Za-z0-9]{32}$/ })
  const again = new Client(server.node.url, guest.userId, guest.email, rotated.api_key)
  await pollUntil('the server knows the key', async () => (await again.get('/users/me')).status === 200)
  t.match(await guest.get('/users/me'), { status: 401, body: { msg: 'Invalid API key' } })
})

t.test('[CLI50] a rotation ends every key on running servers, or those of some kinds', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock(), redis: true })
  const another = await server.startAnotherNode()
  const { sql, passwords } = server.node.services
  const [owner, guest, bot] = [server.as('owner'), server.as('guest'), server.as('bot')]
  await storePasswordHash(sql, guest.userId as UserId, await passwords.hash('correct horse'))
  const url = await mustPostFile(owner, 'bytes', 'bytes.txt')
  const { url: address } = await owner.must('GET', encodeURI(url) as '/user_uploads/1/x')
  const { invite_link } = await owner.must('POST', '/invites/multiuse', {})
  await storeReset(sql, guest.userId as UserId, 'guest@example.com', 'a'.repeat(64))
  const half = { userId: guest.userId as UserId, passwordHash: '', hiddenPad: null, app: null }
  await storeHalfLogin(sql, 'b'.repeat(64), half, 4_000_000_000)
  const browser = new Browser(server.node.url)
  t.equal((await browser.logIn('guest@example.com', 'correct horse')).status, 200)
  const rotate = async (...args: string[]) =>
    readResult(await admin({ DATABASE_URL: server.databaseUrl }, 'keys', 'rotate', ...args))
  const nodes = [server.node.url, another.node.url]
  const opens = async () => Promise.all(nodes.map(async (at) => (await fetch(at + address)).status === 200))

  t.same(await opens(), [true, true])
  t.same(await rotate('--only', 'addresses'), { addresses: 1 })
  t.same(await opens(), [false, false])
  t.equal((await guest.get('/users/me')).status, 200, 'the others stay')
  t.equal((await fetch(invite_link)).status, 200)

  const ended = await rotate()
  t.strictSame(Object.keys(ended), [
    'addresses',
    'invitations',
    'api_keys',
    'bot_keys',
    'sessions',
    'links',
    'push',
    'scim',
  ])
  t.match(ended, { invitations: 1, api_keys: 6, bot_keys: 1, sessions: 1, links: 1, push: 0, scim: 0 })
  for (const client of [owner, guest, bot, another.as('owner')]) {
    const isOut = async () => (await client.get('/users/me')).status === 401
    await pollUntil('the key has ended', isOut)
  }
  await pollUntil('so has the session', async () => !(await isIn(browser)))
  t.equal((await fetch(invite_link)).status, 404)
  const [left] = await sql`select
    (select count(*)::int from password_resets) as resets, (select count(*)::int from login_sessions) as sessions,
    (select count(*)::int from half_logins) as halves, (select count(*)::int from users where api_key_hashes <> '{}') as keys`
  t.same(left, { resets: 0, sessions: 0, halves: 0, keys: 0 })
  const fields = { username: 'guest@example.com', password: 'correct horse' }
  t.equal((await server.anyone.post('/fetch_api_key', fields)).status, 200, 'people log in again')
})

t.test('[CLI31] the operator logs a person out of every browser, on running servers', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock() })
  const { sql, passwords } = server.node.services
  await storePasswordHash(sql, server.as('guest').userId as UserId, await passwords.hash('correct horse'))
  for (const command of ['end-sessions', 'rotate-key']) {
    const browser = new Browser(server.node.url)
    t.equal((await browser.logIn('guest@example.com', 'correct horse')).status, 200)
    const args = ['user', command, '--email', 'guest@example.com']
    t.match(readResult(await admin({ DATABASE_URL: server.databaseUrl }, ...args)), {
      email: 'guest@example.com',
      ...(command === 'end-sessions' ? { ended: 1 } : {}),
    })
    const isOut = async () => (await browser.send('GET', '/json/users/me')).status === 401
    await pollUntil('the server has ended the session', isOut)
  }
})

t.test("[CLI32] the operator removes a person's second factors, on running servers", async (t) => {
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock })
  const people = new FactorAccounts(server, clock)
  const account = await people.addAccount()
  const browser = await people.firstStep(account.email)
  await people.secondStep(browser, account.code())
  t.ok(await isIn(browser))
  const args = ['user', 'reset-factors', '--email', account.email]
  t.strictSame(readResult(await admin({ DATABASE_URL: server.databaseUrl }, ...args)), {
    user_id: account.client.userId,
    email: account.email,
    ended: 1,
  })
  await pollUntil('the server has ended the session', async () => !(await isIn(browser)))
  t.equal((await people.logIn(account.email)).status, 200)
})

t.test('[CLI33] an operator gives a role, which ends sessions and lowers bots at once', async (t) => {
  const server = await startTestServer(t, { clock: new ManualClock() })
  const { sql, passwords } = server.node.services
  const settings = { DATABASE_URL: server.databaseUrl }
  const member = server.as('member')
  const set = (person: string, role: string) =>
    admin(settings, 'user', 'set-role', `--email=${person}@example.com`, '--role', role)
  t.match(await set('bot', 'moderator'), {
    code: 1,
    stderr: 'parley: a bot cannot have a higher role than its owner\n',
  })
  t.match(await set('owner', 'member'), { code: 1, stderr: 'parley: owner@example.com is the last owner\n' })
  t.match(await set('nobody', 'member'), { code: 1, stderr: 'parley: there is no user nobody@example.com\n' })
  await storePasswordHash(sql, member.userId as UserId, await passwords.hash('correct horse'))
  const browser = new Browser(server.node.url)
  t.equal((await browser.logIn('member@example.com', 'correct horse')).status, 200)
  t.match(readResult(await set('member', 'guest')), { user_id: member.userId, role: 'guest' })
  const isOut = async () => (await browser.send('GET', '/json/users/me')).status === 401
  await pollUntil('the server has ended the session', isOut)
  t.match(await member.must('GET', '/users/me'), { role: 600 }, 'the key stays valid')
  t.match(await server.as('bot').must('GET', '/users/me'), { role: 600 })
  t.match(readResult(await set('guest', 'owner')), { role: 'owner' })
  t.match(readResult(await set('guest', 'owner')), { role: 'owner' }, 'again changes nothing')
})

t.test('[CLI34] a set-up link takes the place of the demo; the next one ends it', async (t) => {
  const databaseUrl = await createDatabase(t)
  const settings = { DATABASE_URL: databaseUrl, HOST: '::1', PORT: '1234' }
  const create = (more: Settings = {}) =>
    admin({ ...settings, ...more }, 'organization', 'create', '--instead-of-demo')
  const first = readResult(await create())
  t.match(first, { setup_url: /^http:\/\/\[::1\]:1234\/setup\/[A-Za-z0-9]{32}\/$/ })
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  const [row] = await sql`
    select token_hash as hash, extract(epoch from expires_at - now())::int as seconds from setup_links`
  const token = (url: string) => url.split('/').at(-2) as string
  t.equal(row?.['hash'], hashApiKey(token(first.setup_url)), 'only the hash is stored')
  t.ok(row?.['seconds'] > 86_000 && row?.['seconds'] <= 86_400)
  const second = readResult(await create({ PUBLIC_URL: 'https://chat.example.com' }))
  t.match(second.setup_url, 'https://chat.example.com/setup/')
  t.match(await sql`select token_hash as hash from setup_links`, [
    { hash: hashApiKey(token(second.setup_url)) },
  ])
  t.equal(await makeDemo(sql, '/nonexistent', new Passwords({ N: 2 })), false)
  readResult(await admin(settings, 'organization', 'create', '--name', 'Ours'))
  t.match(await create(), { code: 1, stderr: 'parley: this server already has an organization: Ours\n' })
})

t.test(
  '[CLI20] an operator sets a password by the standard input, never by an argument, and ends all log-ins',
  async (t) => {
    const server = await startTestServer(t, { clock: new ManualClock() })
    const settings = { DATABASE_URL: server.databaseUrl }
    const member = server.as('member')
    const set = ['user', 'set-password', '--email', 'member@example.com']
    const logIn = (password: string) =>
      server.anyone.post('/fetch_api_key', { username: 'member@example.com', password })
    const result = readResult(await runHere(settings, set, 'correct horse\nnot this\n'))
    t.strictSame(result, { user_id: member.userId, email: 'member@example.com' })
    await pollUntil('the key has ended', async () => (await member.get('/users/me')).status === 401)
    t.equal((await logIn('correct horse')).status, 200)
    const refusals: [input: string, code: number, reason: RegExp][] = [
      ['short\n', 2, /^parley: the password on the standard input must have 8 to 1000 characters\n$/],
      [`${'x'.repeat(1_001)}\n`, 2, / 8 to 1000 characters\n$/],
      ['Password1\n', 1, /^parley: This password is among those that attackers try first/],
      ['Test Organization\n', 1, /^parley: This password is easy to guess from your name/],
    ]
    for (const [input, code, stderr] of refusals)
      t.match(await runHere(settings, set, input), { code, stderr }, input)
    t.match(await runHere(settings, [...NEW_USER, '--password-stdin'], 'ann@example.com\n'), {
      code: 1,
      stderr: /^parley: This password is easy to guess/,
    })
    t.match(await admin(settings, ...set, '--password', 'another horse'), {
      code: 2,
      stderr: /^parley: process lists show --password: use --password-stdin/,
    })
    t.equal((await logIn('correct horse')).status, 200, 'none of these changed it')
    const bot = await pipedProcess(
      settings,
      ['user', 'set-password', '--email=bot@example.com'],
      'correct horse\n',
    )
    t.match(bot, { code: 1, stderr: /a bot, which has no password/ })
  },
)

t.test('[CLI7] the list of users is one JSON array', async (t) => {
  const server = await startTestServer(t)
  const users = readResult(await adminProcess(t, { DATABASE_URL: server.databaseUrl }, 'user', 'list'))
  t.equal(users.length, 7)
  t.strictSame(users.at(-1), {
    user_id: 7,
    email: 'bot@example.com',
    full_name: 'The bot',
    role: 'member',
    is_bot: true,
    is_active: true,
  })
})

t.test('[CLI8] a database without an organization gets exactly one', async (t) => {
  const settings = { DATABASE_URL: await createDatabase(t) }
  t.match(await admin(settings, ...NEW_USER), {
    code: 1,
    stdout: '',
    stderr: 'parley: there is no organization yet: create it first\n',
  })
  const args = ['organization', 'create', '--name', 'Ours', '--description', '*ours*']
  t.strictSame(readResult(await admin(settings, ...args)), { name: 'Ours', description: '*ours*' })
  t.match(await admin(settings, ...args), {
    code: 1,
    stderr: 'parley: this server already has an organization: Ours\n',
  })
  t.match(readResult(await admin(settings, ...NEW_USER)), { user_id: 1 })
  t.match(await adminProcess(t, settings, ...NEW_USER), {
    code: 1,
    stdout: '',
    stderr: 'parley: Ann@example.com already has an account\n',
  })
})

t.test('[CLI9] wrong arguments exit with 2 and one line; help exits with 0 and its text', async (t) => {
  const wrong = await adminProcess(t, {}, 'user', 'list', '--all')
  t.strictSame(wrong, { code: 2, stdout: '', stderr: "parley: Unknown option '--all'\n" })
  const help = await adminProcess(t, {}, '--help')
  t.match(help, { code: 0, stderr: '', stdout: /organization create --name NAME/ })
})

t.test('[CLI12] the audit log is printed with the addresses of the acting users', async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  await sql`update event_log set actor_id = 1 where event ->> 'type' = 'realm_user/add' and event #>> '{user,id}' = '4'`
  const list = async (...args: string[]) =>
    readResult(await admin({ DATABASE_URL: databaseUrl }, 'audit', 'list', ...args))
  t.match(await list('--kind', 'realm_user/add,stream/create', '--limit', '4', '--since', '2026-01-31'), [
    { kind: 'realm_user/add', actor: 'server', acting_user: null, details: { full_name: 'The bot' } },
    { details: { full_name: 'The guest' } },
    { details: { full_name: 'The member2' } },
    { actor: 'user', acting_user_id: 1, acting_user: 'owner@example.com', details: { user_id: 4 } },
  ])
  t.match(await list('--user', 'OWNER@example.com'), [{ kind: 'realm_user/add', details: { user_id: 4 } }])
})
