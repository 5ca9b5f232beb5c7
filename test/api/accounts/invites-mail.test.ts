/** Invitations by mail, with workers and a mail server: the mail, its link, and joining by it. */

import t from 'tap'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { loggedPath } from '../../../server/wire/logged-path.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { openPage, submitForm } from '../../harness/browser/visit-page.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
const { lines } = await startMailWorkers(t, server)
const { sql, state } = server.node.services
const mailboxes = openMailboxes(mailServer, server)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
const PASSWORD = 'correct horse'
const GONE = 'This invitation is not valid any more.'

const invite = (client: Client, emails: string, fields: Fields = {}) =>
  client.must('POST', '/invites', { invitee_emails: emails, stream_ids: [], ...fields })
const listed = async (client: Client) => (await client.must('GET', '/invites')).invites
const entryOf = async (email: string) => (await listed(owner)).find((one) => one.email === email)
const addressOf = (name: string) => `${name}@example.com`
/** Invites somebody, and answers the link of the mail. */
async function invited(name: string, fields: Fields = {}, client = member): Promise<string> {
  await invite(client, addressOf(name), fields)
  return mailboxes.link(addressOf(name))
}
const join = (link: string, name: string, fields: Record<string, string> = {}) =>
  submitForm(link, { full_name: `New ${name}`, password: PASSWORD, ...fields })
