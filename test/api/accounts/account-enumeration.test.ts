/** Nobody learns from log-ins, and from pages that take an address, which accounts exist. */

import t from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { FactorAccounts } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { sql, passwords } = server.node.services
const { url } = server.node
const owner = server.as('owner')
const people = new FactorAccounts(server, clock)

/** Counts the hashes of passwords: each takes a fifth of a second, so one more or less would be seen from outside. */
let hashes = 0
for (const name of ['hash', 'verify'] as const) {
  const work = passwords[name].bind(passwords) as (...given: unknown[]) => Promise<never>
  passwords[name] = (...given: unknown[]) => {
    hashes++
    return work(...given)
  }
}

const gone = await people.addPerson()
await deactivate(server, gone.userId)
const withoutPassword = await addUser(server, 'passwordless')
const wanting = await people.addPerson()
await wanting.must('PATCH', '/settings', {
  email: 'wanted@example.com',
  old_password: 'correct horse battery',
})
await owner.must('POST', '/invites', { invitee_emails: 'invited@example.com', stream_ids: [] })
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['a person', (await people.addPerson()).email],
  ['a person with an authenticator app', (await people.addAccount()).email],
  ['an account without a password', withoutPassword.email],
  ['an account in capitals', wanting.email.toUpperCase()],
  ['a deactivated account', gone.email],
  ['a bot', emailOf('bot')],
  ['an address that somebody wants', 'wanted@example.com'],
  ['an invited address', 'invited@example.com'],
])
const ABSENT = 'nobody@example.com'
const link = new URL((await owner.must('POST', '/invites/multiuse')).invite_link).pathname

/** Makes a request that names an address. */
type Door = (address: string) => { readonly path: string; readonly fields: Record<string, string> }

/** Requests with wrong passwords, and pages that take an address. */
const DOORS: Readonly<Record<string, Door>> = {
  'the log-in page': (username) => ({ path: '/accounts/login', fields: { username, password: 'wrong' } }),
  'POST /login': (username) => ({ path: '/json/login', fields: { username, password: 'wrong' } }),
  'POST /login with a code': (username) => ({
    path: '/json/login',
    fields: { username, password: 'wrong', otp_token: '000000' },
  }),
  'POST /fetch_api_key': (username) => ({
    path: '/api/v1/fetch_api_key',
    fields: { username, password: 'wrong' },
  }),
  'the page for a new password': (email) => ({ path: '/accounts/password/reset/', fields: { email } }),
  'the page of an invitation': (email) => ({ path: link, fields: { email } }),
}

/** An answer and its work, without what differs in each and with the address that was entered in one form. */
async function ask(door: Door, address: string) {
  await sql`delete from mails`
  const { path, fields } = door(address)
  const before = hashes
  const { status, text, headers } = await new Browser(url).send('POST', path, { fields })
  const shown = Object.fromEntries(headers)
  for (const name of ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'content-length'])
    delete shown[name]
  const written = await sql`select kind, due_at is null as done, invitation_id, user_id, details from mails`
  return {
    status,
    text: text.replaceAll(address, 'ADDRESS'),
    headers: shown,
    hashes: hashes - before,
    mails: [...written],
  }
}

for (const [name, door] of Object.entries(DOORS)) {
  t.test(`[ACCOUNTS6] ${name} answers each address alike, with the same work`, async (t) => {
    const expected = await ask(door, ABSENT)
    t.equal(expected.hashes, 'password' in door(ABSENT).fields ? 1 : 0)
    for (const [kind, address] of ADDRESSES) t.same(await ask(door, address), expected, kind)
  })
}

t.test(
  '[ACCOUNTS7] an account whose first password was just set looks as before to wrong ones',
  async (t) => {
    const door = DOORS['POST /login'] as Door
    await storePasswordHash(sql, withoutPassword.userId as UserId, await passwords.hash('a password'))
    t.same(await ask(door, withoutPassword.email), await ask(door, ABSENT))
  },
)

t.test('[ACCOUNTS8] nobody without the password learns that an account is deactivated', async (t) => {
  const right = { username: gone.email, password: 'correct horse battery' }
  const { body } = await new Browser(url).send('POST', '/json/login', { fields: right })
  t.match(body, { msg: 'Account is deactivated' }, 'its user does')
})
