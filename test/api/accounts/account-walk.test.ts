/** Attacks on every page and operation of accounts; one that is missing from the table fails the walk. */

import { pino } from 'pino'
import t, { type Test } from 'tap'
import { operationsOf } from '../../../server/api/table.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { FORMS } from '../../../server/wire/forms.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { FactorAccounts, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startCallProvider } from '../../harness/providers/start-call-provider.ts'
import { SAML_SETTINGS } from '../../harness/sign-on/saml-provider.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { ACCOUNTS, emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { type AccountPage, accountPages, UNKNOWN, type Visit, WALKED_ELSEWHERE } from './account-pages.ts'

const lines: string[] = []
const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const clock = new ManualClock()
const provider = await startLoginProvider(t)
const calls = await startCallProvider(t)
const demoToken = 'token-of-the-demo-of-this-start'
const apiKeyHash = hashApiKey(ACCOUNTS.get('owner')?.key ?? '')
const server = await startTestServer(t, {
  clock,
  logger,
  demo: { token: demoToken, accounts: [{ email: emailOf('owner'), apiKeyHash }] },
  env: {
    ...calls.env,
    PUBLIC_URL,
    OIDC_PROVIDERS: JSON.stringify([provider.settings]),
    SAML_PROVIDERS: JSON.stringify([SAML_SETTINGS]),
  },
})
const startEmpty = () => startTestServer(t, { logger, isEmpty: true })
const people = new FactorAccounts(server, clock)
const PAGES = accountPages({ server, startEmpty, people, provider, calls, demoToken })
const { sql } = server.node.services
/** Values that must not be in the log. */
const secrets = new Set<string>([demoToken])

/** A page and its order among those of its name. */
const nameOf = ({ at }: AccountPage, index: number) => `${at} (${index})`
const isJson = ({ path }: Visit) => path.startsWith('/json/')

async function prepare(page: AccountPage): Promise<Visit> {
  const visit = await page.prepare()
  for (const [name, value] of Object.entries(visit.fields))
    if (/password|state|code|token/.test(name)) secrets.add(value)
  for (const value of visit.browser.cookies.values()) secrets.add(value)
  const token = visit.path.split('/').find((part) => /^[A-Za-z0-9]{32}$/.test(part))
  if (token !== undefined) secrets.add(token)
  return visit
}

/** Sends a visit as it is, or with changes; the browser's cookies stay as they were. */
function send(
  { browser, method, path, fields }: Visit,
  changes: { method?: string; headers?: Record<string, string>; body?: string; type?: string } = {},
): Promise<Response> {
  const { method: used = method, headers = {}, body, type = 'application/x-www-form-urlencoded' } = changes
  const isRead = used === 'GET' || used === 'HEAD'
  const text = new URLSearchParams(fields).toString()
  return fetch(browser.url + path + (isRead && text !== '' ? `?${text}` : ''), {
    method: used,
    redirect: 'manual',
    headers: {
      ...(browser.cookies.size > 0 ? { cookie: browser.cookieHeader } : {}),
      ...(isJson({ path } as Visit) ? { 'x-csrftoken': browser.csrfToken } : {}),
      ...(isRead ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(isRead ? {} : { body: body ?? text }),
  })
}

/** The rows of all tables, except times at which somebody was seen: they are written later. */
async function snapshot({ sql: used = sql }: Visit): Promise<Record<string, string>> {
  const tables = await used<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name <> 'event_counter'`
  const queries = tables.map(
    ({
      name,
    }) => `select '${name}' as name, md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as rows
      from (select to_jsonb(x) - 'seen_at' - 'seen_day' as row from "${name}" x) y
      where coalesce(row #>> '{event,type}', '') <> 'users_seen'`,
  )
  const rows = await used.unsafe<{ name: string; rows: string }[]>(queries.join(' union all '))
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}

/** An answer without what differs in each; the browser of a used token may lose a cookie, too. */
async function comparable(coming: Promise<Response>) {
  const answer = await coming
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'set-cookie'])
    delete headers[name]
  return { status: answer.status, text: await answer.text(), headers }
}

