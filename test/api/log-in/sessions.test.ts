import { createHmac } from 'node:crypto'
import t from 'tap'
import WebSocket from 'ws'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { CLOSE_CODES } from '../../../server/actors/close-codes.ts'
import { endExpiredSessions } from '../../../server/changes/users/login-sessions.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { SESSIONS_PER_USER_MAX } from '../../../server/domain/accounts/login-sessions.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'

const PASSWORD = 'correct horse battery'
const server = await startTestServer(t, { redis: true })
const another = await server.startAnotherNode()
const { sql, passwords, state, clock } = server.node.services
const hash = await passwords.hash(PASSWORD)
const { url } = server.node
const owner = server.as('owner')

await sql`update users set password_hash = ${hash} where bot_type is null`

/** A browser in which a person is logged in. */
async function loggedIn(username: string = emailOf('member'), at = url): Promise<Browser> {
  const browser = new Browser(at)
  const { status, body } = await browser.logIn(username, PASSWORD)
  if (status !== 200) throw new Error(`the log-in answered ${status}: ${JSON.stringify(body)}`)
  return browser
}

const whoIs = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).body
const held = (person: Person) => state.loginSessions.get(server.as(person).userId as UserId) ?? []
const withToken = (token: string) => new Browser(url, [['sessionid', token]])
const isOut = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).status === 401
const REFUSED = { result: 'error', code: 'CSRF_FAILED' }

t.test('[LOGIN1] a log-in sets the cookies of a session, which serves every operation', async (t) => {
  const browser = new Browser(url)
  let answer: BrowserAnswer | undefined
  const events = await expectConsistent(server, async () => {
    answer = await browser.logIn(` ${emailOf('member').toUpperCase()} `, PASSWORD)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] }, 'no client hears of it')
  t.same(answer?.body, { result: 'success', msg: '', email: emailOf('member'), user_id: 4 })
  const [session = '', token = ''] = answer?.headers.getSetCookie() ?? []
  t.match(session, /^sessionid=4\.[A-Za-z0-9_-]{43}; Path=\/; Max-Age=15552000; SameSite=Lax; HttpOnly$/)
  t.match(token, /^csrftoken=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=15552000; SameSite=Lax$/)
  t.equal(answer?.headers.get('cache-control'), 'no-store')
  t.match(await whoIs(browser), { user_id: 4, email: emailOf('member') })
  t.equal((await browser.send('GET', '/api/v1/users/me')).status, 200, 'under either base')
  const message = { type: 'direct', to: '[1]', content: 'by a browser' }
  t.equal((await browser.call('POST', '/json/messages', message)).status, 200)
  const { headers } = await browser.send('GET', '/json/users/me')
  t.same(headers.getSetCookie(), [], 'cookies are set once')
})

t.test('[LOGIN18] the first log-in completes an account that an administrator made', async (t) => {
  const account = { email: 'new@example.com', password: PASSWORD, full_name: 'New' }
  const { user_id } = await owner.must('POST', '/users', account)
  t.ok(state.awaitingLogin.has(user_id as UserId))
  await expectConsistent(server, async () => {
    await loggedIn(account.email)
  })
  t.notOk(state.awaitingLogin.has(user_id as UserId))
})

t.test('[LOGIN2] over TLS, cookies are secure and of this host alone', async (t) => {
  for (const env of [{ PUBLIC_URL: 'https://chat.example.com' }, { TRUST_PROXY: 'on' }] as Record<
    string,
    string
  >[]) {
    const secure = await startTestServer(t, { env })
    await storePasswordHash(secure.node.services.sql, 4 as UserId, hash)
    const headers = { 'x-forwarded-proto': 'https' }
    const browser = new Browser(secure.node.url)
    const fields = { username: emailOf('member'), password: PASSWORD }
    const answer = await browser.send('POST', '/json/login', { fields, headers })
    const cookies = answer.headers.getSetCookie()
    t.match(cookies[0], /^__Host-sessionid=[^;]+; Path=\/; Max-Age=[0-9]+; SameSite=Lax; Secure; HttpOnly$/)
    t.match(cookies[1], /^__Host-csrftoken=[^;]+; Path=\/; Max-Age=[0-9]+; SameSite=Lax; Secure$/)
    t.equal((await browser.send('GET', '/json/users/me', { headers })).status, 200)
    const plain = new Browser(secure.node.url, [['sessionid', browser.cookies.get('__Host-sessionid') ?? '']])
    t.equal(
      (await plain.send('GET', '/json/users/me', { headers })).status,
      401,
      'without the prefix it does not count',
    )
  }
})

