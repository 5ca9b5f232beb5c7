/** One's own new password, in one commit with everything that its request changes. */

import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const { sql, passwords, state } = server.node.services
const { url } = server.node
const member = server.as('member')
const email = emailOf('member')
const FORMER = 'correct horse'
const NEXT = 'battery staple'
await sql`update users set password_hash = ${await passwords.hash(FORMER)} where id = ${member.userId}`

async function logIn(password: string) {
  const browser = new Browser(url)
  return { browser, status: (await browser.logIn(email, password)).status }
}
const isIn = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).status === 200
const nameOfMember = async () => (await member.must('GET', '/users/me')).full_name

t.test('[ACCOUNT13] a password that has changed since it was checked changes nothing else', async (t) => {
  const { browser } = await logIn(FORMER)
  const hash = passwords.hash.bind(passwords)
  const other = await passwords.hash('of another request')
  passwords.hash = async (password) => {
    passwords.hash = hash
    await sql`update users set password_hash = ${other} where id = ${member.userId}`
    return hash(password)
  }
  const fields = { old_password: FORMER, new_password: NEXT, full_name: 'Half', email: 'half@example.com' }
  expectRefusal(t, await member.patch('/settings', fields), 'Wrong password!')
  t.equal(await nameOfMember(), 'The member')
  t.same(await sql`select email from address_changes`, [])
  t.equal((await logIn('of another request')).status, 200)
  t.equal((await logIn(NEXT)).status, 401)
  t.ok(await isIn(browser), 'sessions go on')
  await sql`update users set password_hash = ${await passwords.hash(FORMER)} where id = ${member.userId}`
})

/** Changes everything by a session, while the database fails at one of the entries of the log. */
async function changeAtFault(browser: Browser, type: string, fields: Fields) {
  await sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$
      begin raise exception 'on purpose' using errcode = 'disk_full'; end $$;
    create trigger fail before insert on event_log
      for each row when (new.event ->> 'type' = '${type}') execute function fail()`)
  const answer = await browser.call('PATCH', '/json/settings', fields as Record<string, string>)
  await sql`drop function fail() cascade`
  return answer
}

for (const type of ['realm_user/update', 'password_set', 'login_sessions_changed', 'own_address']) {
  t.test(`[ACCOUNT14] a failure at ${type} leaves password, name, address and sessions`, async (t) => {
    const [own, other] = [(await logIn(FORMER)).browser, (await logIn(FORMER)).browser]
    const sessions = state.loginSessions.get(member.userId as never)
    const fields = { old_password: FORMER, new_password: NEXT, full_name: 'Half', email: 'half@example.com' }
    const answer = await changeAtFault(own, type, fields)
    t.equal(answer.status, 503)
    t.same(answer.headers.getSetCookie(), [], 'no cookie of a session that does not exist')
    t.equal(await nameOfMember(), 'The member')
    t.same(await sql`select email from address_changes`, [])
    t.same(state.loginSessions.get(member.userId as never), sessions)
    for (const browser of [own, other]) t.ok(await isIn(browser))
    t.equal((await logIn(NEXT)).status, 401)
    t.equal((await logIn(FORMER)).status, 200)
  })
}

t.test('[ACCOUNT15] password, name, address and sessions change in one transaction', async (t) => {
  const [own, other] = [(await logIn(FORMER)).browser, (await logIn(FORMER)).browser]
  const fields = { old_password: FORMER, new_password: NEXT, full_name: 'Whole', email: 'whole@example.com' }
  const [last] = await sql`select max(id)::text as id from event_log`
  t.equal((await own.call('PATCH', '/json/settings', fields)).status, 200)
  const entries = await sql<{ type: string; xmin: string }[]>`
    select event ->> 'type' as type, xmin::text from event_log where id > ${last?.['id']}::bigint order by id`
  const types = entries.map(({ type }) => type)
  for (const type of ['realm_user/update', 'password_set', 'login_sessions_changed', 'own_address'])
    t.ok(types.includes(type), type)
  t.equal(new Set(entries.map(({ xmin }) => xmin)).size, 1, 'one transaction')
  t.ok(types.indexOf('password_set') < types.indexOf('own_address'), 'which keeps the new wish')
  t.match(await sql`select email from address_changes`, [{ email: 'whole@example.com' }])
  t.ok(await isIn(own))
  t.notOk(await isIn(other))
  t.equal((await logIn(FORMER)).status, 401)
  t.equal((await logIn(NEXT)).status, 200)
  const events = await sql`select event::text from event_log`
  t.notMatch(JSON.stringify(events), 'scrypt', 'the log has no hash')
})

t.test('[ACCOUNT16] the audit log has that a user changed the own password', async (t) => {
  const { entries } = await server.as('owner').must('GET', '/realm/audit_log', { limit: 20 })
  const [entry] = entries.filter(({ kind }: { kind: string }) => kind === 'password_set')
  t.match(entry, { acting_user_id: member.userId, details: { user_id: member.userId } })
})
