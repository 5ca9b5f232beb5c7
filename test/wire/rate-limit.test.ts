/** Rate limits: their keys, their headers, and how processes share the counts. */

import t, { type Test } from 'tap'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { createApiKey } from '../../server/changes/passwords.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { RateLimiter } from '../../server/api/door/rate-limit.ts'
import { emojiPath } from '../../server/domain/files/pictures.ts'
import { connectRedis } from '../../server/log/connect-redis.ts'
import { Client } from '../harness/client/client.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { Browser } from '../harness/browser/browser.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { sendRaw } from './send-raw.ts'

/** The start of a window. */
const WINDOW_MS = Date.UTC(2030, 0, 1)
const MINUTE_MS = 60_000

/** A quarter of a second after the start of a window, so that fractions show. */
function startClock(): ManualClock {
  return new ManualClock(WINDOW_MS + 15_250)
}

function rateOf(headers: Headers): { limit: number; remaining: number; reset: number } {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') }
}

const RESET = WINDOW_MS / 1000 + 60

t.test(
  '[LIM1] requests are limited per user and minute; each reply has the remaining number and the reset time',
  async (t) => {
    const clock = startClock()
    const server = await startTestServer(t, { clock, env: { RATE_LIMIT_USER_PER_MINUTE: '3' } })
    const member = server.as('member')
    const left: number[] = []
    for (const path of ['/users/me', '/users/99', '/users/me']) {
      const { headers } = await member.get(path)
      t.match(rateOf(headers), { limit: 3, reset: RESET })
      t.equal(headers.get('retry-after'), null)
      left.push(rateOf(headers).remaining)
    }
    t.same(left, [2, 1, 0], 'failures count, too')

    const refused = await member.get('/users/me')
    t.equal(refused.status, 429)
    t.same(refused.body, {
      result: 'error',
      msg: 'API usage exceeded rate limit, try again in 45 seconds',
      code: 'RATE_LIMIT_HIT',
      'retry-after': 44.75,
    })
    t.equal(refused.headers.get('retry-after'), '45')
    t.same(rateOf(refused.headers), { limit: 3, remaining: 0, reset: RESET })
    t.equal(
      (await server.as('member2').get('/users/me')).status,
      200,
      'another user has a count of their own',
    )
  },
)

t.test('[LIM2] the count restarts when its window ends, and not before', async (t) => {
  const clock = startClock()
  const server = await startTestServer(t, { clock, env: { RATE_LIMIT_USER_PER_MINUTE: '1' } })
  const member = server.as('member')
  t.equal((await member.get('/users/me')).status, 200)
  clock.advance(44_749)
  const refused = await member.get('/users/me')
  t.equal(refused.status, 429)
  t.equal(refused.body['retry-after'], 0.001)
  t.equal(refused.headers.get('retry-after'), '1')
  clock.advance(1)
  const admitted = await member.get('/users/me')
  t.equal(admitted.status, 200)
  t.match(rateOf(admitted.headers), { remaining: 0, reset: RESET + 60 })
})

t.test('[LIM3] requests without a user, and those with wrong keys, count against the address', async (t) => {
  const server = await startTestServer(t, {
    clock: startClock(),
    env: { RATE_LIMIT_ADDRESS_PER_MINUTE: '4' },
  })
  const member = server.as('member')
  const guesser = new Client(member.url, member.userId, member.email, createApiKey())
  t.match(rateOf((await server.anyone.get('/server_settings')).headers), { limit: 4, remaining: 3 })
  const wrong = await guesser.get('/users/me')
  t.equal(wrong.status, 401)
  t.match(rateOf(wrong.headers), { limit: 4, remaining: 2 })
  t.match(wrong.headers.get('www-authenticate'), /^Basic realm="[^"]+"$/)
  const file = await fetch(`${server.node.url}/user_uploads/1/ab/cd.txt`)
  t.equal(file.status, 401)
  t.match(rateOf(file.headers), { limit: 4, remaining: 1 }, 'a file counts, too, once')
  t.equal((await server.anyone.get('/server_settings')).status, 200)

  t.equal((await server.anyone.get('/server_settings')).status, 429)
  const guess = await guesser.get('/users/me')
  t.equal(guess.status, 429)
  t.match(guess.body, { code: 'RATE_LIMIT_HIT', 'retry-after': 44.75 })
  t.equal(guess.headers.get('www-authenticate'), null)
  t.equal((await member.get('/users/me')).status, 200, 'wrong keys do not affect users with right ones')
})

