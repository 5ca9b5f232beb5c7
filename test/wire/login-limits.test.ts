/** How log-ins are counted: in blocks of IPv6, in an office's first morning, and in networks of the operator. */

import t from 'tap'
import { RateLimiter } from '../../server/api/door/rate-limit.ts'
import { createApiKey } from '../../server/changes/passwords.ts'
import { connectRedis } from '../../server/log/connect-redis.ts'
import { isLoginAddress, storeLoginAddress } from '../../db/accounts/login-addresses.ts'
import { storePasswordHash } from '../../db/accounts/users.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'

const MINUTE_MS = 60_000
const PASSWORD = 'correct horse battery'
const START_MS = 1_700_000_000_000 - (1_700_000_000_000 % MINUTE_MS)

const start = async (env: Record<string, string>) => {
  const clock = new ManualClock(START_MS)
  const server = await startTestServer(t, {
    clock,
    env: { RATE_LIMIT_LOGINS_PER_MINUTE: '2', TRUST_PROXY: 'on', ...env },
  })
  const { sql, passwords } = server.node.services
  const hash = await passwords.hash(PASSWORD)
  await storePasswordHash(sql, server.as('member').userId as UserId, hash)
  return { server, clock }
}
const logIn = async ({ anyone }: TestServer, address: string, username: string, password: string) => {
  const headers = { 'x-forwarded-for': address }
  return (await anyone.request('POST', '/fetch_api_key', { username, password }, headers)).status
}
const logInMember = (server: TestServer, address: string, password = PASSWORD) =>
  logIn(server, address, 'member@example.com', password)
let count = 0
/** A guess at an account that nobody guessed at before. */
const guess = (server: TestServer, address: string) =>
  logIn(server, address, `somebody${++count}@example.com`, 'x')

t.test('[LIM60] all networks of an IPv6 block together count as eight', async (t) => {
  const { server, clock } = await start({ RATE_LIMIT_ADDRESS_PER_MINUTE: '1' })
  const ask = async (address: string) =>
    (await server.anyone.request('GET', '/server_settings', {}, { 'x-forwarded-for': address })).status
  for (const [send, allowed, limit] of [
    [(address: string) => guess(server, address), 401, 2],
    [ask, 200, 1],
  ] as const) {
    const statuses: number[] = []
    for (let network = 1; network <= 10; network++)
      for (let time = 0; time < limit; time++) statuses.push(await send(`2001:db8:1:${network}::1`))
    t.same(statuses, [...Array(8 * limit).fill(allowed), ...Array(2 * limit).fill(429)])
    t.equal(await send('2001:db8:2:1::1'), allowed, 'another block')
    t.equal(await send('192.0.2.1'), allowed, 'an IPv4 address')
    clock.advance(MINUTE_MS)
  }
})

t.test('[LIM61] log-ins that succeed count a tenth, and take nothing from guesses', async (t) => {
  const { server, clock } = await start({})
  const statuses: number[] = []
  for (let time = 0; time < 10; time++) statuses.push(await logInMember(server, '192.0.2.1'))
  t.same(statuses, Array(10).fill(200))
  t.equal(await guess(server, '192.0.2.1'), 401)
  t.equal(await guess(server, '192.0.2.1'), 401)
  t.equal(await guess(server, '192.0.2.1'), 429, 'a success gives no further guess')
  t.equal(await logInMember(server, '192.0.2.1'), 429)
  clock.advance(MINUTE_MS)
  for (let time = 0; time < 20; time++) t.equal(await logInMember(server, '192.0.2.1'), 200)
  t.equal(await logInMember(server, '192.0.2.1'), 429)
  t.equal(await guess(server, '192.0.2.1'), 429)
  clock.advance(MINUTE_MS)
  for (let network = 1; network <= 9; network++)
    for (let time = 0; time < 2; time++)
      t.equal(await logInMember(server, `2001:db8:1:${network}::1`), 200, 'in a block of IPv6, too')
})

