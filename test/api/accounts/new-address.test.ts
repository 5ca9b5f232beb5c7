/** Another address of an account, with workers and a mail server: it takes effect when its mail is confirmed. */

import t from 'tap'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { loggedPath } from '../../../server/wire/logged-path.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { openPage, submitForm } from '../../harness/browser/visit-page.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
const { lines } = await startMailWorkers(t, server)
const { sql, state } = server.node.services
const mailboxes = openMailboxes(mailServer, server)
const owner = server.as('owner')
const PASSWORD = 'correct horse'
const GONE = 'This link has expired or was replaced.'

const addressOf = (person: Person) => state.users.get(server.as(person).userId as never)?.email
/** The client of a person, whose address may have changed. */
const clientOf = (person: Person) => Object.assign(server.as(person), { email: addressOf(person) })
const set = (person: Person, fields: Fields) => clientOf(person).must('PATCH', '/settings', fields)
/** Asks for an address, and answers the link in its mail. Earlier requests do not count. */
async function ask(person: Person, email: string, fields: Fields = {}): Promise<string> {
  await sql`delete from mails where due_at is null`
  await set(person, { email, ...fields })
  return mailboxes.link(email)
}

await t.test('[ADDRESS1] a new address takes effect when its mail is confirmed', async (t) => {
  const link = await ask('member', 'fresh@example.com')
  t.match(link, new RegExp(`^${server.node.url}/accounts/address/[A-Za-z0-9]{32}/$`))
  t.equal(addressOf('member'), emailOf('member'))
  t.same(await mailboxes.read(emailOf('member')), [])
  const shown = await openPage(link)
  t.match(shown.text, 'Use <b>fresh@example.com</b> for the account of <bdi>The member</bdi>?')
  t.equal((await openPage(link)).text, shown.text, 'opening the link does not use it')
  t.equal(addressOf('member'), emailOf('member'))
  const confirmed = await submitForm(link)
  t.equal(confirmed.status, 200)
  t.match(confirmed.text, 'fresh@example.com')
  t.equal(addressOf('member'), 'fresh@example.com')
  const [notice, ...others] = await mailboxes.read(emailOf('member'))
  t.same(others, [])
  t.match(notice?.subject, 'was changed')
  t.notMatch(notice?.raw, 'fresh@', 'others may read the former mailbox by now')
})

await t.test('[ADDRESS2] a link is void once used, replaced, too old, or followed by a change', async (t) => {
  const isVoid = async (link: string, reason: string) => {
    for (const page of [await openPage(link), await submitForm(link)])
      t.match([page.status, page.text], [404, GONE], reason)
    t.equal(addressOf('guest'), 'one@example.com', reason)
  }
  const earlier = await ask('guest', 'first@example.com')
  const used = await ask('guest', 'one@example.com')
  t.equal((await submitForm(used)).status, 200)
  await isVoid(used, 'used')
  await isVoid(earlier, 'replaced')
  await isVoid(`${server.node.url}/accounts/address/${'a'.repeat(32)}/`, 'unknown')
  const replaced = await ask('guest', 'two@example.com')
  await set('guest', { email: 'three@example.com' })
  await isVoid(replaced, 'replaced before the next mail is sent')
  const old = await ask('guest', 'two@example.com')
  await sql`update address_changes set expires_at = now()`
  await isVoid(old, 'too old')
  const beforePassword = await ask('guest', 'two@example.com')
  await set('guest', { new_password: PASSWORD })
  await isVoid(beforePassword, 'the password changed')
  const beforeRole = await ask('guest', 'two@example.com', { old_password: PASSWORD })
  await owner.must('PATCH', `/users/${server.as('guest').userId}`, { role: 400 })
  await isVoid(beforeRole, 'the role changed')
  const beforeLeaving = await ask('guest', 'two@example.com', { old_password: PASSWORD })
  await owner.must('DELETE', `/users/${server.as('guest').userId}`)
  await isVoid(beforeLeaving, 'deactivated')
  await owner.must('POST', `/users/${server.as('guest').userId}/reactivate`)
  await isVoid(beforeLeaving, 'reactivated')
})

