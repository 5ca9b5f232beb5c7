/** People join a server that sends no mail: by links that need no confirmation, and by personal ones; and whether it sends. */

import t from 'tap'
import type { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { openPage, submitForm } from '../../harness/browser/visit-page.ts'
import { pollUntil } from '../../services/poll-until.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
await startMailWorkers(t, server)
const { sql, state } = server.node.services
const mailboxes = openMailboxes(mailServer, server)
const [owner, administrator, member] = [server.as('owner'), server.as('administrator'), server.as('member')]
const PASSWORD = 'correct horse'
const GONE = 'This invitation is not valid any more.'

const allow = (isAllowed: boolean) =>
  owner.must('PATCH', '/realm', { join_without_confirmation: isAllowed, emails_restricted_to_domains: false })
const linkOf = async (client: Client): Promise<string> =>
  (await client.must('POST', '/invites/multiuse', {})).invite_link
const person = (name: string) => ({
  full_name: `New ${name}`,
  email: `${name}@example.com`,
  password: PASSWORD,
})
const accountOf = (name: string) => state.findUserByEmail(`${name}@example.com`)
/** Invites an address, and answers the id of the invitation. */
async function invite(client: Client, email: string, fields = {}): Promise<number> {
  await client.must('POST', '/invites', { invitee_emails: email, stream_ids: [], ...fields })
  const { invites } = await owner.must('GET', '/invites')
  return invites.find((one: { email?: string }) => one.email === email).id
}

await t.test(
  '[JOINWORD1] only owners let people join without a confirmation, and everyone sees that they do',
  async (t) => {
    t.equal(
      (await member.register({ fetch_event_types: ['realm'] })).state.realm_join_without_confirmation,
      false,
    )
    expectRefusal(
      t,
      await administrator.patch('/realm', { join_without_confirmation: true }),
      'Must be an organization owner',
    )
    const events = await expectConsistent(server, () => allow(true))
    const data = { join_without_confirmation: true }
    t.same(withoutIds(events.member), [{ type: 'realm', op: 'update_dict', property: 'default', data }])
  },
)

await t.test('[JOINWORD2] a link then leads from one form into the organization', async (t) => {
  await allow(true)
  const link = await linkOf(administrator)
  const shown = await openPage(link)
  for (const name of ['full_name', 'email', 'password']) t.match(shown.text, `name="${name}"`)
  t.notMatch(shown.text, 'readonly')
  const joined = await expectConsistent(server, async () => {
    const { status, headers } = await submitForm(link, person('ann'))
    t.same([status, headers.get('location')], [303, '/'])
    t.match(headers.get('set-cookie'), 'HttpOnly')
  })
  t.ok(joined.member?.some(({ type }) => type === 'realm_user'))
  t.match(accountOf('ann'), { role: 400, isActive: true })
  t.same(await mailboxes.read('ann@example.com'), [], 'no mail was needed')
  await server.anyone.must('POST', '/fetch_api_key', { username: 'ann@example.com', password: PASSWORD })
})

await t.test('[JOINWORD3] wrong data keeps the form, with the reason, and makes nothing', async (t) => {
  const link = await linkOf(administrator)
  const count = state.users.size
  for (const [given, reason] of [
    [{ ...person('bad'), email: 'no address' }, 'Enter a valid email address'],
    [{ ...person('bad'), email: '' }, 'email'],
    [{ ...person('bad'), password: 'short' }, 'password'],
    [{ ...person('bad'), full_name: '' }, 'name'],
    [person('ann'), 'ann@example.com'],
  ] as const) {
    const { status, text } = await submitForm(link, given)
    t.equal(status, 400, JSON.stringify(given))
    t.match(text.toLowerCase(), reason.toLowerCase())
    t.match(text, '<form')
  }
  t.equal(state.users.size, count)
})

await t.test(
  '[JOINWORD4] without the permission, where domains are restricted, and after its end a link makes no account',
  async (t) => {
    const link = await linkOf(administrator)
    await allow(false)
    const asked = await submitForm(link, person('eve'))
    t.match(asked.text, 'We sent a link to')
    await allow(true)
    await owner.must('POST', '/realm/domains', { domain: 'example.com', allow_subdomains: false })
    await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
    t.match((await submitForm(link, person('eve'))).text, 'We sent a link to', 'the domain has to be proved')
    await allow(true)
    const { invites } = await owner.must('GET', '/invites')
    const { id } = invites.find((one: { link_url?: string }) => one.link_url === link)
    await owner.must('DELETE', `/invites/multiuse/${id}`)
    t.match((await submitForm(link, person('eve'))).text, GONE)
    t.equal(accountOf('eve'), undefined)
  },
)

await t.test('[JOINWORD5] a personal link is for its address, once, beside that of the mail', async (t) => {
  const id = await invite(member, 'kim@example.com')
  const events = await expectConsistent(server, () => administrator.must('POST', `/invites/${id}/link`))
  t.match(events.member, [{ type: 'invites_changed' }])
  t.same(events.guest, [])
  const { invite_link: first } = await administrator.must('POST', `/invites/${id}/link`)
  const { invite_link: second } = await administrator.must('POST', `/invites/${id}/link`)
  t.equal((await openPage(first)).status, 404, 'the newest replaces the one before')
  t.match((await openPage(second)).text, 'value="kim@example.com" readonly')
  const mailed = await mailboxes.link('kim@example.com')
  t.equal((await openPage(mailed)).status, 200, 'the link of the mail works as before')
  const log = await sql`select event::text from event_log where event->>'type' = 'invites_changed'`
  t.notOk(JSON.stringify(log).includes(second.slice(-33, -1)))
  t.equal((await submitForm(second, { full_name: 'Kim', password: PASSWORD })).status, 303)
  t.match(accountOf('kim'), { role: 400 })
  for (const link of [second, mailed]) t.equal((await openPage(link)).status, 404)
})

await t.test('[JOINWORD6] personal links are for users who may make accounts for any address', async (t) => {
  const own = await invite(member, 'lee@example.com')
  for (const client of [member, server.as('moderator')])
    expectRefusal(t, await client.post(`/invites/${own}/link`), 'Must be an organization administrator')
  for (const client of [server.as('guest')])
    expectRefusal(t, await client.post(`/invites/${own}/link`), 'Must be an organization member')
  t.equal((await server.as('bot').post(`/invites/${own}/link`)).status, 400)
  t.equal((await server.anyone.post(`/invites/${own}/link`)).status, 401)
  const asOwner = await invite(owner, 'max@example.com', { invite_as: 100 })
  expectRefusal(t, await administrator.post(`/invites/${asOwner}/link`), 'Must be an organization owner')
  t.equal((await owner.post(`/invites/${asOwner}/link`)).status, 200)
  await linkOf(owner)
  const { invites } = await owner.must('GET', '/invites')
  const { id: byLink } = invites.find((one: { is_multiuse: boolean }) => one.is_multiuse)
  for (const id of [byLink, 999_999])
    expectRefusal(t, await owner.post(`/invites/${id}/link`), 'No such invitation')
  await owner.must('DELETE', `/invites/${own}`)
  expectRefusal(t, await owner.post(`/invites/${own}/link`), 'No such invitation')
})

await t.test('[MAILSTATE1] administrators send themselves a test mail, and see that it left', async (t) => {
  t.match(await administrator.must('GET', '/server/mail'), { is_configured: true })
  await sql`update mail_results set sent_at = null`
  await administrator.must('POST', '/server/mail/test')
  const [mail] = await mailboxes.read(administrator.email)
  t.match(mail, { subject: 'Test email from Test Organization' })
  await pollUntil('the result is noted', async () => {
    const { sent_at: sentAt } = await administrator.must('GET', '/server/mail')
    return sentAt !== null
  })
  for (let count = 1; count < 5; count++) await administrator.must('POST', '/server/mail/test')
  expectRefusal(
    t,
    await administrator.post('/server/mail/test'),
    'You have sent too many test emails. Try again in an hour.',
  )
  t.equal((await owner.post('/server/mail/test')).status, 200, 'others have their own')
})

await t.test('[MAILSTATE2] administrators see that the mail server takes nothing', async (t) => {
  mailServer.refusals.set(owner.email, 550)
  t.teardown(() => mailServer.refusals.clear())
  await owner.must('POST', '/server/mail/test')
  await pollUntil('the failure is noted', async () => {
    const { sent_at: sentAt, failed_at: failedAt } = await owner.must('GET', '/server/mail')
    return failedAt !== null && sentAt !== null && failedAt >= sentAt
  })
  t.match(await owner.must('GET', '/server/mail'), { problem: /550/ })
})

await t.test('[MAILSTATE3] nobody but administrators asks for it', async (t) => {
  for (const person of ['moderator', 'member', 'guest'] as const) {
    const client = server.as(person)
    expectRefusal(t, await client.get('/server/mail'), 'Must be an organization administrator')
    expectRefusal(t, await client.post('/server/mail/test'), 'Must be an organization administrator')
  }
  t.equal((await server.as('bot').get('/server/mail')).status, 400)
  t.equal((await server.as('bot').post('/server/mail/test')).status, 400)
  t.equal((await server.anyone.get('/server/mail')).status, 401)
})
