/** Mails that become messages: answers to mails, and mails to channels. */

import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { PassThrough } from 'node:stream'
import { createTransport } from 'nodemailer'
import type { SMTPServerDataStream } from 'smtp-server'
import t from 'tap'
import { endMailedLinks } from '../../db/mail/mailed-links.ts'
import { readConfig } from '../../server/config.ts'
import { collectMail, MAIL_BYTES_MAX } from '../../workers/jobs/mail-in/collect-mail.ts'
import { CountedNetworks } from '../../workers/jobs/mail-in/counted-networks.ts'
import { MailInFigures } from '../../workers/jobs/mail-in/mail-in-figures.ts'
import { openDoor } from '../../workers/jobs/mail-in/open-door.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { FOR_ADDRESSES, writeText } from '../harness/databases/certificates.ts'
import { addUser, deactivate } from '../harness/worlds/add-user.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { fetchFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'

const ADDRESS = 'parley+%s@chat.example.com'
const mailServer = await startMailServer(t)
const server = await startTestServer(t, {
  env: { ...mailServer.env, MAIL_IN_ADDRESS: ADDRESS, MAIL_IN_PORT: '0', MAX_FILE_UPLOAD_SIZE: '1' },
  redis: true,
})
const { sql, state } = server.node.services
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['general', 'other'], { principals: [owner.userId, member.userId] })
const channelId = state.findChannelByName('general')?.channel.id ?? 0
await member.must('PATCH', '/settings', {
  enable_offline_email_notifications: true,
  email_notifications_batching_period_seconds: 0,
})
await owner.must('PATCH', '/realm', { message_content_allowed_in_email_notifications: true })
const { ports } = await startMailWorkers(t, server)
const mailboxes = openMailboxes(mailServer, server)

/** A mail for the door. */
interface Sent {
  readonly to: string
  readonly from?: string
  /** Another address in the envelope. */
  readonly envelopeFrom?: string
  readonly subject?: string
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly messageId?: string
  readonly attachments?: readonly { filename: string; content: string | Buffer }[]
}

/** Hands a mail to a door; rejects with the answer's code. */
async function deliver(
  { to, from = emailOf('member'), envelopeFrom = from, ...mail }: Sent,
  door = 0,
): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: ports[door] ?? 0, ignoreTLS: true })
  const envelope = { from: envelopeFrom, to }
  await transport.sendMail({ subject: 'Re: x', ...mail, from, to, envelope } as Parameters<
    typeof transport.sendMail
  >[0])
}
const refusalOf = async (mail: Sent) => {
  try {
    await deliver(mail)
    return undefined
  } catch (error) {
    const { responseCode, response } = error as { responseCode?: number; response?: string }
    return { code: responseCode, text: response }
  }
}
/** Resolves once no mail waits, and the web process has the messages of those before. */
const done = async () => {
  await pollUntil('no mail waits', async () => {
    return (await sql`select from received_mails where due_at is not null`).length === 0
  })
  const [row] = await sql<{ id: number }[]>`select max(id) as id from event_log`
  await pollUntil('the messages are there', () => state.appliedId >= (row?.id ?? 0))
}

/** The address for answers to the mail about a new message to the member. */
async function replyAddress(send: () => Promise<unknown>): Promise<string> {
  mailServer.received.splice(0)
  await send()
  await pollUntil('the mail is there', () => mailServer.to(emailOf('member')).length > 0)
  await mailboxes.settle()
  const address = mailServer.to(emailOf('member')).at(-1)?.replyTo?.[0]?.address ?? ''
  mailServer.received.splice(0)
  return address
}
const named = `@**The member|${member.userId}**`
const newest = async (person = owner) =>
  (
    await person.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    })
  ).messages[0]
const count = async () => (await sql`select count(*)::int as count from messages`)[0]?.['count']

