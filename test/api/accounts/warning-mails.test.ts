/** Mails that warn of changes of an account, with workers and a mail server. */

import t from 'tap'
import { addPasskey } from '../../../server/changes/users/change-factors.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { setPassword } from '../../../server/changes/users/set-password.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { fail } from '../../../server/errors/api-error.ts'
import type { Client } from '../../harness/client/client.ts'
import { FactorAccounts, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { linkOf, openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { submitForm } from '../../harness/browser/visit-page.ts'

const mailServer = await startMailServer(t)
const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: mailServer.env })
await startMailWorkers(t, server)
const { services, url } = server.node
const { sql, state, passwords } = services
const mailboxes = openMailboxes(mailServer, server)
const people = new FactorAccounts(server, clock)
const owner = server.as('owner')
const subjectsOf = async (email: string) => (await mailboxes.read(email)).map(({ subject }) => subject)
const NEXT = 'battery staple'

/** The text of the newest mail, which must be about a subject and an account. */
async function newest(email: string, subject: string) {
  const mail = (await mailboxes.read(email)).at(-1)
  t.equal(mail?.subject, subject)
  t.match(mail?.text, email)
  t.match(mail?.text, /^Time: \w+ \d+, \d{4} at \d+:\d\d\s[AP]M UTC$/m)
  t.equal(linkOf(mail), `${url}/accounts/password/reset/`)
  return { text: mail?.text ?? '', raw: mail?.raw ?? '' }
}

t.test('[WARNING1] a new password sends its user a mail, whatever changed it', async (t) => {
  const person = await people.addPerson()
  const { email, userId } = person
  const subject = 'Your password at Test Organization was changed'
  await person.must('PATCH', '/settings', { old_password: PROOF.password, new_password: NEXT })
  const own = await newest(email, subject)
  t.match(own.text, 'If this was you, ignore this email.')
  t.match(own.text, 'Not you? Change your password at once:')
  const body = new URLSearchParams({ email })
  await fetch(`${url}/accounts/password/reset/`, { method: 'POST', body })
  const link = await mailboxes.link(email)
  t.equal((await submitForm(link, { password: NEXT })).status, 303)
  const byLink = await newest(email, subject)
  t.match(byLink.text, 'by a link that we emailed to this address')
  t.match(byLink.text, 'first change the password of your mailbox')
  await setPassword(services, userId as UserId, await passwords.hash(PROOF.password))
  const byOperator = await newest(email, subject)
  t.match(byOperator.text, 'The operator of the server changed it.')
  t.equal((await mailboxes.read(email)).length, 4)
  for (const { raw } of [own, byLink, byOperator]) {
    for (const secret of [NEXT, PROOF.password, 'scrypt', new URL(link).pathname])
      t.notOk(raw.includes(secret), secret)
  }
})

t.test('[WARNING2] the first password of an account warns nobody', async (t) => {
  const email = 'first@example.com'
  await owner.must('POST', '/users', { email, full_name: 'First', ...PROOF })
  t.same(await mailboxes.read(email), [])
})

t.test('[WARNING3] each change of second factors sends its user a mail, without secrets', async (t) => {
  const account = await people.addAccount()
  const { client, email, recoveryCodes } = account
  const at = 'your account at Test Organization'
  const added = await newest(email, `An authenticator app was added to ${at}`)
  t.match(added.text, 'Then check')
  t.match(added.text, `${url}/accounts/security`)
  t.match(added.text, 'If you cannot log in, contact an administrator.')
  const proof = () => ({ ...PROOF, otp_token: account.code() })
  const renewed = await client.must('POST', '/users/me/two_factor/recovery_codes', proof())
  await newest(email, `Recovery codes were replaced for ${at}`)
  const id = await addOnePasskey(client, 'one')
  const passkey = await newest(email, `A passkey was added to ${at}`)
  t.match(passkey.text, 'can log in without your password')
  await client.must('DELETE', `/users/me/passkeys/${id}`, proof())
  await newest(email, `A passkey was removed from ${at}`)
  const [secret] = await sql`select secret from totp_factors where user_id = ${client.userId}`
  await client.must('DELETE', '/users/me/two_factor/totp', proof())
  await newest(email, `The authenticator app was removed from ${at}`)
  const mails = await mailboxes.read(email)
  t.equal(mails.length, 5)
  const secrets = [...recoveryCodes, ...renewed.recovery_codes, secret?.['secret'], id, 'The name one']
  for (const { raw } of mails) for (const one of secrets) t.notOk(raw.includes(one), one)
})

t.test('[WARNING4] a reset of second factors warns only a user who had some', async (t) => {
  const { client, email } = await people.addAccount()
  await mailboxes.settle()
  await owner.must('DELETE', `/users/${client.userId}/two_factor`)
  const { text } = await newest(email, 'Second factors were removed from your account at Test Organization')
  t.match(text, 'An administrator or the server operator removed')
  await owner.must('DELETE', `/users/${client.userId}/two_factor`)
  t.equal((await mailboxes.read(email)).length, 2)
  const other = await people.addPerson()
  await addOnePasskey(other, 'two')
  await owner.must('DELETE', `/users/${other.userId}/two_factor`)
  t.equal((await mailboxes.read(other.email)).length, 2, 'a passkey is a factor, too')
})

t.test('[WARNING5] a refused change warns nobody', async (t) => {
  const { client, email } = await people.addAccount()
  await client.delete('/users/me/two_factor/totp', PROOF)
  await client.delete('/users/me/passkeys/unknown', PROOF)
  await client.patch('/settings', { old_password: 'wrong', new_password: NEXT })
  t.equal((await client.post('/users/me/two_factor/recovery_codes', PROOF)).status, 400)
  t.equal((await mailboxes.read(email)).length, 1)
})

