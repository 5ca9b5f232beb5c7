/** The first set-up, with two nodes on an empty database. */

import t from 'tap'
import { storeJoining } from '../../../db/accounts/joinings.ts'
import { createSetupLink } from '../../../server/changes/organization/set-up.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { loadState } from '../../../server/state/load-state.ts'
import { loggedPath } from '../../../server/wire/logged-path.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { startEmpty } from '../../harness/servers/start-empty.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { describeState } from '../../state/describe-state.ts'

const FIELDS = {
  organization: 'Ours & Theirs',
  full_name: 'Ann & Co',
  email: 'ann@example.com',
  password: 'correct horse',
  channels: 'general, , random ,GENERAL\r\nnews',
}

t.test(
  '[SETUP1] the link makes the organization, its owner and channels, and logs the owner in',
  async (t) => {
    const { nodes, path, sql } = await startEmpty(t)
    const browser = new Browser(nodes[1].url)
    const page = await browser.send('GET', path)
    t.equal(page.status, 200)
    t.equal(page.headers.get('cache-control'), 'no-store')
    t.match(page.text, /<input id="channels"[^>]* value="general, random"/)
    const made = await browser.send('POST', path, { fields: FIELDS })
    t.equal(made.status, 200)
    t.match(made.text, 'Ours &amp; Theirs is ready')
    const [, link = ''] =
      /readonly[^>]*>(http:[^<]+\/join\/[A-Za-z0-9]{32}\/)<\/textarea>/.exec(made.text) ?? []
    t.match((await browser.send('GET', '/json/users/me')).body, {
      email: 'ann@example.com',
      full_name: 'Ann & Co',
      role: 100,
    })
    const { subscriptions } = (await browser.send('GET', '/json/users/me/subscriptions')).body
    t.same(subscriptions.map((one) => one.name).sort(), ['general', 'news', 'random'])

    // The page of the invitation makes a member, who is in the first channels.
    const guest = new Browser(nodes[0].url)
    const invited = new URL(link).pathname
    await pollUntil('the other process has it', async () => (await guest.send('GET', invited)).status === 200)
    const joined = { full_name: 'Ben', email: 'ben@example.com', password: 'battery staple' }
    t.equal((await guest.send('POST', invited, { fields: { email: joined.email } })).status, 200)
    const [mail] = await sql`select invitation_id as id from mails where recipient = ${joined.email}`
    const token = 'b'.repeat(32)
    t.ok(await storeJoining(sql, mail?.['id'], joined.email, hashApiKey(token)), 'as the worker does')
    t.equal(
      (await guest.send('POST', `/accounts/join/${token}/`, { fields: joined })).status,
      303,
      'logged in',
    )
    t.equal((await guest.logIn('ben@example.com', 'battery staple')).status, 200)
    const own = (await guest.send('GET', '/json/users/me/subscriptions')).body.subscriptions
    t.same(own.map((one) => one.name).sort(), ['general', 'news', 'random'])
    t.match((await guest.send('GET', '/json/users/me')).body, { role: 400 })
    const { state } = nodes[0].services
    await pollUntil('all is applied', async () => (await loadState(sql)).appliedId === state.appliedId)
    t.same(describeState(state), describeState(await loadState(sql)), 'the events agree with the rows')
  },
)

t.test('[SETUP2] the link works once, in any process, and of two submissions one wins', async (t) => {
  const { nodes, path } = await startEmpty(t)
  const answers = await Promise.all(
    nodes.map((node, index) =>
      new Browser(node.url).send('POST', path, {
        fields: { ...FIELDS, email: `owner${index}@example.com` },
      }),
    ),
  )
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 404],
  )
  const lost = answers.find(({ status }) => status === 404)
  t.same(lost?.headers.getSetCookie(), [])
  t.match(lost?.text, 'This link has expired or was replaced.')
  for (const node of nodes) {
    await pollUntil('it has the organization', () => node.services.state.organization !== undefined)
    t.equal(node.services.state.users.size, 1)
    t.equal((await new Browser(node.url).send('GET', path)).status, 404)
  }
})

t.test('[SETUP3] a wrong, expired or replaced link shows no form and makes nothing', async (t) => {
  const { nodes, path, sql } = await startEmpty(t)
  const browser = new Browser(nodes[0].url)
  const refused = async (at: string) => {
    for (const method of ['GET', 'POST']) {
      const { status, text } = await browser.send(method, at, { fields: FIELDS })
      t.equal(status, 404, `${method} ${at}`)
      t.notMatch(text, '<form')
    }
  }
  for (const other of [
    `/setup/${'a'.repeat(32)}/`,
    '/setup/a/',
    path.toUpperCase().replace('SETUP', 'setup'),
  ])
    await refused(other)
  await sql`update setup_links set expires_at = now()`
  await refused(path)
  await createSetupLink(sql, nodes[0].url)
  await refused(path)
  t.equal(nodes[0].services.state.organization, undefined)
  t.equal((await browser.send('DELETE', path)).status, 405)
  t.equal(loggedPath(path), '/setup/', 'the log does not have it')
})

t.test('[SETUP4] a wrong entry is explained beside the values that were entered', async (t) => {
  const { nodes, path } = await startEmpty(t)
  const browser = new Browser(nodes[0].url)
  const many = Array.from({ length: 21 }, (_, index) => `c${index}`).join('\n')
  const cases: [changes: Record<string, string>, problem: RegExp][] = [
    [{ organization: ' ' }, /organization/i],
    [{ organization: 'x'.repeat(41) }, /organization/i],
    [{ email: 'ann' }, /./],
    [{ password: 'short' }, /./],
    [{ full_name: '' }, /./],
    [{ full_name: 'a*b' }, /characters that names must not have/],
    [{ channels: `ok\n${'x'.repeat(61)}` }, /60/],
    [{ channels: 'a\u0000b' }, /./],
    [{ channels: many }, /More than 20 channels/],
    [{ channels: 'x'.repeat(10_000) }, /channels/i],
  ]
  for (const [changes, problem] of cases) {
    const { status, text, headers } = await browser.send('POST', path, {
      fields: { ...FIELDS, ...changes },
    })
    const what = JSON.stringify(changes).slice(0, 60)
    t.equal(status, 400, what)
    t.match(/<p class="problem" role="alert"[^>]*>(?:<a [^>]*>)?([^<]+)/.exec(text)?.[1], problem, what)
    t.same(headers.getSetCookie(), [])
    t.notMatch(text, 'correct horse', 'the password is not sent back')
  }
  const { text } = await browser.send('POST', path, { fields: { ...FIELDS, email: '"><script>' } })
  t.match(text, 'value="Ours &amp; Theirs"')
  t.notMatch(text, '<script')
  t.equal(nodes[0].services.state.organization, undefined)
  const { channels: _, ...without } = FIELDS
  const headers = { 'accept-language': 'de' }
  const made = await browser.send('POST', path, { fields: without, headers })
  t.equal(made.status, 200, 'channels are optional')
  t.match(made.text, 'Ours &amp; Theirs ist bereit')
  // The language in which somebody sets it up is that of the organization, and theirs.
  const { state } = nodes[0].services
  t.equal(state.settings.defaultLanguage, 'de')
  for (const { id } of state.users.values()) t.equal(state.settingsOf(id).defaultLanguage, 'de')
})
