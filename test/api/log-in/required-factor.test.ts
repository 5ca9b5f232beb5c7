/** An organization requires a second factor of its people, after a time of grace. */

import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import { startSession } from '../../../server/changes/users/login-sessions.ts'
import { loadState } from '../../../server/state/load-state.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Account, FactorAccounts, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { openStream } from '../../events/open-stream.ts'
import { pollUntil } from '../../services/poll-until.ts'

const DAY_MS = 24 * 3600 * 1_000
const clock = new ManualClock()
const server = await startTestServer(t, { clock, redis: true })
const { services } = server.node
const { sql, state } = services
const { url } = server.node
const owner = server.as('owner')
const people = new FactorAccounts(server, clock)
const require = (days: number, by: Client = owner) => by.patch('/realm', { second_factor_grace_days: days })
const REFUSED = `Your organization requires a second factor. Set up an authenticator app at ${url}/accounts/security`
const FORBIDDEN = { status: 403, code: 'SECOND_FACTOR_SETUP_REQUIRED' }
const isRefused = (answer: { status: number; body: unknown }) =>
  expectRefusal(t, answer as never, REFUSED, FORBIDDEN)

/** Sets up an app for a person with a password. */
async function enableApp(client: Client): Promise<void> {
  const { secret } = await client.must('POST', '/users/me/two_factor/totp', PROOF)
  await client.must('POST', '/users/me/two_factor/totp/confirm', { otp_token: people.appOf(secret).code() })
}

await t.test('[FACTOR40] only an owner who has an app requires one, and everyone is notified', async (t) => {
  expectRefusal(t, await require(7, server.as('administrator')), 'Must be an organization owner')
  expectRefusal(t, await require(7), 'Set up an authenticator app of your own first.')
  expectRefusal(t, await require(91), 'Invalid second_factor_grace_days')
  await people.restorePassword(owner)
  await enableApp(owner)
  const requiredAt = Math.floor(clock.nowMs() / 1_000)
  const { member, guest } = await expectConsistent(server, async () => {
    t.equal((await require(7)).status, 200)
  })
  const data = { second_factor_grace_days: 7, second_factor_required_at: requiredAt }
  t.match([member, guest], [[{ type: 'realm', op: 'update_dict', data }], [{ data }]])
  clock.advance(1_000)
  t.equal((await require(8)).status, 200)
  t.match(state.settings, { secondFactorGraceDays: 8, secondFactorRequiredAt: requiredAt }, 'the begin stays')
  const off = await expectConsistent(server, async () => {
    t.equal((await require(-1)).status, 200)
  })
  t.match(off.member, [{ data: { second_factor_grace_days: -1, second_factor_required_at: null } }])
})

await t.test(
  '[FACTOR41] after the grace time, and not before, a session without a factor only sets one up',
  async (t) => {
    const person = await people.addPerson()
    const browser = new Browser(url)
    await browser.logIn(person.email, PROOF.password)
    t.equal((await require(7)).status, 200)
    const deadline = (state.settings.secondFactorRequiredAt as number) + 7 * 86_400
    t.match((await browser.send('GET', '/json/users/me/two_factor')).body, { required_from: deadline })
    clock.leap(7 * DAY_MS - 5_000)
    t.equal((await browser.send('GET', '/json/users/me')).status, 200)
    t.match((await browser.send('GET', '/accounts/security')).text, 'requires an authenticator app from ')
    clock.leap(5_000)
    for (const path of [
      '/json/users/me',
      '/json/messages?anchor=newest&num_before=1&num_after=0',
      '/json/streams',
    ])
      isRefused(await browser.send('GET', path))
    isRefused(await browser.call('POST', '/json/messages', { type: 'direct', to: '[1]', content: 'x' }))
    isRefused(await browser.call('POST', '/json/register'))
    const file = await browser.send('GET', '/user_uploads/1/a/b/c.png')
    t.not(file.status, 200)
    t.match(
      (await browser.send('GET', '/accounts/security')).text,
      'requires an authenticator app. Set one up to continue.',
    )
    for (const path of ['/json/users/me/two_factor', '/json/users/me/passkeys', '/json/users/me/sessions'])
      t.equal((await browser.send('GET', path)).status, 200, path)

    const again = new Browser(url)
    t.equal((await again.logIn(person.email, PROOF.password)).status, 200, 'a log-in is possible')
    isRefused(await again.send('GET', '/json/users/me'))
    t.equal((await again.call('POST', '/json/logout')).status, 200, 'and a log-out')
    t.equal((await again.send('GET', '/json/users/me')).status, 401)

    const { body } = await browser.call('POST', '/json/users/me/two_factor/totp', PROOF)
    const otp_token = people.appOf(body.secret).code()
    t.equal((await browser.call('POST', '/json/users/me/two_factor/totp/confirm', { otp_token })).status, 200)
    t.equal((await browser.send('GET', '/json/users/me')).status, 200)
    t.match((await browser.send('GET', '/json/users/me/two_factor')).body, { required_from: null })
    t.notMatch((await browser.send('GET', '/accounts/security')).text, 'requires an authenticator app')
  },
)