t.test('[MAILIN1] an answer to a mail becomes one message of its reader, in the conversation', async (t) => {
  const address = await replyAddress(() => owner.send('general', 'lunch', `${named} when?`))
  t.match(address, /^parley\+[0-9a-f]{32}@chat\.example\.com$/)
  const before = await count()
  const mail = {
    to: address.toUpperCase(),
    messageId: '<one@mail.example>',
    text: `At **noon**.\n\nOn Mon, Nov 23, 2026 at 10:00 AM Team chat <chat@example.com> wrote:\n> when?\n`,
    attachments: [
      { filename: 'menu.txt', content: 'soup' },
      { filename: 'plan.txt', content: 'bread' },
    ],
  }
  await Promise.all([deliver(mail), deliver(mail, 1)])
  await done()
  await deliver(mail)
  await done()
  t.equal(await count(), before + 1, 'three deliveries are one message')
  const message = await newest()
  t.match(message, {
    sender_id: member.userId,
    subject: 'lunch',
    display_recipient: 'general',
    client: 'Email',
  })
  const [, first = ''] =
    /^At \*\*noon\*\*\.\n\n\[menu\.txt\]\((.*)\)\n\[plan\.txt\]\(.*\)$/.exec(message?.content ?? '') ?? []
  t.equal((await fetchFile(owner, first)).bytes.toString(), 'soup')
  const { attachments } = await member.must('GET', '/attachments')
  t.same(
    attachments.map(({ name, messages }) => [name, messages.length]),
    [
      ['plan.txt', 1],
      ['menu.txt', 1],
    ],
  )
  await owner.must('PATCH', `/messages/${message?.id}`, { topic: 'supper', propagate_mode: 'change_all' })
  await deliver({ to: address, text: 'Or later' })
  await done()
  t.match(await newest(), { content: 'Or later', subject: 'supper' }, 'an answer follows its topic')

  const direct = await replyAddress(() => owner.sendDirect([member.userId], 'psst'))
  await deliver({ to: direct, text: 'yes?', messageId: '<0b9c5a38-6f0f-4b1e-9c1e-2f8a4f0f6d11@example.com>' })
  await done()
  t.match(await newest(), { content: 'yes?', type: 'private', sender_id: member.userId })
})

t.test(
  '[MAILIN2] an address that nobody made, that has ended or that may not be used is unknown',
  async (t) => {
    const address = await replyAddress(() => owner.sendDirect([member.userId], 'a token'))
    const { email } = await member.must('GET', `/streams/${channelId}/email_address`)
    const wrong = (text: string) => text.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0'))
    const gone = await addUser(server, 'gone')
    await gone.subscribe(['general'])
    const { email: ofGone } = await gone.must('GET', `/streams/${channelId}/email_address`)
    await deactivate(server, gone.userId)
    await sql`insert into reply_tokens (token_hash, user_id, email, message_id, expires_at)
    select encode(sha256('00000000000000000000000000000000'), 'hex'), user_id, email, message_id, now()
    from reply_tokens limit 1`
    const others = [
      wrong(address),
      wrong(email),
      ofGone,
      ADDRESS.replace('%s', '0'.repeat(32)),
      ADDRESS.replace('%s', ''),
      ADDRESS.replace('%s', email.slice(7, 20)),
      address.replace('chat.example.com', 'example.com'),
      'postmaster@chat.example.com',
    ]
    const answers = await Promise.all(others.map((to) => refusalOf({ to, text: 'x' })))
    t.same(
      new Set(answers.map((one) => JSON.stringify(one))),
      new Set(['{"code":550,"text":"550 5.1.1 There is no such address"}']),
    )
    t.equal(await refusalOf({ to: address, text: 'x' }), undefined)
    const ended = await replyAddress(() => owner.sendDirect([member.userId], 'another token'))
    await endMailedLinks(sql)
    t.match(await refusalOf({ to: ended, text: 'x' }), { code: 550 }, 'the operator ended all')
    const moved = await replyAddress(() => owner.sendDirect([member.userId], 'a third token'))
    await sql`update reply_tokens set email = 'former@example.com'`
    t.match(await refusalOf({ to: moved, text: 'x' }), { code: 550 }, 'the account has another address')
    const leaving = await addUser(server, 'leaving')
    await sql`update reply_tokens set user_id = ${leaving.userId}`
    await deactivate(server, leaving.userId)
    t.equal((await sql`select from reply_tokens`).length, 0, 'a deactivation ends them')
    await done()
  },
)