t.test('[LOGIN3] every changing request needs the token of its own session', async (t) => {
  const browser = await loggedIn()
  const other = await loggedIn(emailOf('member'))
  const before = held('member').length
  for (const token of [
    undefined,
    '',
    'x',
    `${browser.csrfToken}x`,
    other.csrfToken,
    browser.csrfToken.toLowerCase(),
  ]) {
    const headers: Record<string, string> = token === undefined ? {} : { 'x-csrftoken': token }
    for (const [method, path] of [
      ['POST', '/json/typing'],
      ['PATCH', '/json/settings'],
      ['DELETE', '/json/users/me/sessions'],
      ['POST', '/json/logout'],
      ['POST', '/api/v1/register'],
    ] as const) {
      const { status, body } = await browser.send(method, path, { headers })
      t.match({ status, ...body }, { status: 403, ...REFUSED }, `${method} ${path} with ${token}`)
    }
  }
  t.equal(held('member').length, before, 'nothing has happened')
  t.equal((await browser.call('POST', '/json/register')).status, 200)
})

t.test('[LOGIN24] the token follows from the cookie alone, and a refusal brings the right one', async (t) => {
  const browser = await loggedIn()
  const right = browser.csrfToken
  // An earlier release made it of the hash that is stored.
  const hashes = await sql`select token_hash as hash from login_sessions`
  t.ok(hashes.length > 0)
  for (const { hash: stored } of hashes) {
    const token = createHmac('sha256', stored).update('cross-site requests').digest('base64url')
    const headers = { 'x-csrftoken': token }
    browser.cookies.set('csrftoken', token)
    t.equal((await browser.send('POST', '/json/register', { headers })).status, 403)
    t.equal(browser.csrfToken, right, 'so that the page works at its next try')
  }
  t.equal((await browser.call('POST', '/json/register')).status, 200)
})

t.test('[LOGIN4] requests that start at another site are refused even with the token', async (t) => {
  const browser = await loggedIn()
  const sent = (method: string, path: string, headers: Record<string, string>) =>
    browser.send(method, path, { headers: { 'x-csrftoken': browser.csrfToken, ...headers } })
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
  ]) {
    t.match((await sent('POST', '/json/register', headers)).body, REFUSED)
    const fields = { username: emailOf('member'), password: PASSWORD }
    const login = await new Browser(url).send('POST', '/json/login', { fields, headers })
    t.match(login.body, REFUSED, 'nor does one log its visitor in')
    t.same(login.headers.getSetCookie(), [])
    const form = await new Browser(url).send('POST', '/accounts/login', { fields, headers })
    t.equal(form.status, 403)
    t.same(form.headers.getSetCookie(), [])
  }
  for (const site of ['cross-site', 'same-site'])
    t.match((await sent('GET', '/json/users/me', { 'sec-fetch-site': site })).body, REFUSED, 'nor read')
  for (const site of ['same-origin', 'none'])
    t.equal((await sent('GET', '/json/users/me', { 'sec-fetch-site': site })).status, 200)
})

