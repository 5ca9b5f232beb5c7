/** Headers of answers, whatever carries them: what may be stored, by which methods, and over which connections. */

import t from 'tap'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { OPERATIONS } from '../../server/api/table.ts'
import { emojiPath } from '../../server/domain/files/pictures.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { Browser } from '../harness/browser/browser.ts'
import { emailOf, startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { beginUpload } from '../harness/client/tus.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { openConnection, sendRaw } from './send-raw.ts'

const PASSWORD = 'correct horse battery'
const server = await startTestServer(t)
const { url, port } = server.node
const member = server.as('member')
const { authorization } = member
const file = await mustPostFile(member, 'hello', 'plan.txt')

/** Pages and files of every kind. */
const PAGES = [
  '/',
  '/docs',
  '/docs/swagger-ui-bundle.js',
  '/api/v1/openapi.json',
  '/health/live',
  '/favicon.ico',
  '/robots.txt',
  '/login',
  '/accounts/login',
  '/static/icon.svg',
  file,
]

/** A browser in which the member is logged in. */
/** An answer whose body is read: an unread one would hold its connection, also when the server has closed it. */
async function fetchHead(address: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(address, init)
  await answer.arrayBuffer()
  return answer
}

async function logIn({ node }: TestServer): Promise<Browser> {
  const hash = await node.services.passwords.hash(PASSWORD)
  await storePasswordHash(node.services.sql, member.userId as UserId, hash)
  const browser = new Browser(node.url)
  const { status, text } = await browser.logIn(emailOf('member'), PASSWORD)
  if (status !== 200) throw new Error(`the log-in answered ${status}: ${text}`)
  return browser
}

t.test('[HEADS1] HEAD is answered wherever GET is, like it, without the body', async (t) => {
  const reads = OPERATIONS.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  t.ok(reads.length > 20)
  for (const path of [...reads.map((one) => `/api/v1${one.path}`), '/json/users/me', ...PAGES]) {
    const ask = (method: string) =>
      fetch(url + path, { method, headers: { authorization }, redirect: 'manual' })
    const [head, got] = [await ask('HEAD'), await ask('GET')]
    t.equal(head.status, got.status, path)
    t.equal(head.headers.get('content-type'), got.headers.get('content-type'), path)
    t.equal(await head.text(), '')
    await got.arrayBuffer()
  }
  const socket = await openConnection(port)
  t.teardown(() => socket.destroy())
  const settings = (method: string) => `${method} /api/v1/server_settings HTTP/1.1\r\nHost: x\r\n\r\n`
  const head = await sendRaw(socket, settings('HEAD'), { isHead: true })
  const got = await sendRaw(socket, settings('GET'))
  t.equal(head.status, 200)
  t.equal(head.headers.get('content-length'), got.headers.get('content-length'))
  t.equal(got.body.length, Number(got.headers.get('content-length')), 'nothing of the first is in between')
})

t.test('[HEADS2] 405 names the allowed methods in Allow, whatever serves the address', async (t) => {
  const upload = await beginUpload(member, 5)
  for (const [method, path, allowed] of [
    ['DELETE', '/api/v1/server_settings', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/messages', 'POST, GET, HEAD'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['PUT', '/docs', 'GET, HEAD'],
    ['POST', '/api/v1/openapi.json', 'GET, HEAD'],
    ['DELETE', '/', 'GET, HEAD'],
    ['PATCH', file, 'GET, HEAD'],
    ['POST', emojiPath('a'.repeat(32), false), 'GET, HEAD'],
    ['PUT', '/accounts/login', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/tus', 'OPTIONS, POST'],
    ['GET', upload, 'DELETE, HEAD, OPTIONS, PATCH'],
  ] as const) {
    const answer = await fetchHead(url + path, {
      method,
      headers: { authorization, 'tus-resumable': '1.0.0' },
    })
    t.equal(answer.status, 405, `${method} ${path}`)
    const given = answer.headers.get('allow')?.split(', ') ?? []
    t.same(given.toSorted(), allowed.split(', ').toSorted(), `${method} ${path}`)
  }
})

t.test(
  '[HEADS3] with an https PUBLIC_URL each answer asks for TLS, and with another none does',
  async (t) => {
    const hardened = await startTestServer(t, { env: { PUBLIC_URL: 'https://chat.example.com' } })
    const own = await mustPostFile(hardened.as('member'), 'hello', 'plan.txt')
    const answers: [method: string, path: string, headers?: Record<string, string>][] = [
      ...PAGES.map((path): [string, string] => ['GET', path === file ? own : path]),
      ['GET', '/api/v1/users/me'],
      ['GET', '/api/v1/users/99'],
      ['POST', '/api/v1/nothing'],
      ['GET', '/nothing'],
      ['PUT', '/docs'],
      ['HEAD', own],
      ['OPTIONS', '/api/v1/tus'],
      ['POST', '/api/v1/tus'],
      ['GET', '/api/v1/events/stream?queue_id=x', { accept: 'text/event-stream' }],
    ]
    for (const [method, path, headers = {}] of answers) {
      const ask = (at: string) =>
        fetchHead(at + path, { method, headers: { authorization, ...headers }, redirect: 'manual' })
      const strict = await ask(hardened.node.url)
      t.equal(strict.headers.get('strict-transport-security'), 'max-age=31536000', `${method} ${path}`)
      t.equal((await ask(url)).headers.get('strict-transport-security'), null, `${method} ${path}`)
    }
  },
)

t.test('[HEADS4] answers of the API are not stored, nor are errors and secrets of apps', async (t) => {
  const browser = await logIn(server)
  for (const path of ['/api/v1/users/me', '/api/v1/users', '/api/v1/users/99', '/json/users/me']) {
    t.equal((await browser.send('GET', path)).headers.get('cache-control'), 'no-store', path)
    const byKey = await fetchHead(url + path, { headers: { authorization } })
    t.equal(byKey.headers.get('cache-control'), 'no-store', path)
  }
  const begun = await browser.call('POST', '/json/users/me/two_factor/totp')
  t.equal(begun.headers.get('cache-control'), 'no-store', begun.text)
})

t.test(
  '[HEADS5] a log-out, and the answer to an ended session, delete what the browser has cached',
  async (t) => {
    const CLEARED = '"cache"'
    const out = await logIn(server)
    const former = new Browser(url, out.cookies)
    t.equal((await out.send('GET', '/json/users/me')).headers.get('clear-site-data'), null)
    t.equal((await out.call('POST', '/json/logout')).headers.get('clear-site-data'), CLEARED)
    const refused = await former.send('GET', '/json/users/me')
    t.equal(refused.status, 401)
    t.equal(refused.headers.get('clear-site-data'), CLEARED)
    t.equal(
      (await out.send('GET', '/json/users/me')).headers.get('clear-site-data'),
      null,
      'without a session',
    )
    const byForm = await logIn(server)
    const left = await byForm.send('POST', '/accounts/logout', {
      fields: { csrfmiddlewaretoken: byForm.csrfToken },
    })
    t.equal(left.status, 303)
    t.equal(left.headers.get('clear-site-data'), '"cache", "storage"')
  },
)

t.test('[HEADS6] a private file is asked for again, and costs nothing if its reader has it', async (t) => {
  const browser = await logIn(server)
  const got = await browser.send('GET', file)
  t.equal(got.status, 200)
  t.equal(got.headers.get('cache-control'), 'private, no-cache')
  const headers = { 'if-none-match': got.headers.get('etag') ?? '' }
  const again = await browser.send('GET', file, { headers })
  t.equal(again.status, 304)
  t.equal(again.headers.get('cache-control'), 'private, no-cache')
  await browser.call('POST', '/json/logout')
  t.equal((await browser.send('GET', file, { headers })).status, 401, 'nobody else gets it')
})

t.test('[HEADS7] no answer names the library that wrote it', async (t) => {
  for (const path of [...PAGES, '/api/v1/users/me', '/nothing', '/api/v1/tus']) {
    const { headers } = await fetchHead(url + path, { headers: { authorization }, redirect: 'manual' })
    const named = [...headers.keys()].filter((name) => /^(?:server|via|x-powered-by|uwebsockets)$/.test(name))
    t.same(named, [], path)
  }
})

t.test('[HEADS8] addresses where programs and people look by themselves lead to something', async (t) => {
  const look = (path: string) => fetch(url + path, { redirect: 'manual' })
  for (const [path, place] of [
    ['/login', '/accounts/login'],
    ['/login/', '/accounts/login'],
    ['/login/?next=%2Faccounts%2Fsecurity', '/accounts/login?next=%2Faccounts%2Fsecurity'],
    ['/login?next=https%3A%2F%2Felsewhere.example', '/accounts/login'],
    ['/login?next=%0d%0aX%3A1', '/accounts/login'],
    ['/.well-known/change-password', '/#settings/account'],
  ] as const) {
    const answer = await look(path)
    await answer.arrayBuffer()
    t.equal(answer.status, 303, path)
    t.equal(answer.headers.get('location'), place, path)
  }
  const icon = await look('/favicon.ico')
  t.equal(icon.status, 200)
  t.equal(icon.headers.get('content-type'), 'image/png')
  t.equal(Buffer.from(await icon.arrayBuffer()).toString('latin1', 1, 4), 'PNG')
  const robots = await look('/robots.txt')
  t.equal(robots.status, 200)
  t.match(await robots.text(), /^User-agent: \*\nAllow: \/\$\nDisallow: \/\n$/)
})

t.test('[HEADS9] the reference tells no other server where its reader was', async (t) => {
  for (const path of ['/docs', '/docs/', '/docs/start.js', '/docs/swagger-ui.css'])
    t.equal((await fetchHead(url + path)).headers.get('referrer-policy'), 'same-origin', path)
})
