/** A new password by the link of a mail, with two workers and a mail server. */

import t from 'tap'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { loggedPath } from '../../../server/wire/logged-path.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
const { lines } = await startMailWorkers(t, server)
const { sql } = server.node.services
const mailboxes = openMailboxes(mailServer, server)
const ASK_URL = `${server.node.url}/accounts/password/reset/`
const PASSWORD = 'correct horse'

/** An answer without what differs in each: the id of the request, and the date. */
async function read(coming: Promise<Response>) {
  const answer = await coming
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    delete headers[name]
  return { status: answer.status, text: await answer.text(), headers }
}
const post = (url: string, fields: Record<string, string>) =>
  read(fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }))
const ask = (email: string) => post(ASK_URL, { email })
const choose = (link: string, password = PASSWORD) => post(link, { password })
const logIn = (person: Person, password = PASSWORD) =>
  server.anyone.post('/fetch_api_key', { username: emailOf(person), password })

/** Waits until no mail is due any more. */
const settle = () =>
  pollUntil('all mails are done', async () => {
    const [row] = await sql`select count(*) from mails where due_at is not null`
    return row?.['count'] === 0
  })
/** Earlier requests of an address do not count any more. */
async function forget(): Promise<void> {
  await settle()
  await sql`delete from mails`
}

/** Asks for a link, and answers the one that arrived. */
async function requestLink(person: Person): Promise<string> {
  await forget()
  const address = emailOf(person)
  const before = mailServer.to(address).length
  t.equal((await ask(address)).status, 200)
  await pollUntil('the mail is there', () => mailServer.to(address).length > before)
  await settle()
  t.equal(mailServer.to(address).length, before + 1, 'two workers send it once')
  const { text, html } = mailServer.to(address).at(-1) ?? {}
  const [link = ''] = text?.match(/https?:\S+/) ?? []
  t.ok(link !== '' && html?.includes(`href="${link}"`))
  return link
}
/** Confirms a new address by the link of its mail. */
async function confirmAddress(address: string): Promise<void> {
  t.equal((await post(await mailboxes.link(address), {})).status, 200)
  await settle()
}
const OVER = 'This link has expired or was replaced.'

await t.test('[RESET1] the link of a mail sets a password, and ends all earlier log-ins', async (t) => {
  const form = await read(fetch(ASK_URL))
  t.equal(form.status, 200)
  t.match(form.text, '<form method="post">')
  t.notMatch(form.text, /<script/)
  t.equal((await read(fetch(ASK_URL.slice(0, -1)))).text, form.text)
  const member = server.as('member')
  await member.must('POST', '/register_client_device')
  const link = await requestLink('member')
  const [mail] = mailServer.to(emailOf('member'))
  t.match(mail, {
    subject: 'Reset your password for Test Organization',
    from: { name: 'Team chat', address: 'chat@example.com' },
    messageId: /^<[0-9a-f-]{36}@example\.com>$/,
  })
  t.same(mail?.to, [{ name: '', address: emailOf('member') }])
  t.match(mail?.raw, /^auto-submitted: auto-generated\r$/im)
  t.match(mail?.raw, /^date: /im)
  t.match(mail?.raw, /^content-type: multipart\/alternative/im)
  for (const part of [mail?.text, mail?.html]) t.match(part, 'Hello The member,')
  // Programs that check links open them; that does not use the link.
  const opened = await read(fetch(link))
  t.equal(opened.status, 200)
  t.match(opened.text, `value="${emailOf('member')}"`)
  t.equal((await read(fetch(link))).text, opened.text)
  const weak = await choose(link, 'short')
  t.equal(weak.status, 400)
  t.match(weak.text, '<form method="post">')
  t.equal((await choose(link, 'x'.repeat(1_001))).status, 400)
  t.equal((await post(link, {})).status, 400)
  t.match(await logIn('member'), { status: 401 })
  t.match(await choose(link), { status: 303, headers: { location: /^\/$/ } })
  t.equal((await member.get('/users/me')).status, 401, 'the earlier key is no longer valid')
  t.match(await logIn('member'), { status: 200 })
  t.same(await sql`select id from client_devices`, [])
  const browser = new Browser(server.node.url)
  t.equal((await browser.logIn(emailOf('member'), PASSWORD)).status, 200)
  t.equal((await choose(await requestLink('member'), 'another password')).status, 303)
  t.equal((await browser.send('GET', '/json/users/me')).status, 401, 'sessions end, too')
})

