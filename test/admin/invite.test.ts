/** Invitations of the command line, beside a running server with a mail server. */

import t from 'tap'
import { parseCommand } from '../../server/admin/parse-command.ts'
import { UsageError } from '../../server/admin/usage-error.ts'
import { ROLES } from '../../server/domain/entities.ts'
import { Browser } from '../harness/browser/browser.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { channelIdOf } from '../harness/worlds/set-up-channel.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { openPage, submitForm } from '../harness/browser/visit-page.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runHere } from './run-here.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
await startMailWorkers(t, server)
const { sql, state } = server.node.services
const { url } = server.node
const mailboxes = openMailboxes(mailServer, server)
const owner = server.as('owner')
const PASSWORD = 'correct horse'
const settings = { DATABASE_URL: server.databaseUrl, PUBLIC_URL: url, INVITATION_LINK_VALIDITY_MINUTES: '60' }

const run = (...args: string[]) => runHere(settings, ['user', 'invite', ...args])
async function invite(...args: string[]) {
  const { code, stdout, stderr } = await run(...args)
  if (code !== 0 || stderr !== '') throw new Error(`the command ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}
const join = (link: string) => submitForm(link, { full_name: 'A newcomer', password: PASSWORD })
async function subscriptionsOf(email: string): Promise<string[]> {
  const browser = new Browser(url)
  await browser.logIn(email, PASSWORD)
  const { subscriptions } = (await browser.send('GET', '/json/users/me/subscriptions')).body
  return subscriptions.map(({ name }: { name: string }) => name).sort()
}
/** The role of the account with an address. */
const roleOf = (email: string) => state.findUserByEmail(email)?.role
for (const name of ['general', 'design', 'secret'])
  await owner.subscribe([name], name === 'secret' ? { invite_only: true } : {})
await owner.must('POST', '/default_streams', { stream_id: channelIdOf(server, 'general') })

t.test('[CLI40] an invited person joins by the printed link or by the mail, once', async (t) => {
  const links = []
  for (const email of ['ann@example.com', 'bob@example.com']) {
    const before = Math.floor(Date.now() / 1_000)
    const made = await invite(email)
    t.match(made, { email, role: 'member', invited_by: 'owner@example.com' })
    t.ok(made.expires_at >= before + 3_600 && made.expires_at <= Date.now() / 1_000 + 3_600)
    const mailed = await mailboxes.link(email)
    t.not(made.invite_link, mailed)
    for (const link of [made.invite_link, mailed]) {
      t.match(link, new RegExp(`^${url}/join/[A-Za-z0-9]{32}/$`))
      const page = await openPage(link)
      t.match([page.status, page.text], [200, `value="${email}" readonly`])
    }
    links.push({ printed: made.invite_link, mailed, email })
  }
  t.match((await mailboxes.read('ann@example.com'))[0]?.text, 'The owner invites you')
  const [ann, bob] = links
  if (!ann || !bob) throw new Error('two people are invited')
  t.equal((await join(ann.printed)).status, 303)
  t.equal((await join(bob.mailed)).status, 303)
  for (const { printed, mailed, email } of links) {
    for (const link of [printed, mailed]) t.equal((await openPage(link)).status, 404, 'both are used up')
    t.equal(roleOf(email), ROLES.member)
    t.same(await subscriptionsOf(email), ['general'], 'the default channels')
  }
})

t.test('[CLI41] role, channels and inviter are those of the command', async (t) => {
  const email = 'cat@example.com'
  const by = ['--by', 'moderator@example.com']
  const made = await invite('--role', 'guest', '--channels', 'design, general', email, ...by)
  t.match(made, { email, role: 'guest', invited_by: 'moderator@example.com' })
  t.match((await mailboxes.read(email))[0]?.text, 'The moderator invites you')
  const { invites } = await server.as('moderator').must('GET', '/invites')
  t.match(invites, [{ email, invited_as: ROLES.guest, invited_by_user_id: server.as('moderator').userId }])
  t.equal((await join(made.invite_link)).status, 303)
  t.equal(roleOf(email), ROLES.guest)
  t.same(await subscriptionsOf(email), ['design', 'general'])
})

t.test('[CLI42] the printed link ends with the invitation, and when its mail is sent again', async (t) => {
  const [revoked, resent] = [await invite('dan@example.com'), await invite('eve@example.com')]
  const { invites } = await owner.must('GET', '/invites')
  const idOf = (email: string) => invites.find((one: { email?: string }) => one.email === email).id
  await owner.must('DELETE', `/invites/${idOf('dan@example.com')}`)
  await owner.must('POST', `/invites/${idOf('eve@example.com')}/resend`)
  for (const { invite_link } of [revoked, resent]) t.equal((await openPage(invite_link)).status, 404)
  t.equal((await openPage(await mailboxes.link('eve@example.com'))).status, 200)
})

t.test('[CLI43] the command refuses what its inviter may not do, in one line', async (t) => {
  const refuses = async (args: readonly string[], text: string) => {
    t.same(await run(...args), { code: 1, stdout: '', stderr: `parley: ${text}\n` })
  }
  const before = await sql`select from mails`
  await refuses(['member@example.com'], 'member@example.com already has an account')
  await refuses(['x@example.com', '--channels', 'nowhere'], 'there is no channel nowhere')
  await refuses(['x@example.com', '--by', 'nobody@example.com'], 'there is no user nobody@example.com')
  const hidden = 'member@example.com cannot see all of these channels, or one is archived'
  await refuses(['x@example.com', '--by', 'member@example.com', '--channels', 'secret'], hidden)
  const may = 'member@example.com may not send this invitation: Must be an organization administrator'
  await refuses(['x@example.com', '--by', 'member@example.com', '--role', 'moderator'], may)
  const guest = 'guest@example.com may not send this invitation: Must be an organization member'
  await refuses(['x@example.com', '--by', 'guest@example.com'], guest)
  const bot = 'bot@example.com may not send this invitation: This endpoint does not accept bot requests.'
  await refuses(['x@example.com', '--by', 'bot@example.com'], bot)
  await owner.must('POST', '/realm/domains', { domain: 'corp.example', allow_subdomains: false })
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
  await pollUntil('the setting is stored', async () => (await sql`select from email_domains`).length === 1)
  t.match(await run('x@example.com'), { code: 1, stdout: '', stderr: /not allowed in this organization/ })
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: false })
  t.equal((await sql`select from mails`).length, before.length, 'no mail is sent')
  for (let sent = 0; sent < 5; sent++) await invite('flood@example.com')
  const flooded = 'flood@example.com: You have sent too many invitations to this address today.'
  await refuses(['flood@example.com'], flooded)
})

t.test('[CLI44] neither the log nor the tables have the printed secret', async (t) => {
  const { invite_link } = await invite('fay@example.com')
  const [, secret = ''] = /\/join\/([^/]+)\//.exec(invite_link) ?? []
  t.equal(secret.length, 32)
  const rows = await sql`select event::text as row from event_log
    union all select invitations::text from invitations union all select mails::text from mails`
  t.notOk(JSON.stringify(rows).includes(secret))
  const { entries } = await owner.must('GET', '/realm/audit_log', { limit: 1 })
  t.match(entries, [{ kind: 'invites_changed', actor: 'server' }], 'the operator did it')
})

t.test('[CLI45] wrong arguments of an invitation are named', (t) => {
  const wrong = (args: readonly string[], message: string | RegExp) =>
    t.throws(() => parseCommand(['user', 'invite', ...args]), { name: UsageError.name, message })
  wrong([], 'the ADDRESS is missing')
  wrong(['a@b.c', 'd@e.f'], 'only one ADDRESS is allowed, not also d@e.f')
  wrong(['nobody'], 'the ADDRESS must be an email address such as name@example.com')
  wrong(['a@b.c', '--role', 'king'], /^--role must be one of owner, /)
  wrong(['a@b.c', '--channels', 'one,,two'], '--channels must be names separated by commas')
  wrong(
    ['a@b.c', '--channels', Array.from({ length: 1_001 }, (_, n) => n).join(',')],
    /^--channels has more than /,
  )
  wrong(['a@b.c', '--by', 'x'], '--by must be an email address such as name@example.com')
  wrong(['a@b.c', '--email', 'a@b.c'], /Unknown option '--email'/)
  t.strictSame(parseCommand(['user', 'invite', ' a@b.c ']), {
    kind: 'user invite',
    email: 'a@b.c',
    role: 'member',
    channels: undefined,
    by: undefined,
  })
  t.end()
})