t.test('[LIM4] logins have their own count, right and wrong ones', async (t) => {
  const server = await startTestServer(t, {
    clock: startClock(),
    env: { RATE_LIMIT_LOGINS_PER_MINUTE: '2', RATE_LIMIT_ADDRESS_PER_MINUTE: '1' },
  })
  const logIn = () =>
    server.anyone.post('/fetch_api_key', { username: 'member@example.com', password: 'guess' })
  const first = await logIn()
  t.match({ status: first.status, code: first.body.code }, { status: 401, code: 'AUTHENTICATION_FAILED' })
  t.match(rateOf(first.headers), { limit: 2, remaining: 1 })
  t.equal((await logIn()).status, 401)
  t.equal((await logIn()).status, 429)
  t.equal((await server.anyone.get('/server_settings')).status, 200)
})

t.test('[LIM5] polls wait without work, and do not count', async (t) => {
  const server = await startTestServer(t, { clock: startClock(), env: { RATE_LIMIT_USER_PER_MINUTE: '1' } })
  const member = server.as('member')
  const queue = await member.register({ fetch_event_types: [] })
  for (let count = 0; count < 3; count++) t.same(await member.events(queue), [])
})

t.test('[LIM6] unknown paths and methods are refused without a count', async (t) => {
  const server = await startTestServer(t, { clock: startClock(), env: { RATE_LIMIT_USER_PER_MINUTE: '1' } })
  const member = server.as('member')
  for (const path of ['/nothing', '/users/me/nothing'])
    t.equal((await member.get(path)).headers.get('x-ratelimit-limit'), null)
  t.equal((await member.post('/users/me')).headers.get('x-ratelimit-limit'), null)
  t.equal((await member.get('/users/me')).status, 200)
})

t.test(
  '[LIM7] the address comes from the proxy only if it is trusted, and only the last entry',
  async (t) => {
    const env = { RATE_LIMIT_ADDRESS_PER_MINUTE: '1' }
    const ask = async (port: number, ...forwarded: string[]) => {
      const lines = forwarded.map((value) => `X-Forwarded-For: ${value}\r\n`).join('')
      const { status } = await sendRaw(
        port,
        `GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\n${lines}\r\n`,
      )
      return status
    }
    const open = await startTestServer(t, { clock: startClock(), env })
    t.equal(await ask(open.node.port, '1.1.1.1'), 200)
    t.equal(await ask(open.node.port, '2.2.2.2'), 429, 'anyone can write a header')

    const { port } = (await startTestServer(t, { clock: startClock(), env: { ...env, TRUST_PROXY: 'on' } }))
      .node
    t.equal(await ask(port, '1.1.1.1'), 200)
    t.equal(await ask(port, '2.2.2.2'), 200)
    t.equal(await ask(port, '9.9.9.9, 1.1.1.1'), 429, 'the last entry is from the proxy')
    t.equal(await ask(port, '9.9.9.9', '2.2.2.2'), 429, 'also in its own header line')
    t.equal(await ask(port, '9.9.9.9'), 200, 'so the invented address never counted')
    t.equal(await ask(port), 200, 'without a header it is the connection')
    t.equal(await ask(port, ''), 429)
  },
)

t.test(
  '[LIM13] logins to an account count over all addresses, except for addresses with a successful login',
  async (t) => {
    const clock = startClock()
    const env = { RATE_LIMIT_LOGINS_PER_MINUTE: '3', TRUST_PROXY: 'on' }
    const server = await startTestServer(t, { clock, env })
    const { sql, passwords } = server.node.services
    const password = 'correct horse battery'
    await storePasswordHash(sql, server.as('member').userId as UserId, await passwords.hash(password))
    const logIn = async (address: string, guess: string, username = 'member@example.com') => {
      const headers = { 'x-forwarded-for': address }
      const fields = { username, password: guess }
      return (await server.anyone.request('POST', '/fetch_api_key', fields, headers)).status
    }
    t.equal(await logIn('10.0.0.1', password), 200)
    clock.advance(MINUTE_MS)
    const guess = async (username?: string) => {
      const statuses: number[] = []
      for (let count = 1; count <= 5; count++) statuses.push(await logIn(`10.1.1.${count}`, 'x', username))
      return statuses
    }
    t.same(await guess(), [401, 401, 401, 429, 429])
    t.equal(await logIn('10.2.2.2', password), 429, 'a right one from elsewhere, too')
    t.equal(await logIn('10.0.0.1', password), 200, 'its user can still log in')
    t.same(await guess('nobody@example.com'), [401, 401, 401, 429, 429], 'whether or not there is an account')
    t.equal(await logIn('10.3.3.3', 'x', ' MEMBER@example.com'), 429, 'however it is written')
  },
)