await t.test('[RESET2] nobody learns whether an address has an account', async (t) => {
  await forget()
  await server.as('owner').must('DELETE', `/users/${server.as('moderator').userId}`)
  const arrived = mailServer.received.length
  const expected = await ask(emailOf('guest'))
  const others = [
    'nobody@example.com',
    emailOf('moderator'), // Deactivated.
    emailOf('bot'),
    'notification-bot@zulip.com',
    '',
    'no address',
    `${'x'.repeat(300)}@example.com`,
    'a@example.com\r\nBcc: b@example.com',
    ' GUEST@example.com ',
  ]
  for (const address of others) t.same(await ask(address), expected, JSON.stringify(address))
  await settle()
  t.same(
    mailServer.received.slice(arrived).map(({ recipient }) => recipient),
    [emailOf('guest'), emailOf('guest')],
    'mails go to the address of the account, however it was spelt',
  )
  const writes = async (address: string) => {
    await forget()
    await ask(address)
    await settle()
    return sql`select kind, tries, due_at, recipient <> '' as "isNamed" from mails`
  }
  t.same(await writes('nobody@example.com'), await writes(emailOf('guest')), 'both leave the same rows')
})

await t.test('[RESET3] an address gets five links in an hour; further requests look the same', async (t) => {
  await forget()
  const expected = await ask('nobody@example.com')
  await settle()
  for (const address of [emailOf('guest'), 'nobody@example.com']) {
    const arrived = mailServer.received.length
    for (let count = 0; count < 7; count++) t.same(await ask(address.toUpperCase()), expected)
    await settle()
    t.equal(mailServer.received.length - arrived, address === emailOf('guest') ? 5 : 0)
    const [row] = await sql`select count(*) from mails where lower(recipient) = ${address}`
    t.equal(row?.['count'], 5)
  }
  await sql`update mails set asked_at = now() - interval '61 minutes'`
  await ask(emailOf('guest'))
  await settle()
  t.equal((await sql`select from mails where asked_at > now() - interval '1 minute'`).length, 1)
})

await t.test(
  '[RESET4] a link is void once used, replaced, too old, or followed by a change of the account',
  async (t) => {
    const owner = server.as('owner')
    const { userId } = server.as('member2')
    const isVoid = async (link: string, reason: string) => {
      const [opened, chosen] = [await read(fetch(link)), await choose(link, 'another password')]
      t.match([opened.status, opened.text], [404, OVER], reason)
      t.match([chosen.status, chosen.text], [404, OVER], reason)
    }
    const earlier = await requestLink('member2')
    const used = await requestLink('member2')
    await isVoid(earlier, 'replaced')
    t.equal((await choose(used)).status, 303)
    await isVoid(used, 'used')
    await isVoid(used.replace(/[^/]+\/$/, `${'a'.repeat(32)}/`), 'unknown')
    const old = await requestLink('member2')
    await sql`update password_resets set expires_at = now()`
    await isVoid(old, 'too old')
    const { api_key } = (await logIn('member2')).body
    const headers = {
      Authorization: `Basic ${Buffer.from(`${emailOf('member2')}:${api_key}`).toString('base64')}`,
    }
    const change = (fields: Record<string, string>) =>
      read(
        fetch(`${server.node.url}/api/v1/settings`, {
          method: 'PATCH',
          headers,
          body: new URLSearchParams(fields),
        }),
      )
    const beforePassword = await requestLink('member2')
    t.equal((await change({ old_password: PASSWORD, new_password: 'a third password' })).status, 200)
    await isVoid(beforePassword, 'the password changed')
    const beforeAddress = await requestLink('member2')
    const addresses = { other: { email: 'other@example.com' }, former: { email: emailOf('member2') } }
    const proof = { old_password: 'a third password' }
    t.equal((await change({ ...addresses.other, ...proof })).status, 200)
    await confirmAddress('other@example.com')
    await isVoid(beforeAddress, 'the address changed')
    const { email, api_key: otherKey } = (
      await server.anyone.post('/fetch_api_key', {
        username: 'other@example.com',
        password: proof.old_password,
      })
    ).body
    headers.Authorization = `Basic ${Buffer.from(`${email}:${otherKey}`).toString('base64')}`
    t.equal((await change({ ...addresses.former, ...proof })).status, 200)
    await confirmAddress(emailOf('member2'))
    const beforeRole = await requestLink('member2')
    await owner.must('PATCH', `/users/${userId}`, { role: 600 })
    await isVoid(beforeRole, 'the role changed')
    const beforeLeaving = await requestLink('member2')
    await owner.must('DELETE', `/users/${userId}`)
    await isVoid(beforeLeaving, 'deactivated')
    // A reader may find the link just before it ends, and the deactivated account just after.
    const late = beforeLeaving.match(/[A-Za-z0-9]{32}/)?.[0] as string
    await sql`insert into password_resets (user_id, token_hash, expires_at)
      values (${userId}, ${hashApiKey(late)}, now() + interval '1 hour')`
    await isVoid(beforeLeaving, 'deactivated meanwhile')
    await sql`delete from password_resets`
    await owner.must('POST', `/users/${userId}/reactivate`)
    await isVoid(beforeLeaving, 'reactivated')
  },
)