t.test(
  '[MAILIN3] a mail that cannot be posted is answered once, to the account and to nobody else',
  async (t) => {
    const address = await replyAddress(() => owner.send('other', 'plans', `${named} hm`))
    const before = await count()
    const problems: readonly (readonly [Partial<Sent>, string])[] = [
      [
        { from: 'stranger@example.com', text: 'me, too' },
        'It did not come from the address of your account.',
      ],
      [{ text: '> hm\n' }, 'It has no text of its own, and no file.'],
      [{ text: 'x'.repeat(10_001) }, 'It is longer than 10,000 characters.'],
      [
        { text: 'x', attachments: [{ filename: 'a', content: Buffer.alloc(2 * 1024 * 1024) }] },
        'larger than 1 MiB.',
      ],
    ]
    for (const [mail, reason] of problems) {
      await deliver({ to: address, ...mail })
      await done()
      await mailboxes.settle()
      const mails = mailServer.received.splice(0)
      t.same(
        mails.map(({ recipient }) => recipient),
        [emailOf('member')],
        reason,
      )
      t.match(mails[0], { subject: 'Your email was not posted', replyTo: undefined })
      t.ok(mails[0]?.text?.includes(reason), reason)
      t.match(mails[0]?.raw, /^Auto-Submitted: auto-generated/m)
    }
    await member.must('PATCH', '/settings', { default_language: 'de' })
    await deliver({ to: address, text: '> hm\n' })
    await done()
    await mailboxes.settle()
    const [german] = mailServer.received.splice(0)
    t.equal(german?.subject, 'Deine E-Mail wurde nicht veröffentlicht')
    t.match(german?.text, 'Sie hat keinen eigenen Text und keine Datei.')
    await member.must('PATCH', '/settings', { default_language: 'en' })
    await owner.must('DELETE', '/users/me/subscriptions', {
      subscriptions: ['other'],
      principals: [member.userId],
    })
    const other = state.findChannelByName('other')?.channel.id ?? 0
    await owner.must('PATCH', `/streams/${other}`, { is_private: true })
    await deliver({ to: address, text: 'still here' })
    await done()
    await mailboxes.settle()
    t.match(mailServer.received[0]?.text, /you can no longer read it/)
    t.equal(await count(), before)
  },
)

t.test('[MAILIN4] bounces, answers of programs and own mails are dropped without a word', async (t) => {
  mailServer.received.splice(0)
  const address = await replyAddress(() => owner.sendDirect([member.userId], 'loop'))
  const { email } = await member.must('GET', `/streams/${channelId}/email_address`)
  const before = await count()
  const [own] = await sql<{ id: string }[]>`select id from mails order by asked_at desc limit 1`
  const text = 'I am away'
  for (const to of [address, email]) {
    await deliver({ to, text, envelopeFrom: '' })
    await deliver({ to, text, headers: { 'Auto-Submitted': 'auto-replied' } })
    await deliver({ to, text, headers: { 'X-Autoreply': 'yes' } })
    await deliver({ to, text, messageId: `<${own?.id}@example.com>` })
  }
  await deliver({ to: address, text, headers: { Precedence: 'bulk' } })
  await deliver({ to: address, text, headers: { 'List-Id': '<l.example.com>' } })
  await done()
  await mailboxes.settle()
  t.equal(await count(), before)
  t.same(mailServer.received, [])
})