t.test('[LIM15] the addresses of one IPv6 network share the limits', async (t) => {
  const env = { RATE_LIMIT_LOGINS_PER_MINUTE: '2', RATE_LIMIT_ADDRESS_PER_MINUTE: '2', TRUST_PROXY: 'on' }
  const { anyone } = await startTestServer(t, { clock: startClock(), env })
  let count = 0
  const logIn = async (address: string) => {
    const fields = { username: `somebody${++count}@example.com`, password: 'guess' }
    return (await anyone.request('POST', '/fetch_api_key', fields, { 'x-forwarded-for': address })).status
  }
  const ask = async (address: string) =>
    (await anyone.request('GET', '/server_settings', {}, { 'x-forwarded-for': address })).status
  for (const [send, allowed] of [
    [logIn, 401],
    [ask, 200],
  ] as const) {
    t.equal(await send('2001:db8:1:2::1'), allowed)
    t.equal(await send('2001:db8:1:2:ffff::2'), allowed)
    t.equal(await send('2001:db8:1:2::3'), 429)
    t.equal(await send('2001:db8:1:3::1'), allowed, 'another network')
  }
})

/** Two limiters like those of two processes, on one Redis. */
async function startLimiters(t: Test) {
  const clock = startClock()
  const prefix = `limits-${createApiKey()}`
  const redis = [
    await connectRedis(redisUrl(), 'one', { onError: ignore }),
    await connectRedis(redisUrl(), 'two', { onError: ignore }),
  ] as const
  const limiters = redis.map((one) => new RateLimiter(clock, one, prefix)) as [RateLimiter, RateLimiter]
  t.teardown(() => {
    for (const limiter of limiters) limiter.close()
    for (const one of redis) one.disconnect()
  })
  const [one, two] = limiters
  return { clock, one, two, redis }
}

const ignore = () => undefined

function take(limiter: RateLimiter, times: number, key = 'user:1', limit = 10): number {
  let remaining = Number.NaN
  for (let count = 0; count < times; count++) ({ remaining } = limiter.take(key, limit))
  return remaining
}

t.test('[LIM14] requests for absent files and avatars count against the address', async (t) => {
  const env = { RATE_LIMIT_ADDRESS_PER_MINUTE: '2' }
  const clock = startClock()
  const server = await startTestServer(t, { clock, env })
  const { url, authorization } = server.as('member')
  for (const [path, headers] of [
    ['/user_uploads/2/aa/nothing/file.txt', { authorization }],
    ['/user_uploads/temporary/nothing/file.txt', {}],
    [emojiPath('a'.repeat(32), false), {}],
  ] as const) {
    const statuses: number[] = []
    for (let look = 0; look < 3; look++) statuses.push((await fetch(`${url}${path}`, { headers })).status)
    t.same(statuses, [404, 404, 429], path)
    clock.advance(MINUTE_MS)
  }
})

/** The statuses of so many requests, and the last answer. */
async function askOften(times: number, url: string, headers: Record<string, string> = {}) {
  const statuses = new Map<number, number>()
  let last = new Response()
  for (let count = 0; count < times; count++) {
    last = await fetch(url, { headers, redirect: 'manual' })
    statuses.set(last.status, (statuses.get(last.status) ?? 0) + 1)
    if (count < times - 1) await last.arrayBuffer()
  }
  return { statuses, last }
}

t.test(
  '[LIM20] pages, pictures and files by secret addresses count for the address of a stranger',
  async (t) => {
    const env = { RATE_LIMIT_ADDRESS_PER_MINUTE: '1', TRUST_PROXY: 'on' }
    const clock = startClock()
    const server = await startTestServer(t, { clock, env })
    const { url } = server.node
    const member = server.as('member')
    const file = await mustPostFile(member, 'hello', 'plan.txt')
    const secret = (await member.must('GET', file)).url as string
    const pictured = (await member.must('GET', '/users/me')).avatar_url as string
    let count = 0
    for (const path of [
      '/',
      '/app/icon.svg',
      '/static/icon.svg',
      '/nothing',
      '/robots.txt',
      pictured,
      secret,
    ]) {
      const address = { 'x-forwarded-for': `10.0.0.${++count}` }
      const { pathname } = new URL(path, url)
      const allowed = await askOften(50, url + pathname, address)
      t.notOk(allowed.statuses.has(429), `${path} ${JSON.stringify([...allowed.statuses])}`)
      const { last } = await askOften(1, url + pathname, address)
      t.equal(last.status, 429, path)
      t.equal(last.headers.get('retry-after'), '45')
      t.match(await last.json(), { result: 'error', code: 'RATE_LIMIT_HIT', 'retry-after': 44.75 })
      const health = await askOften(60, `${url}/health/live`, address)
      t.same([...health.statuses], [[200, 60]], 'a router may always ask')
      t.equal(
        (await fetch(url + pathname, { headers: { 'x-forwarded-for': '10.9.9.9' } })).status < 429,
        true,
      )
    }
    clock.advance(MINUTE_MS)
    t.equal((await fetch(`${url}/`, { headers: { 'x-forwarded-for': '10.0.0.1' } })).status, 200)
    const again = await fetch(url + secret, { headers: { 'x-forwarded-for': '10.0.0.1' } })
    t.equal(again.status, 200)
    t.notOk(again.headers.has('x-ratelimit-remaining'), 'the headers are about operations alone')
  },
)

