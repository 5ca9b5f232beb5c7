/** The rooms of mails: a flood of one kind stops no other, and requests for nobody stop nothing. */

import t from 'tap'
import { type MailKind, removeSurplusMails, SETTLED_MAX } from '../../db/mail/mails.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const ROOM = 20_000

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env })
const { sql } = server.node.services
const ask = async (email: string) => {
  const body = new URLSearchParams({ email })
  const { status } = await fetch(`${server.node.url}/accounts/password/reset/`, { method: 'POST', body })
  t.equal(status, 200)
}
const invite = (email: string) =>
  server.as('member').post('/invites', { invitee_emails: email, stream_ids: [] })
const countTo = async (recipient: string) =>
  (await sql`select from mails where recipient = ${recipient}`).length
/** Mails of strangers to as many addresses, the last one just now. */
const flood = (kind: MailKind, count: number, isWaiting: boolean) => sql`
  insert into mails (kind, recipient, asked_at, due_at)
  select ${kind}, 'stranger' || i || '@example.com', now() - i * interval '1 millisecond', ${isWaiting ? sql`now()` : null}
  from generate_series(1, ${count}::int) i`

t.afterEach(() => sql`delete from mails`)

await t.test('[MAIL11] mails of one kind that wait take no room from mails of another', async (t) => {
  await flood('password_reset', ROOM, true)
  t.equal((await invite('invited@example.com')).status, 200)
  await ask(emailOf('member'))
  t.equal(await countTo(emailOf('member')), 0, 'there is no room for one more')
  await sql`delete from mails`
  await flood('join', ROOM, true)
  await ask(emailOf('member'))
  t.equal(await countTo(emailOf('member')), 1)
})

await t.test('[MAIL12] mails that are done take no room', async (t) => {
  await flood('password_reset', ROOM, false)
  await ask(emailOf('member'))
  t.equal(await countTo(emailOf('member')), 1)
})

await t.test(
  '[MAIL13] of the mails that are done and still count, the oldest go above a limit',
  async (t) => {
    await flood('password_reset', SETTLED_MAX + 5, false)
    await flood('join', SETTLED_MAX, false)
    await ask('nobody@example.com')
    await startMailWorkers(t, server, 1)
    const countOf = async (kind: string) => {
      const [row] = await sql<
        [{ count: number }]
      >`select count(*)::int as count from mails where kind = ${kind}`
      return row.count
    }
    let left = 0
    const surplusGoes = () =>
      pollUntil(
        () => `the surplus is gone, and ${left} are left`,
        async () => (left = await countOf('password_reset')) === SETTLED_MAX,
        () => left,
      )
    await surplusGoes()
    t.equal(await countOf('join'), SETTLED_MAX)
    t.equal(await countTo('nobody@example.com'), 1, 'the newest ones stay')
    t.equal(await countTo('stranger1@example.com'), 2)
    t.equal(await countTo(`stranger${SETTLED_MAX + 5}@example.com`), 0)
    await flood('password_reset', 5, false)
    await startMailWorkers(t, server, 1)
    await surplusGoes() // A sweep finds what a worker left that ended after its last mail.
  },
)

await t.test(
  '[MAIL14] the oldest go also while the statistics of the database say that there are none',
  async (t) => {
    await flood('password_reset', SETTLED_MAX + 5, false)
    await sql`delete from mails`
    await sql`analyze mails`
    await flood('password_reset', SETTLED_MAX + 5, false)
    // By statistics of an empty table, finding the oldest may be planned once for each mail, which takes minutes.
    await removeSurplusMails(sql, 'password_reset')
    t.equal((await sql`select from mails`).length, SETTLED_MAX)
  },
)