/** Neither a referrer nor a cache nor another server gets the address of the page. */
async function expectPrivate(t: Test, answer: Response, what: string) {
  t.equal(answer.headers.get('cache-control'), 'no-store', `${what} is not stored`)
  if (answer.headers.get('content-type') === 'application/json') return
  t.match(answer.headers.get('referrer-policy'), /^(strict-origin|same-origin)$/, `${what} is no referrer`)
  const text = await answer.text()
  for (const [, link = ''] of text.matchAll(/(?:href|src|action)="([^"]*)"/g))
    t.match(link, /^(\/(?!\/)|#)/, `${what} leads to this server alone`)
  if (text !== '') t.match(answer.headers.get('content-security-policy'), /^default-src 'none'; /)
}

t.test('[ACCOUNTS1] every form and every operation of log-ins is in the walk', async (t) => {
  const walked = new Set(PAGES.map(({ at }) => at))
  for (const { name } of FORMS) t.ok(walked.has(name), `the form ${name}`)
  const operations = operationsOf(true)
    .filter(({ access, isLogin, path }) => access === 'anyone' || isLogin || path === '/logout')
    .map(({ method, path }) => `${method} ${path}`)
  t.ok(operations.length > 5)
  for (const one of operations) t.ok(walked.has(one) || WALKED_ELSEWHERE.has(one), one)
  for (const one of WALKED_ELSEWHERE.keys()) t.ok(operations.includes(one), `${one} exists`)
})

for (const [index, page] of PAGES.entries()) {
  const name = nameOf(page, index)
  t.test(`[ACCOUNTS2] opening ${name} changes nothing, and its address stays private`, async (t) => {
    const visit = await prepare(page)
    const before = await snapshot(visit)
    const scanner = { ...visit, browser: new Browser(visit.browser.url) }
    const isOperation = isJson(visit)
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(scanner, { method })
      t.ok(answer.status < 500, `${method} is answered with ${answer.status}`)
      if (!isOperation) await expectPrivate(t, answer, method)
    }
    if (visit.method === 'POST' && !isOperation)
      await expectPrivate(t, await send(visit, { method: 'GET' }), 'their own GET')
    if (!page.opensByGet) t.same(await snapshot(visit), before)
    const done = await send(visit)
    t.equal(done.status, page.success, 'the token still works')
    await expectPrivate(t, done, 'the answer')
  })

  t.test(`[ACCOUNTS3] other sites, methods and malformed bodies do nothing at ${name}`, async (t) => {
    const visit = await prepare(page)
    const before = await snapshot(visit)
    const expectStatus = async (
      statuses: readonly number[],
      changes: Parameters<typeof send>[1],
      what: string,
    ) => {
      const { status } = await send(visit, changes)
      t.ok(statuses.includes(status), `${what} is answered with ${status}`)
    }
    const isRead = visit.method === 'GET'
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://neighbour.example.com' },
    ])
      await expectStatus(isRead ? [403, 405] : [403], { method: 'POST', headers }, JSON.stringify(headers))
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])
      await expectStatus([404, 405], { method }, method)
    if (!isRead) {
      await expectStatus([413], { body: 'a=b&'.repeat(25_000) }, 'a huge body')
      await expectStatus([400], { body: 'a', type: 'multipart/form-data' }, 'no boundary')
      const torn = { body: '--x\r\nnonsense', type: 'multipart/form-data; boundary=x' }
      await expectStatus([400], torn, 'a torn multipart body')
      for (const key of Object.keys(visit.fields)) {
        for (const bad of ['%00', '%ff', '%ed%a0%80', 'a%00b']) {
          const fields = new URLSearchParams(visit.fields)
          fields.delete(key)
          const body = `${fields.toString()}&${key}=${bad}`
          await expectStatus([400, 401, 403], { body }, `${key}=${bad}`)
        }
      }
    }
    for (const bad of ['%00', '%ff', '%0d%0aSet-Cookie:%20a=b', '%']) {
      const { status, headers } = await send(
        { ...visit, path: visit.path.replace(/\/?$/, bad) },
        { method: 'GET' },
      )
      t.ok(status >= 400 && status < 500, `the path with ${bad} is answered with ${status}`)
      t.notMatch(headers.getSetCookie().join(), 'a=b')
    }
    t.same(await snapshot(visit), before)
    t.equal((await send(visit)).status, page.success, 'the token still works')
  })

  t.test(`[ACCOUNTS4] a token of ${name} works once, and then looks as if it never was`, async (t) => {
    const visit = await prepare(page)
    const { unknown } = visit
    if (!unknown) {
      t.ok(page.isForMany || !/[A-Za-z0-9]{32}/.test(visit.path), 'there is no token to use up')
      return
    }
    const answers = await Promise.all([send(visit), send(visit)])
    const won = answers.filter(({ status }) => status === page.success).length
    t.ok(won === 1 || page.at === 'log-in-code', 'of two at once one wins')
    for (const method of visit.method === 'GET' ? ['GET'] : ['GET', 'POST']) {
      const used = await comparable(send(visit, { method }))
      t.same(used, await comparable(send({ ...visit, ...unknown }, { method })), method)
    }
  })
}

t.test('[ACCOUNTS9] no changing operation takes a session without its token, or another site', async (t) => {
  const { email } = await people.addPerson()
  const browser = new Browser(server.node.url)
  t.equal((await browser.logIn(email, PROOF.password)).status, 200)
  // Webhooks take no session, only the key in their address.
  const changing = operationsOf(false).filter(
    ({ method, access, takesWebhook }) => method !== 'GET' && access === 'user' && !takesWebhook,
  )
  t.ok(changing.length > 100)
  const before = await snapshot({ browser, method: 'POST', path: '', fields: {} })
  const elsewhere = { origin: 'https://evil.example', 'x-csrftoken': browser.csrfToken }
  for (const { method, path } of changing) {
    const address = `/json${path.replaceAll(/\{\w+\}/g, '1')}`
    for (const headers of [{}, { 'x-csrftoken': UNKNOWN }, elsewhere]) {
      const { status, body } = await browser.send(method, address, { headers })
      t.match([status, body], [403, { code: 'CSRF_FAILED' }], `${method} ${path}`)
    }
  }
  t.same(await snapshot({ browser, method: 'POST', path: '', fields: {} }), before)
})

t.test('[ACCOUNTS5] after all of it the log has no token, cookie, code or password', async (t) => {
  t.ok(
    lines.some((line) => line.includes('"path":"/accounts/password/reset/"')),
    'it has the requests',
  )
  t.ok(secrets.size > PAGES.length)
  const log = lines.join('')
  // A code of six digits may be a part of a longer number by chance, such as a time.
  const numbers = new Set(log.match(/\d+/g))
  const isLogged = (secret: string) => (/^\d+$/.test(secret) ? numbers.has(secret) : log.includes(secret))
  for (const secret of secrets) if (secret.length > 5) t.notOk(isLogged(secret), `not ${secret}`)
})