t.test('[LIM21] the large documents of the API count like its operations, apart from those', async (t) => {
  const env = { RATE_LIMIT_ADDRESS_PER_MINUTE: '3' }
  const server = await startTestServer(t, { clock: startClock(), env })
  const { url } = server.node
  for (const path of ['/api/v1/openapi.json', '/docs/swagger-ui-bundle.js', '/docs'])
    t.equal((await fetch(url + path)).status, 200, path)
  const refused = await fetch(`${url}/api/v1/openapi.json`)
  t.equal(refused.status, 429)
  t.match(await refused.json(), { code: 'RATE_LIMIT_HIT' })
  t.equal((await server.anyone.get('/server_settings')).status, 200)
})

t.test('[LIM22] people who are logged in have a count of pages of their own', async (t) => {
  const env = { RATE_LIMIT_ADDRESS_PER_MINUTE: '1' }
  const server = await startTestServer(t, { clock: startClock(), env })
  const { sql, passwords } = server.node.services
  const { url } = server.node
  await storePasswordHash(sql, server.as('member').userId as UserId, await passwords.hash('a password'))
  const browser = new Browser(url)
  t.equal((await browser.logIn(emailOf('member'), 'a password')).status, 200)
  t.same(
    [...(await askOften(60, `${url}/`)).statuses],
    [
      [200, 50],
      [429, 10],
    ],
  )
  const cookie = { cookie: browser.cookieHeader }
  t.same(
    [...(await askOften(60, `${url}/`, cookie)).statuses],
    [
      [200, 50],
      [429, 10],
    ],
  )
  const wrong = { cookie: 'sessionid=4.nothing' }
  t.equal((await askOften(1, `${url}/`, wrong)).last.status, 429, 'an invented session is a stranger')
})

t.test('[LIM8] processes sum their counts through Redis', async (t) => {
  const { one, two } = await startLimiters(t)
  t.equal(take(one, 4), 6)
  t.equal(take(two, 3), 7)
  await one.exchange()
  await two.exchange()
  t.equal(take(one, 1), 5, 'the other has received nothing yet')
  t.equal(take(two, 1), 2, 'two has 4 + 3, and its own next')
  await one.exchange()
  t.equal(take(one, 1), 1, 'one has 3 + 4 + 1, and its own next')
  await two.exchange()
  await one.exchange()
  t.equal(one.take('user:1', 10).retryAfterSeconds, 44.75, '4 + 1 + 1 and 3 + 1 are 10')
  t.equal(take(two, 1, 'user:2'), 9, 'another key is not touched')
})

t.test('[LIM9] a count on its way to Redis counts once', async (t) => {
  const { one, two } = await startLimiters(t)
  take(one, 2)
  const first = one.exchange()
  take(one, 1)
  await Promise.all([first, one.exchange(), one.exchange()])
  await one.exchange()
  take(two, 1)
  await two.exchange()
  t.equal(take(two, 1), 5, '2 + 1 + 1, and the next')
})

t.test('[LIM10] a new window starts at zero in every process', async (t) => {
  const { one, two, clock } = await startLimiters(t)
  take(one, 10)
  await one.exchange()
  clock.advance(MINUTE_MS)
  t.equal(take(two, 1), 9)
  await two.exchange()
  t.equal(take(two, 1), 8)
  t.equal(take(one, 1), 9)
})

t.test('[LIM11] without Redis each process counts alone, and reports its count later', async (t) => {
  const { one, two, redis } = await startLimiters(t)
  take(one, 2)
  redis[0].disconnect()
  await one.exchange()
  t.equal(take(one, 1), 7, 'its own count continues')
  await redis[0].connect()
  await one.exchange()
  take(two, 1)
  await two.exchange()
  t.equal(take(two, 1), 5, '3 of the first, 1, and the next')
})

t.test('[LIM12] the nodes of a server share their counts while they run', async (t) => {
  const clock = startClock()
  const server = await startTestServer(t, { clock, redis: true, env: { RATE_LIMIT_USER_PER_MINUTE: '100' } })
  const other = await server.startAnotherNode()
  for (let count = 0; count < 40; count++) await server.as('member').get('/users/me')
  let remaining = 100
  let asked = 0
  // Without the 40 this would take as many requests.
  while (remaining > 60 - asked && asked < 30) {
    clock.advance(250)
    ;({ remaining } = rateOf((await other.as('member').get('/users/me')).headers))
    asked++
  }
  t.equal(remaining, 60 - asked)
})