await t.test('[FACTOR42] an API key of a person needs the app, too; that of a bot does not', async (t) => {
  const [member, bot] = [server.as('member'), server.as('bot')]
  isRefused(await member.get('/users/me'))
  isRefused(await member.post('/messages', { type: 'direct', to: [1], content: 'x' }))
  t.equal((await bot.get('/users/me')).status, 200)
  t.equal((await owner.get('/users/me')).status, 200)
  const person = await people.addPerson()
  clock.leap(8 * DAY_MS)
  const keys = () => state.apiKeyHashes.get(person.userId as UserId)?.length
  const before = keys()
  isRefused(await people.fetchKey(person.email))
  t.equal(keys(), before, 'a log-in makes no key that does not work')
  t.equal((await people.fetchKey(person.email, { password: 'wrong' })).status, 401)
  await enableApp(person)
  t.equal((await person.get('/users/me')).status, 200, 'the key is valid again')
})

await t.test('[FACTOR43] newcomers have the grace time from their first log-in on', async (t) => {
  const account = { email: 'newcomer@example.com', full_name: 'Newcomer', password: 'correct horse' }
  await owner.must('POST', '/users', account)
  clock.leap(30 * DAY_MS)
  const browser = new Browser(url)
  await browser.logIn(account.email, account.password)
  clock.leap(7 * DAY_MS - 1_000)
  t.equal((await browser.send('GET', '/json/users/me')).status, 200)
  clock.leap(1_000)
  isRefused(await browser.send('GET', '/json/users/me'))
})

await t.test('[FACTOR44] polls and streams end with the grace time, in every process', async (t) => {
  await require(-1)
  const another = await server.startAnotherNode()
  const [waiting, streaming] = [another.as('member'), another.as('member2')]
  const [queue, other] = [await waiting.register(), await streaming.register()]
  const stream = await openStream(streaming, other)
  t.equal((await require(0)).status, 200)
  await pollUntil(
    'the other process knows',
    () => another.node.services.state.settings.secondFactorGraceDays === 0,
  )
  clock.advance(60_000)
  await stream.closed
  t.match(await waiting.get('/events', { queue_id: queue.queueId, last_event_id: -1 }), {
    status: 403,
    body: { code: FORBIDDEN.code },
  })
})

await t.test(
  '[FACTOR45] a reset or removed app is required again; a restarted process knows who has one',
  async (t) => {
    const account: Account = await people.addAccount()
    const { client } = account
    t.equal((await client.get('/users/me')).status, 200)
    t.ok((await loadState(sql)).appUsers.has(client.userId as UserId))
    await owner.must('DELETE', `/users/${client.userId}/two_factor`)
    isRefused(await client.get('/users/me'))
    t.notOk((await loadState(sql)).appUsers.has(client.userId as UserId))
    await enableApp(client)
    t.equal((await client.get('/users/me')).status, 200)
    t.equal((await require(-1)).status, 200)
    t.equal(
      (await server.as('member').get('/users/me')).status,
      200,
      'without the requirement all is as before',
    )
  },
)