await t.test('[RESET5] of two submissions of one link, one wins', async (t) => {
  const link = await requestLink('guest')
  const passwords = ['the first one', 'the second one', 'the third one']
  const answers = await Promise.all(passwords.map((password) => choose(link, password)))
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [303, 404, 404],
  )
  const winner = answers.findIndex(({ status }) => status === 303)
  for (const [index, password] of passwords.entries())
    t.equal((await logIn('guest', password)).status, index === winner ? 200 : 401)
})

await t.test('[RESET6] a token is only in its mail: not in the database, logs or referrers', async (t) => {
  const link = await requestLink('administrator')
  const [token = ''] = link.match(/[A-Za-z0-9]{32}/) ?? []
  const opened = await read(fetch(link))
  t.equal(opened.headers['referrer-policy'], 'strict-origin', 'no referrer has the path')
  t.equal(opened.headers['cache-control'], 'no-store')
  t.equal(loggedPath(new URL(link).pathname), '/accounts/password/reset/')
  t.match(await sql`select token_hash as hash from password_resets`, [{ hash: hashApiKey(token) }])
  t.equal((await choose(link)).status, 303)
  const rows = await sql`select event::text from event_log union all select mails::text from mails`
  t.ok(rows.length > 0 && lines.length > 0)
  t.notOk(JSON.stringify(rows).includes(token))
  t.notOk(JSON.stringify(rows).includes('scrypt'), 'nor is the hash of the password in the log of events')
  t.notOk(lines.join('').includes(token))
})

await t.test('[RESET7] forms of other sites are refused', async (t) => {
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
    const body = new URLSearchParams({ email: emailOf('owner') })
    t.equal((await fetch(ASK_URL, { method: 'POST', headers, body })).status, 403)
  }
})

t.test('[RESET8] a link that is made while the account gets another address goes nowhere', async (t) => {
  await forget()
  const { email } = await addUser(server, 'mover')
  const before = mailServer.received.length
  await sql.begin(async (transaction) => {
    // As the commit of another address does it: first the account, then the links.
    await transaction`update users set email = 'moved@example.com' where email = ${email}`
    await ask(email)
    await pollUntil('a worker makes the link', async () => {
      const [row] = await sql`select count(*)::int as count from pg_locks where not granted`
      return row?.['count'] > 0
    })
    await transaction`delete from password_resets where user_id = (select id from users where email = 'moved@example.com')`
  })
  await settle()
  t.equal(mailServer.received.length, before)
  t.same(await sql`select user_id from password_resets`, [])
})
