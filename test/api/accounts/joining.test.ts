/** Joining by a link: the address is confirmed by a mail first. invites-join.test.ts has the account. */

import t from 'tap'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { loggedPath } from '../../../server/wire/logged-path.ts'
import { confirmAddress } from '../../harness/mail/join-by-link.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { openPage, type ShownPage, submitForm } from '../../harness/browser/visit-page.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
const { lines } = await startMailWorkers(t, server)
const { sql, state } = server.node.services
const mailboxes = openMailboxes(mailServer, server)
const owner = server.as('owner')
const PASSWORD = 'correct horse'
const GONE = 'This link has expired or was replaced.'

const invite = async (): Promise<string> => (await owner.must('POST', '/invites/multiuse')).invite_link
const confirm = (link: string, name: string) => confirmAddress(mailboxes, link, `${name}@example.com`)
const make = (link: string, name: string, fields: Record<string, string> = {}) =>
  submitForm(link, { full_name: `New ${name}`, password: PASSWORD, ...fields })
const hasAccount = (name: string) => state.findUserByEmail(`${name}@example.com`) !== undefined
/** Earlier requests of an address do not count any more. */
const forget = () => sql`delete from mails`
const link = await invite()

/** A page without what differs in each answer: the address that was entered, the date, and the request's id. */
function comparable({ status, text, headers }: ShownPage, email: string) {
  const fields = Object.fromEntries(headers)
  for (const name of ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'content-length'])
    delete fields[name]
  return { status, text: text.replaceAll(email, 'ADDRESS'), fields }
}

await t.test('[CONFIRM1] nobody learns from the page whether an address has an account', async (t) => {
  await owner.must('DELETE', `/users/${server.as('moderator').userId}`)
  const ask = async (email: string) => comparable(await submitForm(link, { email }), email)
  const writes = async (email: string) => {
    await forget()
    await ask(email)
    await mailboxes.settle()
    return [...(await sql`select kind, tries, due_at, invitation_id from mails`)]
  }
  const expected = await ask('nobody@example.com')
  const written = await writes('nobody@example.com')
  t.equal(expected.status, 200)
  for (const email of [emailOf('guest'), 'GUEST@example.com', emailOf('moderator'), emailOf('bot')]) {
    t.same(await ask(email), expected, email)
    t.same(await writes(email), written, `${email} leaves the same rows`)
  }
  await mailboxes.settle()
  const [known] = mailServer.to(emailOf('guest'))
  t.match(known?.text, 'This address already has an account.')
  t.match(known?.text, `${server.node.url}/accounts/login`)
  t.notMatch(known?.text, '/accounts/join/')
  t.match(mailServer.to(emailOf('moderator'))[0]?.text, 'was deactivated')
  t.same(mailServer.to(emailOf('bot')), [])
  t.match(mailServer.to('nobody@example.com')[0]?.text, '/accounts/join/')
})

await t.test('[CONFIRM2] the account gets the confirmed address, whatever the form sends', async (t) => {
  const confirmed = await confirm(link, 'bound')
  t.match(confirmed, new RegExp(`^${server.node.url}/accounts/join/[A-Za-z0-9]{32}/$`))
  const shown = await openPage(confirmed)
  t.match(shown.text, 'value="bound@example.com" readonly')
  t.equal((await openPage(confirmed)).text, shown.text, 'opening the link does not use it')
  t.equal((await make(confirmed, 'bound', { email: 'other@example.com' })).status, 303)
  t.ok(hasAccount('bound'))
  t.notOk(hasAccount('other'))
})