const hasAccount = (name: string) => state.findUserByEmail(addressOf(name)) !== undefined
const newestMessage = async (client: Client) =>
  (await client.must('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages.at(-1)

await t.test('[INVITE30] a mailed invitation makes one account, for its address alone', async (t) => {
  const events = await expectConsistent(server, () =>
    invite(member, 'Anna <anna@example.com>,second@example.com'),
  )
  const changed = [{ type: 'invites_changed' }]
  t.match([events.owner, events.member], [changed, changed])
  t.same([events.owner?.length, events.member?.length, events.member2, events.guest], [1, 1, [], []])
  const entry = await entryOf('anna@example.com')
  t.same(entry, {
    id: entry.id,
    invited_by_user_id: member.userId,
    invited: entry.invited,
    expiry_date: entry.invited + 14_400 * 60,
    invited_as: 400,
    is_multiuse: false,
    email: 'anna@example.com',
    notify_referrer_on_join: true,
  })
  t.same(await listed(member2), [])
  const [mail, ...others] = await mailboxes.read('anna@example.com')
  t.same(others, [], 'two workers send it once')
  t.equal(mail?.subject, 'Invitation to Test Organization')
  for (const part of [mail?.text, mail?.html]) {
    t.match(part, 'The member invites you')
    t.match(part, 'anna@example.com only')
  }
  const link = await mailboxes.link('anna@example.com')
  t.match(link, new RegExp(`^${server.node.url}/join/[A-Za-z0-9]{32}/$`))
  const shown = await openPage(link)
  t.match(shown.text, 'value="anna@example.com" readonly')
  t.equal((await openPage(link)).text, shown.text, 'opening the link does not use it')
  t.equal((await join(link, 'anna', { password: 'short' })).status, 400)
  const joined = await expectConsistent(server, async () => {
    t.equal((await join(link, 'anna', { email: 'other@example.com' })).status, 303)
  })
  t.match(
    joined.member?.filter(({ type }) => type === 'invites_changed'),
    changed,
  )
  t.ok(hasAccount('anna'))
  t.notOk(hasAccount('other'), 'the address of the form does not count')
  const login = { username: 'anna@example.com', password: PASSWORD }
  t.equal((await server.anyone.post('/fetch_api_key', login)).status, 200)
  t.equal(await entryOf('anna@example.com'), undefined)
  t.match(await newestMessage(member), {
    sender_full_name: 'Notification Bot',
    content: /New anna<\/span> accepted your invitation\./,
  })
})

await t.test('[INVITE31] an inviter who wants no notice gets none', async (t) => {
  const before = await newestMessage(member)
  const link = await invited('quiet', { notify_referrer_on_join: false })
  t.equal((await entryOf('quiet@example.com')).notify_referrer_on_join, false)
  t.equal((await join(link, 'quiet')).status, 303)
  t.same(await newestMessage(member), before)
})

await t.test(
  '[INVITE32] a mailed link is void once used, revoked, expired, resent or not backed',
  async (t) => {
    const isVoid = async (link: string, name: string) => {
      for (const page of [await openPage(link), await join(link, `${name} again`)])
        t.match([page.status, page.text], [404, GONE], name)
    }
    const used = await invited('used')
    t.equal((await join(used, 'used')).status, 303)
    await isVoid(used, 'used')
    const revoked = await invited('revoked')
    await member.must('DELETE', `/invites/${(await entryOf('revoked@example.com')).id}`)
    await isVoid(revoked, 'revoked')
    const expired = await invited('expired')
    await sql`update invitations set expires_at = 1 where email = 'expired@example.com'`
    await isVoid(expired, 'expired')
    const first = await invited('resent')
    const { id } = await entryOf('resent@example.com')
    await member.must('POST', `/invites/${id}/resend`)
    await isVoid(first, 'resent')
    const second = await mailboxes.link('resent@example.com')
    t.equal((await join(second, 'resent')).status, 303)
    const [one, other] = [await invited('twice'), await invited('twice', {}, member2)]
    t.equal((await join(other, 'twice')).status, 303)
    await isVoid(one, 'twice')
    const lifted = await invited('lifted', { invite_as: 200 }, server.as('administrator'))
    await owner.must('PATCH', `/users/${server.as('administrator').userId}`, { role: 400 })
    await isVoid(lifted, 'lifted')
    await owner.must('PATCH', `/users/${server.as('administrator').userId}`, { role: 200 })
    const left = await invited('left', {}, server.as('moderator'))
    await owner.must('DELETE', `/users/${server.as('moderator').userId}`)
    await isVoid(left, 'left')
    for (const name of ['revoked', 'expired', 'lifted', 'left']) t.notOk(hasAccount(name), name)
  },
)

await t.test('[INVITE33] an invitation that ends before its mail is sent sends none', async (t) => {
  await mailServer.stop()
  await invite(member, 'early@example.com, never@example.com')
  const tried = () => lines.filter((line) => line.includes('a mail was not sent')).length
  await pollUntil('both were tried', () => tried() >= 2)
  await member.must('DELETE', `/invites/${(await entryOf('early@example.com')).id}`)
  await mailServer.start()
  await sql`with due as (update mails set due_at = now() where due_at is not null returning 1)
    select pg_notify('parley_mail', '') from due`
  t.equal((await mailboxes.read('never@example.com')).length, 1)
  t.equal((await mailboxes.read('early@example.com')).length, 0)
})

await t.test('[INVITE34] of several joins by one mailed link, one wins', async (t) => {
  const link = await invited('raced')
  const passwords = ['the first one', 'the second one', 'the third one']
  const answers = await Promise.all(passwords.map((password) => join(link, 'raced', { password })))
  const won = answers.flatMap(({ status }, index) => (status === 303 ? [index] : []))
  t.equal(won.length, 1)
  for (const { status } of answers) t.ok([303, 400, 404].includes(status))
  for (const [index, password] of passwords.entries()) {
    const login = await server.anyone.post('/fetch_api_key', { username: 'raced@example.com', password })
    t.equal(login.status, won.includes(index) ? 200 : 401)
  }
})

await t.test('[INVITE35] a token is only in its mail: not in the database, logs or referrers', async (t) => {
  const link = await invited('secret')
  const [token = ''] = link.match(/[A-Za-z0-9]{32}/) ?? []
  const opened = await openPage(link)
  t.equal(opened.headers.get('referrer-policy'), 'strict-origin', 'no referrer has the path')
  t.equal(opened.headers.get('cache-control'), 'no-store')
  t.equal(loggedPath(new URL(link).pathname), '/join/')
  const stored = await sql`select key, token_hash as hash from invitations where email = 'secret@example.com'`
  t.same([...stored], [{ key: null, hash: hashApiKey(token) }])
  t.equal((await join(link, 'secret')).status, 303)
  const rows = await sql`select event::text from event_log union all select mails::text from mails`
  t.ok(rows.length > 0 && lines.length > 0)
  t.notOk(JSON.stringify(rows).includes(token))
  const log =
    await sql`select event::text from event_log where event->>'type' in ('invites_changed', 'invitation_used')`
  t.notOk(JSON.stringify(log).includes('secret@example.com'), 'nor does the log have the address')
  t.notOk(lines.join('').includes(token))
})

await t.test('[INVITE36] the link leads to the public address, whatever host a request names', async (t) => {
  const forged = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example', Host: 'evil.example' }
  const authorization = `Basic ${Buffer.from(`${member.email}:${member.key}`).toString('base64')}`
  const body = new URLSearchParams({ invitee_emails: 'forged@example.com', stream_ids: '[]' })
  const { request } = await import('node:http')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(
      `${server.node.url}/api/v1/invites`,
      {
        method: 'POST',
        headers: {
          ...forged,
          Authorization: authorization,
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(body.toString()),
        },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
      .on('error', reject)
      .end(body.toString())
  })
  t.equal(status, 200)
  const [mail] = await mailboxes.read('forged@example.com')
  t.ok((await mailboxes.link('forged@example.com')).startsWith(`${server.node.url}/join/`))
  t.notMatch(mail?.raw, 'evil.example')
})

await t.test(
  '[INVITE40] an account that an administrator makes ends the invitations to its address',
  async (t) => {
    const link = await invited('early')
    const events = await expectConsistent(server, () =>
      owner.must('POST', '/users', {
        email: 'EARLY@example.com',
        full_name: 'New early',
        password: PASSWORD,
      }),
    )
    for (const person of ['owner', 'member'] as const)
      t.ok(
        events[person]?.some(({ type }) => type === 'invites_changed'),
        person,
      )
    t.notOk(events.member2?.some(({ type }) => type === 'invites_changed'))
    t.equal(await entryOf('early@example.com'), undefined)
    t.same(await sql`select id from invitations where lower(email) = 'early@example.com'`, [])
    t.match(await openPage(link), { status: 404 })
  },
)

await t.test('[INVITE41] an account and its password are stored in one commit', async (t) => {
  await join(await invited('whole'), 'whole')
  await owner.must('POST', '/users', { email: addressOf('made'), full_name: 'New made', password: PASSWORD })
  for (const name of ['whole', 'made']) {
    const { id = 0 } = state.findUserByEmail(addressOf(name)) ?? {}
    const commits = await sql`select distinct xmin::text from event_log
      where (event->>'type' = 'realm_user/add' and event->'user'->>'id' = ${String(id)})
        or (event->>'type' = 'password_set' and event->>'userId' = ${String(id)})`
    const [row] = await sql`select count(*) from event_log
      where event->>'type' = 'password_set' and event->>'userId' = ${String(id)}`
    t.same([commits.length, row?.['count']], [1, 1], name)
    const key = await server.anyone.post('/fetch_api_key', { username: addressOf(name), password: PASSWORD })
    t.equal(key.status, 200, name)
  }
})

await t.test(
  '[INVITE37] names in an invitation cannot become headers, markup, links or addresses',
  async (t) => {
    const name = 'Eve https://evil.example/x <b>bold</b> a@b.example\r\nBcc: spy@example.com \u202e'
    // Only an operator or an older release can store such names.
    await sql`update users set full_name = ${name} where id = ${member2.userId}`
    await owner.must('PATCH', '/realm', { name: '<i>O</i> www.evil.example' })
    await invited('named', {}, member2)
    const [mail] = await mailboxes.read('named@example.com')
    t.notMatch(mail?.raw, /^bcc:/im)
    t.same([mail?.to, mail?.bcc ?? []], [[{ name: '', address: 'named@example.com' }], []])
    t.notMatch(mail?.html, /<b>|<i>/)
    t.notMatch(mail?.text, /evil\.example|b\.example|@b|\u202e/)
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
    t.ok(links.length > 0 && links.every((link) => link?.startsWith(`${server.node.url}/`)))
    await owner.must('PATCH', '/realm', { name: 'Test Organization' })
  },
)