t.test(
  '[MAILIN5] a mail to a channel is posted by the bot of the server, and notifies nobody by name',
  async (t) => {
    const { email } = await member.must('GET', `/streams/${channelId}/email_address`)
    t.equal(
      (await member.must('GET', `/streams/${channelId}/email_address`)).email,
      email,
      'the same each time',
    )
    t.not(
      (await owner.must('GET', `/streams/${channelId}/email_address`)).email,
      email,
      'each user has another',
    )
    const from = 'stranger@else.example'
    await deliver({
      to: email,
      from: `"A [*bold*] name" <${from}>`,
      envelopeFrom: from,
      subject: 'Re: Fwd: The build is broken',
      text: `${named} and @**all** and @*moderators* look`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: [{ filename: 'log.txt', content: 'red' }],
    })
    await done()
    const message = await newest()
    t.match(message, { subject: 'The build is broken', sender_full_name: 'Notification Bot', flags: [] })
    t.match(message?.content, /^\*\*From:\*\* A bold name \(`stranger@else\.example`\)\n\n@_\*\*The member/)
    const [mention] = await sql`select from mentions where message_id = ${message?.id ?? 0}`
    t.equal(mention, undefined)
    t.match(message?.content, /\[log\.txt\]\(\/user_uploads\/.*\)$/)
    await deliver({ to: email, from, subject: '', text: 'y'.repeat(20_000) })
    await done()
    const long = await newest()
    t.equal(long?.content.length, 10_000)
    t.match(long, { subject: 'Email without subject', content: /\(the email goes on\)$/ })
  },
)

t.test('[MAILIN6] a channel address has the rights of the user who asked for it, at that time', async (t) => {
  await owner.subscribe(['board'], { principals: [owner.userId, member.userId] })
  const board = state.findChannelByName('board')?.channel.id ?? 0
  const ask = async (sender_id: number) =>
    (await member.must('GET', `/streams/${board}/email_address`, { sender_id })).email
  const [own, ofBot] = [await ask(member.userId), await ask(7)]
  await deliver({ to: own, subject: 'mine', text: 'as myself' })
  await done()
  t.match(await newest(), { sender_id: member.userId, content: 'as myself', subject: 'mine' })
  await deliver({ to: ofBot, from: 'cron@else.example', subject: 'news', text: 'as my bot' })
  await done()
  t.match(await newest(), { sender_id: 7, content: 'as my bot' })
  mailServer.received.splice(0)
  await deliver({ to: own, from: 'stranger@else.example', subject: 'mine', text: 'as you' })
  await done()
  await mailboxes.settle()
  t.match(mailServer.received, [{ recipient: emailOf('member'), text: /in whose name it would be posted/ }])
  t.match(await newest(), { content: 'as my bot' })
  const { email } = await member.must('GET', `/streams/${board}/email_address`)
  await owner.must('PATCH', `/streams/${board}`, { can_send_message_group: { new: 2 } })
  for (const to of [own, ofBot, email]) t.match(await refusalOf({ to, text: 'x' }), { code: 550 })
})

t.test('[MAILIN7] a mail is accepted once it is stored, and is tried again until then', async (t) => {
  const address = await replyAddress(() => owner.sendDirect([member.userId], 'storing'))
  await sql`create function refuse_mails() returns trigger language plpgsql as $$
    begin raise exception 'the disk is full'; end $$`
  await sql`create trigger refuse before insert on received_mails execute function refuse_mails()`
  const mail = { to: address, text: 'kept', messageId: '<kept@mail.example>' }
  t.match(await refusalOf(mail), { code: 451, text: '451 4.3.0 Please try again later' })
  await sql`drop trigger refuse on received_mails`
  t.equal(await refusalOf(mail), undefined)
  await done()
  t.match(await newest(), { content: 'kept' })
})