t.test(
  '[LOGIN5] a given session is never adopted: each log-in has a new one and ends that before',
  async (t) => {
    const victim = new Browser(url, [
      ['sessionid', `4.${'A'.repeat(43)}`],
      ['csrftoken', 'chosen'],
    ])
    await victim.logIn(emailOf('member'), PASSWORD)
    const first = victim.cookies.get('sessionid') as string
    t.not(first, `4.${'A'.repeat(43)}`)
    t.ok(await isOut(withToken(`4.${'A'.repeat(43)}`)))
    const attacker = await loggedIn(emailOf('member2'))
    const planted = attacker.cookies.get('sessionid') as string
    const browser = withToken(planted)
    await browser.logIn(emailOf('member'), PASSWORD)
    t.not(browser.cookies.get('sessionid'), planted)
    t.equal((await whoIs(browser)).user_id, 4)
    t.ok(await isOut(attacker), 'the former session of the browser has ended, whose ever it was')
    await victim.logIn(emailOf('member'), PASSWORD)
    t.ok(await isOut(withToken(first)))
  },
)

t.test('[LOGIN6] a log-out ends the session in every process; its cookies are worthless', async (t) => {
  const browser = await loggedIn()
  const elsewhere = browser.at(another.node.url)
  await pollUntil('the other process has the session', async () => !(await isOut(elsewhere)))
  const copied = browser.at(url)
  const { status, headers } = await browser.call('POST', '/json/logout')
  t.equal(status, 200)
  t.equal(headers.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0')).length, 2)
  t.notOk(browser.cookies.has('sessionid'))
  t.ok(await isOut(copied))
  t.match((await copied.call('POST', '/json/register')).body, { code: 'UNAUTHORIZED' })
  await pollUntil('the other process has ended it', () => isOut(elsewhere))
  const { body, status: wrong } = await owner.post('/logout')
  t.match({ wrong, ...body }, { wrong: 400, msg: 'This request is not part of a session.' })
})

t.test('[LOGIN7] users list their sessions and end one, or all others', async (t) => {
  await server.as('moderator').must('DELETE', '/users/me/sessions')
  const browsers = await Promise.all([1, 2, 3].map(() => loggedIn(emailOf('moderator'))))
  const [first, second, third] = browsers as [Browser, Browser, Browser]
  const list = async (browser: Browser) =>
    (await browser.send('GET', '/json/users/me/sessions')).body.sessions
  const sessions = await list(first)
  t.equal(sessions.length, 3)
  t.equal(sessions.filter((one) => one.is_current).length, 1)
  t.match(sessions[0], { client: 'node', client_name: 'node', address: /127\.0\.0\.1|0000/ })
  t.notOk(JSON.stringify(sessions).includes(first.cookies.get('sessionid')?.slice(2) as string))
  const own = sessions.find((one) => one.is_current).id
  const other = (await list(second)).find((one) => one.is_current).id
  const foreign = await loggedIn(emailOf('member'))
  const stolen = await foreign.call('DELETE', `/json/users/me/sessions/${own}`)
  const absent = await foreign.call('DELETE', '/json/users/me/sessions/nothing')
  t.match(stolen, { status: 404, body: absent.body }, "another user's looks like none")
  const one = await first.call('DELETE', `/json/users/me/sessions/${other}`)
  t.equal(one.status, 200)
  t.same(one.headers.getSetCookie(), [])
  t.ok(await isOut(second))
  t.notOk(await isOut(third))
  t.equal((await first.call('DELETE', '/json/users/me/sessions')).status, 200)
  t.ok(await isOut(third))
  t.notOk(await isOut(first))
  t.equal((await first.call('DELETE', `/json/users/me/sessions/${own}`)).status, 200)
  t.ok(await isOut(first), 'also the own one')
  t.notOk(first.cookies.has('sessionid'))
})

t.test('[LOGIN8] a new password or key ends other sessions; the own one gets new cookies', async (t) => {
  const changes = [
    ['PATCH', '/json/settings', { old_password: PASSWORD, new_password: PASSWORD }],
    ['POST', '/json/users/me/api_key/regenerate', {}],
  ] as const
  for (const [method, path, fields] of changes) {
    const [own, other] = [await loggedIn(emailOf('member2')), await loggedIn(emailOf('member2'))]
    const copied = own.at(url)
    const elsewhere = other.at(another.node.url)
    await pollUntil('the other process has the session', async () => !(await isOut(elsewhere)))
    const { status } = await own.call(method, path, fields)
    t.equal(status, 200)
    t.not(own.cookieHeader, copied.cookieHeader)
    t.equal((await own.call('POST', '/json/register')).status, 200)
    for (const browser of [copied, other]) t.ok(await isOut(browser), path)
    await pollUntil('it has ended there too', () => isOut(elsewhere))
    await own.call('POST', '/json/logout')
  }
})

t.test(
  '[LOGIN9] a new role and a deactivation end all sessions, in every process and for ever',
  async (t) => {
    const user = await addUser(server, 'comes and goes')
    await storePasswordHash(sql, user.userId as UserId, hash)
    const changes = [
      () => owner.must('PATCH', `/users/${user.userId}`, { role: 300 }),
      () => owner.must('DELETE', `/users/${user.userId}/sessions`),
      () => deactivate(server, user.userId),
    ]
    for (const change of changes) {
      const browser = await loggedIn(user.email)
      const elsewhere = browser.at(another.node.url)
      await pollUntil('the other process has the session', async () => !(await isOut(elsewhere)))
      await change()
      t.ok(await isOut(browser))
      await pollUntil('it has ended there too', () => isOut(elsewhere))
      const [row] =
        await sql`select count(*)::int as count from login_sessions where user_id = ${user.userId}`
      t.equal(row?.count, 0)
    }
    t.match(await new Browser(url).logIn(user.email, PASSWORD), {
      status: 401,
      body: { msg: 'Account is deactivated' },
    })
    t.match((await owner.delete('/users/999/sessions')).body, { msg: 'No such user' })
    t.match((await server.as('member').delete('/users/1/sessions')).body, { msg: 'Insufficient permission' })
    t.match((await server.as('administrator').delete('/users/1/sessions')).body, {
      msg: 'Must be an organization owner',
    })
  },
)

t.test('[LOGIN10] wrong passwords and unknown accounts look alike, on the page too', async (t) => {
  for (const [path, message] of [
    ['/json/login', 'Your username or password is incorrect'],
    ['/accounts/login', 'Wrong email address or password.'],
  ] as const) {
    const answers = await Promise.all(
      [
        [emailOf('member'), 'wrong'],
        ['nobody@example.com', PASSWORD],
        ['nobody@example.com', 'wrong'],
        [emailOf('bot'), ''],
      ].map(([username = '', password = '']) =>
        new Browser(url).send('POST', path, { fields: { username, password } }),
      ),
    )
    const seen = answers.map(({ status, text, headers }) => {
      t.same(headers.getSetCookie(), [])
      const plain = text.replace(/value="[^"]*"/, '')
      return JSON.stringify([status, plain, [...headers.keys()].sort()])
    })
    t.equal(new Set(seen).size, 1, path)
    t.match(answers[0]?.text, message)
  }
})

t.test('[LOGIN11] a user has at most 30 sessions: a log-in ends the oldest', async (t) => {
  const first = await loggedIn(emailOf('guest'))
  const [oldest] = held('guest')
  for (let count = 0; count < SESSIONS_PER_USER_MAX; count++) {
    // Sessions of one second have no order; this one is older.
    if (count === 0) await olderThanOthers(oldest?.id as string)
    await loggedIn(emailOf('guest'))
  }
  t.equal(held('guest').length, SESSIONS_PER_USER_MAX)
  t.notOk(held('guest').some(({ id }) => id === oldest?.id))
  t.ok(await isOut(first))
})

async function olderThanOthers(id: string): Promise<void> {
  const { committer } = server.node.services
  const userId = server.as('guest').userId as UserId
  await committer.submit({
    kind: 'structure',
    decide: () => ({
      events: [
        {
          type: 'login_sessions_changed',
          userId,
          sessions: held('guest').map((one) =>
            one.id === id ? { ...one, createdAt: one.createdAt - 60 } : one,
          ),
        },
      ],
      reply: () => undefined,
    }),
  })
}

t.test('[LOGIN12] sessions end by age, and when nobody has used them for long', async (t) => {
  const { committer } = server.node.services
  const [idle, old, used] = [await loggedIn(), await loggedIn(), await loggedIn()]
  const idOf = async (browser: Browser): Promise<string> =>
    (await browser.send('GET', '/json/users/me/sessions')).body.sessions.find((one) => one.is_current).id
  const day = 86_400
  const [idleId, oldId] = [await idOf(idle), await idOf(old)]
  await server.node.services.seenSessions.record()
  await sql`update login_sessions set seen_at = seen_at - ${30 * day + 60} where id = ${idleId}`
  const userId = 4 as UserId
  await committer.submit({
    kind: 'structure',
    decide: () => ({
      events: [
        {
          type: 'login_sessions_changed',
          userId,
          sessions: held('member').map((one) =>
            one.id === oldId ? { ...one, createdAt: one.createdAt - 180 * day } : one,
          ),
        },
      ],
      reply: () => undefined,
    }),
  })
  t.ok(await isOut(old), 'at once')
  await endExpiredSessions({ committer, clock, sql })
  t.ok(await isOut(idle))
  t.notOk(await isOut(used))
})

t.test('[LOGIN13] an API key goes before a cookie, and needs no token', async (t) => {
  const browser = await loggedIn()
  const headers = { authorization: owner.authorization }
  t.equal((await browser.send('GET', '/json/users/me', { headers })).body.user_id, 1)
  t.equal((await browser.send('POST', '/api/v1/register', { headers })).status, 200)
  const wrong = { authorization: `Basic ${btoa(`${emailOf('owner')}:${'a'.repeat(32)}`)}` }
  t.equal(
    (await browser.send('GET', '/json/users/me', { headers: wrong })).status,
    401,
    'a wrong key is wrong',
  )
})

t.test('[LOGIN14] odd cookies are read within bounds, and never fail the server', async (t) => {
  const token = (await loggedIn()).cookies.get('sessionid') as string
  const status = async (cookie: string) =>
    (await fetch(`${url}/json/users/me`, { headers: { cookie } })).status
  t.equal(await status(`a=1; sessionid=${token}; b=2`), 200)
  t.equal(await status(`sessionid=${token};sessionid=${token}`), 200)
  for (const cookie of [
    `sessionid=${token}; sessionid=4.${'B'.repeat(43)}`,
    `sessionid=4.${'B'.repeat(43)}; sessionid=${token}`,
    `sessionid=${token}x`,
    `sessionid="${token}"`,
    `xsessionid=${token}`,
    `sessionid=${'9'.repeat(12)}.${token.split('.')[1]}`,
    `sessionid=1.${token.split('.')[1]}`,
    `sessionid=-4.${token.split('.')[1]}`,
    'sessionid=',
    ';;;=;sessionid',
    `${'a=1; '.repeat(3_300)}sessionid=${token}`,
    `sessionid=${'x'.repeat(15_000)}`,
  ])
    t.equal(await status(cookie), 401, cookie.slice(0, 80))
  const missing = await fetch(`${url}/json/users/me`)
  t.equal(missing.headers.get('www-authenticate'), 'Session realm="zulip"', 'no dialog of the browser')
  const basic = await fetch(`${url}/api/v1/users/me`)
  t.equal(basic.headers.get('www-authenticate'), 'Basic realm="zulip"')
})

t.test('[LOGIN15] the pages log in and out without script, and go on within the server', async (t) => {
  const browser = new Browser(url)
  const page = await browser.send('GET', '/accounts/login/', { fields: { next: '/user_uploads/1/a?b=c#d' } })
  t.equal(page.status, 200)
  t.match(page.text, /<input type="hidden" name="next" value="\/user_uploads\/1\/a\?b=c#d">/)
  t.match(page.text, /autocomplete="current-password"/)
  t.notMatch(page.text, /<script/)
  const fields = { username: emailOf('member'), password: PASSWORD }
  const wrong = await browser.send('POST', '/accounts/login', { fields: { ...fields, password: '"><b>' } })
  t.equal(wrong.status, 403)
  t.match(wrong.text, /role="alert"/)
  t.notMatch(wrong.text, '<b>')
  for (const [next, location] of [
    [undefined, '/'],
    ['/user_uploads/1/a?b=c', '/user_uploads/1/a?b=c'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/..//evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/a\r\nSet-Cookie: b=c', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    [`/${'a'.repeat(3_000)}`, '/'],
  ] as const) {
    const sent = { ...fields, ...(next === undefined ? {} : { next }) }
    const answer = await browser.send('POST', '/accounts/login', { fields: sent })
    t.same([answer.status, answer.headers.get('location')], [303, location], next ?? '')
  }
  const there = await browser.send('GET', '/accounts/security')
  t.match(there.text, emailOf('member'))
  const token = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(there.text)?.[1] ?? ''
  t.equal((await browser.send('GET', '/accounts/logout')).status, 303, 'a link does not log out')
  for (const csrfmiddlewaretoken of ['', 'x', (await loggedIn()).csrfToken])
    t.equal((await browser.send('POST', '/accounts/logout', { fields: { csrfmiddlewaretoken } })).status, 403)
  t.notOk(await isOut(browser))
  const copied = browser.at(url)
  const out = await browser.send('POST', '/accounts/logout', { fields: { csrfmiddlewaretoken: token } })
  t.same({ status: out.status, left: [...browser.cookies.keys()] }, { status: 303, left: ['logindevice'] })
  t.ok(await isOut(copied))
})

t.test(
  '[LOGIN16] a stream takes the cookie, from its own site only, and ends with the session',
  async (t) => {
    const browser = await loggedIn()
    const { queue_id } = (await browser.call('POST', '/json/register', { event_types: '["message"]' })).body
    const path = `/api/v1/events/stream?queue_id=${queue_id}`
    const open = (origin: string) =>
      new Promise<WebSocket | number>((resolve, reject) => {
        const socket = new WebSocket(url.replace('http', 'ws') + path, {
          headers: { cookie: browser.cookieHeader, origin },
        })
        socket.on('open', () => resolve(socket)).on('error', reject)
        socket.on('unexpected-response', (request, { statusCode }) => {
          request.destroy()
          resolve(statusCode ?? 0)
        })
      })
    for (const origin of ['https://evil.example', 'null']) t.equal(await open(origin), 403)
    const foreign = { accept: 'text/event-stream', origin: 'https://evil.example' }
    t.equal((await browser.send('GET', path, { headers: foreign })).status, 403)
    const socket = (await open(url)) as WebSocket
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await browser.call('POST', '/json/logout')
    t.equal(await closed, CLOSE_CODES.unauthorized)
  },
)

t.test('[LOGIN17] files open by a link with the cookie; a ticket of a session ends with it', async (t) => {
  const browser = await loggedIn()
  const form = new FormData()
  form.append('file', new Blob(['a file']), 'a.txt')
  const headers = { cookie: browser.cookieHeader, 'x-csrftoken': browser.csrfToken }
  const sent = await fetch(`${url}/json/user_uploads`, { method: 'POST', body: form, headers })
  const { url: path } = (await sent.json()) as { url: string }
  const linked = await browser.send('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } })
  t.same([linked.status, linked.text], [200, 'a file'])
  const { queue_id } = (await browser.call('POST', '/json/register')).body
  const tickets = [1, 2].map(async () => (await browser.call('POST', '/json/events/ticket')).body.ticket)
  const [used = '', late = ''] = await Promise.all(tickets)
  const stream = (ticket: string) =>
    fetch(`${url}/api/v1/events/stream?queue_id=${queue_id}&ticket=${ticket}`, {
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.timeout(20_000),
    })
  const first = await stream(used)
  t.equal(first.status, 200)
  await first.body?.cancel()
  await browser.call('POST', '/json/logout')
  t.equal((await stream(late)).status, 401)
  t.equal((await browser.send('GET', path)).status, 401)
})
