/** The link to the demo: log-ins without a password, for the holder of the link that the server printed. */

import t from 'tap'
import { createLogger } from '../../../server/logger.ts'
import { startNode } from '../../../server/node/node.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { note } from '../../harness/client/note.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { ACCOUNTS, emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t, { redis: true })
const TOKEN = 'token-of-this-start'
const ofDemo = (['owner', 'member'] as const).map((person) => ({
  email: emailOf(person),
  apiKeyHash: hashApiKey(ACCOUNTS.get(person)?.key ?? ''),
}))
const node = await startNode({
  config: server.config,
  logger: createLogger('error'),
  observe: ({ method, path }, outcome) => note(`${method} ${path} ${outcome}`),
  demo: { token: TOKEN, accounts: ofDemo },
})
t.teardown(() => node.close())
const INVALID = { result: 'error', code: 'BAD_REQUEST', msg: 'Invalid demo link.' }
const list = async (browser: Browser, token: string) =>
  (await browser.send('GET', '/json/demo_accounts', { fields: { token } })).body
const logIn = (browser: Browser, fields: Record<string, string>) =>
  browser.send('POST', '/json/demo_login', { fields })

t.test('[DEMO5] the link lists the accounts of the demo, and logs in to them', async (t) => {
  const browser = new Browser(node.url)
  t.same((await list(browser, TOKEN)).accounts, [
    { email: emailOf('owner'), full_name: 'The owner', role: 100 },
    { email: emailOf('member'), full_name: 'The member', role: 400 },
  ])
  const { status, body } = await logIn(browser, { token: TOKEN, email: emailOf('member') })
  t.equal(status, 200)
  t.same(body, { result: 'success', msg: '', email: emailOf('member'), user_id: 4 })
  t.match((await browser.send('GET', '/json/users/me')).body, { user_id: 4 })
})

t.test('[DEMO6] a wrong token, another account and a server without a demo fail alike', async (t) => {
  const browser = new Browser(node.url)
  const elsewhere = new Browser(server.node.url)
  t.match(await list(browser, 'another'), INVALID)
  t.match(await list(elsewhere, TOKEN), INVALID)
  for (const [at, fields] of [
    [browser, { token: 'another', email: emailOf('owner') }],
    [browser, { token: TOKEN, email: emailOf('administrator') }],
    [browser, { token: TOKEN, email: 'nobody@example.com' }],
    [elsewhere, { token: TOKEN, email: emailOf('owner') }],
  ] as const) {
    const { status, body } = await logIn(at, fields)
    t.equal(status, 400)
    t.match(body, INVALID)
    t.equal(at.cookies.size, 0)
  }
})

t.test('[DEMO7] an account whose key was changed leaves the demo', async (t) => {
  const browser = new Browser(node.url)
  await server.as('member').must('POST', '/users/me/api_key/regenerate')
  await pollUntil(
    'the other node has the key',
    async () => (await list(browser, TOKEN)).accounts.length === 1,
  )
  const { accounts } = await list(browser, TOKEN)
  t.same(
    accounts.map(({ email }: { email: string }) => email),
    [emailOf('owner')],
  )
  t.match((await logIn(browser, { token: TOKEN, email: emailOf('member') })).body, INVALID)
})

t.test('[DEMO8] an account with a second factor is not opened by the link', async (t) => {
  const { sql } = node.services
  await sql`insert into totp_factors (user_id, secret, started_at, enabled_at) values (1, 'AAAA', 1, 1)`
  t.match((await logIn(new Browser(node.url), { token: TOKEN, email: emailOf('owner') })).body, INVALID)
})

t.test(
  '[DEMO20] a demo on a public address warns before the log-in, and one of this machine does not',
  async (t) => {
    const startAt = async (publicUrl: string, accounts = ofDemo) => {
      const one = await startNode({
        config: { ...server.config, publicUrl },
        logger: createLogger('error'),
        demo: { token: TOKEN, accounts },
      })
      t.teardown(() => one.close())
      const { is_exposed_demo: isExposed } = (await new Browser(one.url).send('GET', '/json/server_settings'))
        .body
      const { text } = await new Browser(one.url).send('GET', '/accounts/login')
      return { isExposed, isOnPage: text.includes('This demo is on a public address') }
    }
    const exposed = { isExposed: true, isOnPage: true }
    for (const url of ['https://chat.example.com', 'http://192.0.2.1:8080', 'http://127.example.com'])
      t.same(await startAt(url), exposed, url)
    const hidden = { isExposed: undefined, isOnPage: false }
    for (const url of ['http://localhost:8080', 'http://127.0.0.2', 'http://[::1]:1'])
      t.same(await startAt(url), hidden, url)
    t.same(await startAt('https://chat.example.com', []), hidden, 'all of its accounts were taken over')
  },
)