t.test('[MAILIN8] a worker that ends between the message and its note posts nothing twice', async (t) => {
  const address = await replyAddress(() => owner.sendDirect([member.userId], 'twice?'))
  const [before, files] = [await count(), (await member.must('GET', '/attachments')).attachments.length]
  await sql`create function refuse_notes() returns trigger language plpgsql as $$
    begin if new.due_at is null then raise exception 'the worker ends'; end if; return new; end $$`
  await sql`create trigger refuse before update on received_mails for each row execute function refuse_notes()`
  await deliver({ to: address, text: 'once', attachments: [{ filename: 'a.txt', content: 'a' }] })
  await pollUntil('it is posted and waits again', async () => {
    return (
      (
        await sql`select from received_mails where tries = 1 and due_at > now() + interval '1 second'
      and due_at < now() + interval '1 minute'`
      ).length === 1
    )
  })
  t.equal(await count(), before + 1)
  await sql`drop trigger refuse on received_mails`
  await sql`update received_mails set due_at = now() where due_at is not null`
  await sql`select pg_notify('parley_received', '')`
  await done()
  t.equal(await count(), before + 1)
  t.equal((await member.must('GET', '/attachments')).attachments.length, files + 1)
  t.match(await newest(), { content: /^once\n\n\[a\.txt\]/ })
})

t.test('[MAILIN9] an address gets 60 mails in an hour, and the mails that wait are bounded', async (t) => {
  const address = await replyAddress(() => owner.sendDirect([member.userId], 'many'))
  await deliver({ to: address, text: 'the first' })
  await done()
  await sql`insert into received_mails (mark, recipient, envelope_from, size, due_at)
    select 'mark ' || i, recipient, '', 1, null
    from generate_series(1, 59) i, (select recipient from received_mails order by received_at desc limit 1) r`
  t.match(await refusalOf({ to: address, text: 'x' }), { code: 450, text: /^450 4\.7\.1 / })
  await sql`delete from received_mails where mark like 'mark %'`
  await sql`insert into received_mails (mark, recipient, envelope_from, size, due_at)
    values ('mark', '', '', 999999999, now() + interval '1 hour')`
  t.match(await refusalOf({ to: address, text: 'x' }), { code: 452, text: /^452 4\.3\.1 / })
  await sql`delete from received_mails where mark = 'mark'`
  t.equal(await refusalOf({ to: address, text: 'x' }), undefined)
  await done()
  await sql`update received_mails set received_at = now() - interval '9 days'`
  await sql`update reply_tokens set expires_at = now() - interval '1 second'`
  await cleanUp(sql, new Date())
  t.equal((await sql`select from received_mails`).length + (await sql`select from reply_tokens`).length, 0)
})