await t.test('[FACTOR46] a session that began by a passkey needs no app, also after a restart', async (t) => {
  const person = await people.addPerson()
  const userId = person.userId as UserId
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
    values ('one', ${userId}, 'one', '', 0, '{}', '', false, 0)`
  const start = async (proof?: { kind: 'passkey'; id: string }) => {
    const device = { client: '', address: '' }
    const session = await startSession(services, userId, { device, former: undefined, proof })
    return new Browser(url, [['sessionid', session?.token ?? '']])
  }
  const [byPasskey, other] = [await start({ kind: 'passkey', id: 'one' }), await start()]
  t.equal((await require(0)).status, 200)
  clock.leap(2 * DAY_MS)
  t.equal((await byPasskey.send('GET', '/json/users/me')).status, 200)
  t.match((await byPasskey.send('GET', '/json/users/me/two_factor')).body, { required_from: null })
  isRefused(await other.send('GET', '/json/users/me'))
  const stored = (await loadState(sql)).loginSessions.get(userId)
  t.same(stored, state.loginSessions.get(userId))
  t.equal(stored?.filter(({ isByPasskey }) => isByPasskey).length, 1)
  t.equal((await require(-1)).status, 200)
})

await t.test(
  '[FACTOR47] a stream by a ticket ends with the grace time, unless its session needs no app',
  async (t) => {
    await require(-1)
    const person = await people.addPerson()
    const userId = person.userId as UserId
    await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
    values ('two', ${userId}, 'two', '', 0, '{}', '', false, 0)`
    const logIn = async (proof?: { kind: 'passkey'; id: string }) => {
      const device = { client: '', address: '' }
      const session = await startSession(services, userId, { device, former: undefined, proof })
      const browser = new Browser(url, [['sessionid', session?.token ?? '']])
      await browser.call('POST', '/json/events/ticket') // Gives it the token of its session.
      return browser
    }
    const ticketOf = async (browser: Browser) =>
      (await browser.call('POST', '/json/events/ticket')).body.ticket as string
    const [plain, byPasskey] = [await logIn(), await logIn({ kind: 'passkey', id: 'two' })]
    t.equal((await require(1)).status, 200)
    const open = async (ticket: string) => openStream(person, await person.register(), undefined, ticket)
    const [stream, keyStream, lasting] = [
      await open(await ticketOf(plain)),
      await open((await person.must('POST', '/events/ticket')).ticket),
      await open(await ticketOf(byPasskey)),
    ]
    // A stream is open before its ticket is checked, which must not be after the leap.
    await owner.sendDirect([person.userId], 'to all of them')
    for (const one of [stream, keyStream, lasting]) await one.take(1)
    const queue = await person.register()
    const lastGrace = () => (state.settings.secondFactorRequiredAt as number) + 86_400
    clock.leap((lastGrace() - 10) * 1_000 - clock.nowMs())
    const late = await ticketOf(plain)
    clock.advance(15_000)
    const tooLate = await openStream(person, queue, undefined, late)
    t.match(await tooLate.closed, { code: 4004 }, 'a ticket from before opens none after it')
    clock.advance(60_000)
    t.match(await Promise.all([stream.closed, keyStream.closed]), [{ code: 4004 }, { code: 4004 }])
    await owner.sendDirect([person.userId], 'to the passkey')
    clock.advance(1_000)
    t.match(await Promise.race([lasting.take(2), lasting.closed]), [
      { message: { content: 'to all of them' } },
      { message: { content: 'to the passkey' } },
    ])
    await lasting.close()
    t.equal((await require(-1)).status, 200)
  },
)