t.test(
  '[LIM62] in networks of the operator log-ins count for each account, by a count of their own',
  async (t) => {
    const { server } = await start({
      RATE_LIMIT_OWN_NETWORKS: '10.0.0.0/8, 2001:db8:5::/48',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '1',
    })
    for (const address of ['10.1.2.3', '2001:db8:5:1::7', '::ffff:10.3.3.3']) {
      for (let time = 0; time < 5; time++) t.equal(await guess(server, address), 401, address)
      for (let time = 0; time < 3; time++) {
        const asked = await server.anyone.request(
          'GET',
          '/server_settings',
          {},
          { 'x-forwarded-for': address },
        )
        t.equal(asked.status, 200)
      }
    }
    t.equal(await logInMember(server, '10.1.2.3'), 200)
    const guesses = async (address: string) => {
      const statuses: number[] = []
      for (let time = 0; time < 3; time++) statuses.push(await logInMember(server, address, 'x'))
      return statuses
    }
    t.same(await guesses('192.0.2.1'), [401, 401, 429], 'elsewhere an address has its limit')
    t.equal(await logInMember(server, '192.0.2.2', 'x'), 429, 'and so has the account')
    t.equal(await logInMember(server, '10.1.2.3'), 200, 'of which the network knows nothing')
    t.same(await guesses('10.1.2.3'), [401, 401, 429], 'where even a known address has a limit')
    t.same(await guesses('10.1.2.4'), [401, 401, 429], 'each address of a network for itself')
    for (let time = 0; time < 150; time++) await guess(server, '10.9.9.9')
    t.equal(await guess(server, '10.9.9.9'), 429, 'a network has a limit after all')
  },
)

t.test('[LIM63] a log-in from a known address does not wait for those of strangers', async (t) => {
  const { server, clock } = await start({ RATE_LIMIT_LOGINS_PER_MINUTE: '100' })
  const { passwords } = server.node.services
  const verify = passwords.verify.bind(passwords)
  const askers: unknown[] = []
  passwords.verify = (password, stored, asker) => {
    askers.push(asker)
    return verify(password, stored, asker)
  }
  t.equal(await logInMember(server, '192.0.2.1'), 200)
  clock.advance(MINUTE_MS)
  await logInMember(server, '192.0.2.1')
  await logInMember(server, '192.0.2.2', 'x')
  await logIn(server, '192.0.2.1', 'nobody@example.com', 'x')
  t.same(askers, ['stranger', 'known', 'stranger', 'stranger'])

  const { sql } = server.node.services
  const userId = server.as('member2').userId as UserId
  const store = (n: number) => storeLoginAddress(sql, userId, `192.0.2.${n}`, n)
  const isKnown = (n: number) => isLoginAddress(sql, userId, `192.0.2.${n}`)
  for (let n = 1; n <= 20; n++) await store(n)
  t.same([await isKnown(1), await isKnown(20)], [true, true])
  await store(21)
  t.same([await isKnown(1), await isKnown(2), await isKnown(21)], [false, true, true], 'twenty are known')
})

t.test('[LIM64] a request that is given back is given back for all processes', async (t) => {
  const [clock, prefix] = [new ManualClock(START_MS), `limits-${createApiKey()}`]
  const redis = await connectRedis(redisUrl(), 'given back', { onError: () => undefined })
  const limiters = [new RateLimiter(clock, redis, prefix), new RateLimiter(clock, redis, prefix)] as const
  t.teardown(() => {
    for (const limiter of limiters) limiter.close()
    redis.disconnect()
  })
  const [one, two] = limiters
  const left = (limiter: RateLimiter) => limiter.take('login:x', 10).remaining
  const exchange = () => Promise.all(limiters.map((limiter) => limiter.exchange()))
  t.equal(left(one), 9)
  await exchange()
  one.giveBack('login:x')
  await exchange()
  t.equal(left(two), 9, 'the other process counts its own alone')
  await exchange()
  two.giveBack('login:x')
  t.equal(left(two), 9)
  two.giveBack('login:y')
  t.equal(two.take('login:y', 10).remaining, 9, 'nothing is given back that was not taken')
})