await t.test(
  '[CONFIRM3] a link is void once used, replaced, too old, or without its invitation',
  async (t) => {
    const isVoid = async (confirmed: string, name: string) => {
      for (const page of [await openPage(confirmed), await make(confirmed, name)])
        t.match([page.status, page.text], [404, GONE], name)
    }
    const earlier = await confirm(link, 'void')
    const used = await confirm(link, 'void')
    await isVoid(earlier, 'replaced')
    t.equal((await make(used, 'void')).status, 303)
    await isVoid(used, 'used')
    await isVoid(`${server.node.url}/accounts/join/${'a'.repeat(32)}/`, 'unknown')
    const old = await confirm(link, 'old')
    await sql`update joinings set expires_at = now()`
    await isVoid(old, 'old')
    const ended = await invite()
    const pending = await confirm(ended, 'ended')
    const { invites } = await owner.must('GET', '/invites')
    await owner.must('DELETE', `/invites/multiuse/${invites.at(-1).id}`)
    await isVoid(pending, 'ended')
    t.same([...(await sql`select from joinings where email = 'ended@example.com'`)], [])
    for (const name of ['old', 'ended']) t.notOk(hasAccount(name), name)
    // The mail of an invitation that ended before it was sent is not sent.
    await sql`insert into mails (kind, recipient, invitation_id) values ('join', 'late@example.com', ${invites.at(-1).id})`
    await sql`select pg_notify('parley_mail', '')`
    t.same(await mailboxes.read('late@example.com'), [])
  },
)

await t.test('[CONFIRM4] of several joins by one mailed link, one wins', async (t) => {
  const confirmed = await confirm(link, 'raced')
  const passwords = ['the first one', 'the second one', 'the third one']
  const answers = await Promise.all(passwords.map((password) => make(confirmed, 'raced', { password })))
  const won = answers.flatMap(({ status }, index) => (status === 303 ? [index] : []))
  t.equal(won.length, 1)
  for (const [index, password] of passwords.entries()) {
    const login = await server.anyone.post('/fetch_api_key', { username: 'raced@example.com', password })
    t.equal(login.status, won.includes(index) ? 200 : 401)
  }
})

await t.test('[CONFIRM5] a token is only in its mail: not in the database, logs or referrers', async (t) => {
  const confirmed = await confirm(link, 'secret')
  const [token = ''] = confirmed.match(/[A-Za-z0-9]{32}/) ?? []
  const opened = await openPage(confirmed)
  t.equal(opened.headers.get('referrer-policy'), 'strict-origin', 'no referrer has the path')
  t.equal(opened.headers.get('cache-control'), 'no-store')
  t.equal(loggedPath(new URL(confirmed).pathname), '/accounts/join/')
  t.match(await sql`select token_hash as hash from joinings where email = 'secret@example.com'`, [
    { hash: hashApiKey(token) },
  ])
  t.equal((await make(confirmed, 'secret')).status, 303)
  const rows = await sql`select event::text from event_log union all select mails::text from mails`
  t.notOk(JSON.stringify(rows).includes(token))
  t.ok(lines.length > 0)
  t.notOk(lines.join('').includes(token))
})

await t.test(
  '[CONFIRM6] an address gets five mails in an hour, a link causes 500; more look the same',
  async (t) => {
    await forget()
    const ask = async (email: string) => comparable(await submitForm(link, { email }), email)
    const expected = await ask('flood@example.com')
    for (let count = 0; count < 6; count++) t.same(await ask('flood@example.com'), expected)
    t.equal((await mailboxes.read('flood@example.com')).length, 5)
    const [invitation] = await sql`select invitation_id as id from mails limit 1`
    await sql`insert into mails (kind, recipient, invitation_id, due_at)
    select 'join', n || '@pretended.example', ${invitation?.['id']}, null from generate_series(1, 495) as n`
    t.same(await ask('more@example.com'), { ...expected })
    t.same(await mailboxes.read('more@example.com'), [])
    const another = await invite()
    await submitForm(another, { email: 'more@example.com' })
    t.equal((await mailboxes.read('more@example.com')).length, 1)
  },
)

await t.test('[CONFIRM7] forms of other sites are refused', async (t) => {
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
    const body = new URLSearchParams({ email: 'x@example.com' })
    t.equal((await fetch(link, { method: 'POST', headers, body })).status, 403)
  }
})