await t.test('[ADDRESS3] a confirmation follows the rules of that time', async (t) => {
  const link = await ask('member2', 'wanted@example.com')
  await owner.must('PATCH', '/realm', { email_changes_disabled: true })
  const disabled = await submitForm(link)
  t.match([disabled.status, disabled.text], [400, 'Email address changes are disabled'])
  await owner.must('PATCH', '/realm', { email_changes_disabled: false })
  const account = { email: 'WANTED@example.com', password: PASSWORD, full_name: 'Faster' }
  await owner.must('POST', '/users', account)
  const taken = await submitForm(link)
  t.match([taken.status, taken.text], [400, 'already has an account'])
  t.equal(addressOf('member2'), emailOf('member2'))
})

await t.test('[ADDRESS4] of several confirmations with one link, one wins', async (t) => {
  const link = await ask('member2', 'raced@example.com')
  const answers = await Promise.all([1, 2, 3].map(() => submitForm(link)))
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 404, 404],
  )
  t.equal(addressOf('member2'), 'raced@example.com')
  t.equal((await mailboxes.read(emailOf('member2'))).length, 1, 'one notice')
})

await t.test('[ADDRESS5] a token is only in its mail: not in the database, logs or referrers', async (t) => {
  const link = await ask('administrator', 'secret@example.com')
  const [token = ''] = link.match(/[A-Za-z0-9]{32}/) ?? []
  const opened = await openPage(link)
  t.equal(opened.headers.get('referrer-policy'), 'strict-origin', 'no referrer has the path')
  t.equal(opened.headers.get('cache-control'), 'no-store')
  t.equal(loggedPath(new URL(link).pathname), '/accounts/address/')
  const stored = await sql`select token_hash as hash from address_changes where email = 'secret@example.com'`
  t.same([...stored], [{ hash: hashApiKey(token) }])
  t.equal((await submitForm(link)).status, 200)
  const rows = await sql`select event::text from event_log union all select mails::text from mails`
  t.notOk(JSON.stringify(rows).includes(token))
  t.ok(lines.length > 0)
  t.notOk(lines.join('').includes(token))
})

await t.test(
  '[ADDRESS6] a user causes five such mails in an hour; more are refused as a whole',
  async (t) => {
    await sql`delete from mails where due_at is null`
    for (let count = 0; count < 5; count++) await set('moderator', { email: `new${count}@example.com` })
    const refused = 'Too many mails were sent to confirm a new address. Try again in an hour.'
    const more = { email: 'more@example.com', full_name: 'Changed' }
    expectRefusal(t, await clientOf('moderator').patch('/settings', more), refused)
    t.equal((await clientOf('moderator').must('GET', '/users/me')).full_name, 'The moderator')
    t.same(await mailboxes.read('more@example.com'), [])
  },
)

await t.test('[ADDRESS7] one request may change the password and ask for an address', async (t) => {
  const link = await ask('owner', 'boss@example.com', { new_password: PASSWORD })
  t.equal((await submitForm(link)).status, 200)
  const login = { username: 'boss@example.com', password: PASSWORD }
  t.equal((await server.anyone.post('/fetch_api_key', login)).status, 200)
})

await t.test(
  '[ADDRESS8] a new address must be of the domains of the organization, then and later',
  async (t) => {
    const link = await ask('moderator', 'later@example.com')
    await clientOf('owner').must('POST', '/realm/domains', {
      domain: 'corp.example',
      allow_subdomains: false,
    })
    await clientOf('owner').must('PATCH', '/realm', { emails_restricted_to_domains: true })
    const refused = await submitForm(link)
    t.equal(refused.status, 400)
    t.equal(addressOf('moderator'), emailOf('moderator'))
    const moderator = clientOf('moderator')
    for (const email of ['one@example.com', 'mod+two@corp.example']) {
      const { status, body } = await moderator.patch('/settings', { email })
      t.match([status, body.msg], [400, / not allowed/], email)
    }
    t.equal((await submitForm(await ask('moderator', 'mod@corp.example'))).status, 200)
    t.equal(addressOf('moderator'), 'mod@corp.example')
    await clientOf('owner').must('PATCH', '/realm', { emails_restricted_to_domains: false })
  },
)