t.test('[MAILIN10] the door has no log-in, takes one recipient at a time, and bounds mails', async (t) => {
  const { email } = await member.must('GET', `/streams/${channelId}/email_address`)
  const socket = connectTcp(ports[0] ?? 0, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let said = ''
  socket.on('data', (data) => {
    said += data.toString()
  })
  const until = (text: string) => pollUntil(text, () => said.includes(text))
  await until('220 ') // Clients that talk sooner are cut off.
  socket.write('EHLO x\r\n')
  await until(`250 SIZE ${MAIL_BYTES_MAX}`)
  t.notMatch(said, /AUTH|STARTTLS/)
  socket.write('AUTH PLAIN\r\n')
  await until('\r\n500 ')
  socket.write(`MAIL FROM:<a@x.example> SIZE=${MAIL_BYTES_MAX + 1}\r\n`)
  await until('\r\n552 ')
  socket.write(`MAIL FROM:<a@x.example>\r\nRCPT TO:<${email}>\r\n`)
  await until('250 Accepted')
  socket.write(`RCPT TO:<${email}>\r\nDATA\r\n`)
  await until('452 4.5.3 One recipient')
  await until('\r\n354 ')
  const chunk = Buffer.from(`${'x'.repeat(1_022)}\r\n`.repeat(1_024))
  for (let sent = 0; sent <= MAIL_BYTES_MAX; sent += chunk.length)
    if (!socket.write(chunk)) await once(socket, 'drain')
  socket.write('\r\n.\r\n')
  await until('552 5.3.4 The mail is larger than')
  t.equal((await sql`select from received_mails`).length, 0)
})

t.test('[MAILIN11] mails that arrive at the same time share a room in memory', async (t) => {
  const collect = (text: string, bytes: number) => {
    const stream = new PassThrough()
    stream.end(text)
    const arriving = { bytes }
    return collectMail(stream as unknown as SMTPServerDataStream, arriving, () => {}).then((raw) => ({
      raw,
      arriving,
    }))
  }
  t.match(await collect('mail', 0), { raw: Buffer.from('mail'), arriving: { bytes: 4 } })
  t.match(await collect('mail', 100 * 1024 * 1024 - 3), {
    raw: 'full',
    arriving: { bytes: 100 * 1024 * 1024 - 3 },
  })
  const networks = new CountedNetworks(() => 60_000)
  const from = (remoteAddress: string) => (id: number) =>
    networks.enter({ id: `${remoteAddress} ${id}`, remoteAddress })
  const ids = Array.from({ length: 11 }, (_, id) => id)
  t.same(ids.map(from('192.0.2.1')), [...ids.slice(1).map(() => true), false])
  t.ok(from('192.0.2.2')(1) && ids.map(from('127.0.0.1')).every(Boolean))
  networks.leave({ id: '192.0.2.1 0', remoteAddress: '192.0.2.1' })
  t.ok(from('192.0.2.1')(12))
  const names = Array.from({ length: 121 }, () => networks.mayName({ id: '', remoteAddress: '2001:db8::1' }))
  t.same([names[119], names[120]], [true, false])
  t.notOk(networks.mayName({ id: '', remoteAddress: '2001:db8::2' }), 'a network, not an address')
})

t.test('[MAILIN12] with a certificate the door offers TLS, and its settings are checked', async (t) => {
  const certificateFile = await writeText(t, FOR_ADDRESSES.cert)
  const keyFile = await writeText(t, FOR_ADDRESSES.key)
  const marks: string[] = []
  const figures = new MailInFigures()
  const door = await openDoor({
    door: { host: '127.0.0.1', port: 0, tls: { certificateFile, keyFile } },
    figures,
    findKey: async () => 'key',
    store: async ({ mark }) => (marks.push(mark) > 1 ? 'repeated' : 'stored'),
    nowMs: Date.now,
    onError: (error) => t.fail(String(error)),
  })
  t.teardown(() => door.close())
  const transport = createTransport({
    host: '127.0.0.1',
    port: door.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  })
  for (const messageId of ['<a@x.example>', '<a@x.example>', '<b@x.example>'])
    await transport.sendMail({ messageId, from: 'a@x.example', to: 'b@x.example', text: 'secret' })
  t.equal(marks.length, 3)
  t.equal(new Set(marks).size, 2)
  t.match(figures.answers, { stored: 1, repeated: 2 })
  t.match(readConfig({ MAIL_IN_ADDRESS: 'A+%s@Chat.example', MAIL_IN_PORT: '25' }), {
    mailInPattern: { before: 'a+', after: '@chat.example' },
    mailInDoor: { host: '127.0.0.1', port: 25, tls: undefined },
  })
  t.equal(readConfig({ MAIL_IN_ADDRESS: ADDRESS }).mailInDoor, undefined)
  for (const address of [
    'x@y.example',
    '%s%s@y.example',
    'x@%s.example',
    '%s',
    'a-very-long-one+%s@y.example',
  ])
    t.throws(() => readConfig({ MAIL_IN_ADDRESS: address }), { message: /^MAIL_IN_ADDRESS must be/ }, address)
  t.throws(() => readConfig({ MAIL_IN_PORT: '25' }), { message: 'MAIL_IN_PORT needs MAIL_IN_ADDRESS' })
  t.throws(() => readConfig({ MAIL_IN_ADDRESS: ADDRESS, MAIL_IN_KEY: 'k' }), {
    message: /must be set together$/,
  })
})