t.test('[WARNING6] a new address sends a mail to both addresses', async (t) => {
  const person = await people.addPerson()
  const former = person.email
  await person.must('PATCH', '/settings', { email: 'moved@example.com', old_password: PROOF.password })
  t.equal((await submitForm(await mailboxes.link('moved@example.com'))).status, 200)
  const [notice] = (await mailboxes.read(former)).slice(-1)
  t.equal(notice?.subject, 'Your email address at Test Organization was changed')
  t.match(notice?.text, 'Not you? Contact an administrator at once.')
  t.notMatch(notice?.raw, 'moved@')
  const [mail] = (await mailboxes.read('moved@example.com')).slice(-1)
  t.equal(mail?.subject, 'Your account at Test Organization now uses this address')
  t.match(mail?.text, 'Not you? Contact an administrator at once.')
  t.notMatch(mail?.raw, former)
})

t.test('[WARNING7] a warning goes to the address of that time, and not to a deactivated user', async (t) => {
  const person = await people.addPerson()
  const former = person.email
  await mailServer.stop()
  await person.must('PATCH', '/settings', { old_password: PROOF.password, new_password: NEXT })
  await sql`update users set email = 'thief@example.com' where id = ${person.userId}`
  const left = await people.addPerson()
  await left.must('PATCH', '/settings', { old_password: PROOF.password, new_password: NEXT })
  await owner.must('DELETE', `/users/${left.userId}`)
  await mailServer.start()
  await sql`with due as (update mails set due_at = now() where due_at is not null returning 1)
    select pg_notify('parley_mail', '') from due`
  t.same(await subjectsOf(former), ['Your password at Test Organization was changed'])
  t.same(await subjectsOf('thief@example.com'), [])
  t.same(await mailboxes.read(left.email), [])
})

t.test('[WARNING8] a user gets ten warnings of a kind in an hour, and others do not count', async (t) => {
  const [person, other] = [await people.addPerson(), await people.addPerson()]
  for (let count = 0; count < 12; count++)
    await setPassword(services, person.userId as UserId, await passwords.hash(NEXT))
  t.equal((await mailboxes.read(person.email)).length, 10)
  await addOnePasskey(person, 'eight')
  t.equal((await mailboxes.read(person.email)).length, 11, 'another kind')
  await setPassword(services, other.userId as UserId, await passwords.hash(NEXT))
  t.equal((await mailboxes.read(other.email)).length, 1, 'another user')
  await sql`update mails set asked_at = asked_at - interval '61 minutes'`
  await setPassword(services, person.userId as UserId, await passwords.hash(NEXT))
  t.equal((await mailboxes.read(person.email)).length, 12)
})

t.test('[WARNING9] names of people cannot become links in a warning', async (t) => {
  const person = await people.addPerson()
  await person.must('PATCH', '/settings', { full_name: 'https://evil.example/x' })
  await person.must('PATCH', '/settings', { old_password: PROOF.password, new_password: NEXT })
  const { text } = await newest(person.email, 'Your password at Test Organization was changed')
  t.match(text, 'Hello https evil. example x,')
})

/** Adds a passkey as the browser's answer does once it is checked; answers its id. */
async function addOnePasskey({ userId }: Client, name: string): Promise<string> {
  const passkey = {
    id: hashApiKey(name).slice(0, 36),
    name: `The name ${name}`,
    credentialId: `credential ${name}`,
    publicKey: new Uint8Array([1, 2, 3]),
    counter: 0,
    transports: ['internal'],
    isSynced: false,
    createdAt: Math.floor(clock.nowMs() / 1_000),
  }
  await addPasskey(services, state.getUser(userId as UserId), passkey, fail)
  return passkey.id
}

t.test(
  '[WARNING10] a mail is in the language of its reader, with days and times as written there',
  async (t) => {
    const person = await people.addPerson()
    await person.must('PATCH', '/settings', { default_language: 'de' })
    await person.must('PATCH', '/settings', { old_password: PROOF.password, new_password: NEXT })
    const mail = (await mailboxes.read(person.email)).at(-1)
    t.equal(mail?.subject, 'Dein Passwort bei Test Organization wurde geändert')
    t.match(mail?.text, 'Es wurde in deinen Einstellungen geändert.')
    t.match(mail?.text, /^Zeit: \d+\. \p{L}+ \d{4} um \d\d:\d\d UTC$/mu)
    t.match(mail?.html, '<html lang="de" dir="ltr">')
    // A reader without an account gets the language of the organization; one whose language has no texts, too.
    await owner.must('PATCH', '/realm', { default_language: 'de' })
    const inviting = {
      invitee_emails: 'neu@example.com',
      stream_ids: [],
      include_realm_default_subscriptions: true,
    }
    await owner.must('POST', '/invites', inviting)
    const [invitation] = await mailboxes.read('neu@example.com')
    t.equal(invitation?.subject, 'Einladung zu Test Organization')
    t.match(invitation?.text, /Er läuft am \d+\. \p{L}+ \d{4} ab\./u)
    await person.must('PATCH', '/settings', { default_language: 'fr' })
    await person.must('PATCH', '/settings', { old_password: NEXT, new_password: PROOF.password })
    t.match((await mailboxes.read(person.email)).at(-1)?.subject, 'Dein Passwort')
    await owner.must('PATCH', '/realm', { default_language: 'en' })
  },
)
