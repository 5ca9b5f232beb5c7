/** Requests above a limit cost others nothing: they are refused before the log is locked, and before texts are rendered. */

import t from 'tap'
import {
  DRAFTS_MAX,
  INVITATION_MAILS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  MAILED_INVITATIONS_MAX,
  REMINDERS_MAX,
  SCHEDULED_MESSAGES_MAX,
  SCHEDULED_TEXT_LENGTH_MAX,
} from '../../../server/domain/limits.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { holdLog } from '../../harness/worlds/hold-log.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const LATER = 4_000_000_000
const server = await startTestServer(t)
const { services } = server.node
const { sql } = services
const [owner, member] = [server.as('owner'), server.as('member')]
const draft = { type: '', to: [], topic: '', content: 'x' }
/** Rows with negative ids: those of no event. */
const fillDrafts = (count: number) => sql`
  insert into drafts (id, user_id, topic, content, edited_at)
  select -i, ${member.userId}, '', 'x', 1 from generate_series(1, ${count}::int) i`
const fillScheduled = (count: number, text: string, targetId: number | null = null) => sql`
  insert into scheduled_messages (id, user_id, topic, user_ids, content, rendered, deliver_at, is_read_by_sender, client,
    target_id, changed_id)
  select -i, ${member.userId}, '', array[${member.userId}::int], ${text}, ${text}, ${LATER}, false, '', ${targetId}, -i
  from generate_series(1, ${count}::int) i`
const fillMails = (userId: number, count: number) => sql`
  insert into mails (kind, recipient, user_id, due_at)
  select 'invitation', i || '@mailed.example', ${userId}, null from generate_series(1, ${count}::int) i`
const fillInvitations = (count: number) => sql`
  insert into invitations (id, email, inviter_id, role, channel_ids, group_ids, has_default_channels, invited_at)
  select -i, i || '@invited.example', ${member.userId}, 400, '{}', '{}', true, 1 from generate_series(1, ${count}::int) i`

/** Asks while another writer holds the log's lock: an answer that needs the lock would not arrive. */
async function askUnderLock(path: string, fields: Fields) {
  const release = await holdLog(sql)
  try {
    return await member.post(path, fields)
  } finally {
    await release()
  }
}

async function countRows(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select ((select count(*) from drafts) + (select count(*) from scheduled_messages)
      + (select count(*) from invitations) + (select count(*) from mails))::int as count`
  return row?.count ?? 0
}

t.afterEach(async () => {
  await sql`delete from drafts`
  await sql`delete from scheduled_messages`
  await sql`delete from invitations`
  await sql`delete from mails`
})

t.test('[REFUSE1] drafts above the limit are refused without the lock of the log', async (t) => {
  await fillDrafts(DRAFTS_MAX - 99)
  const before = await countRows()
  const refused = await askUnderLock('/drafts', { drafts: Array(100).fill(draft) })
  expectRefusal(t, refused, 'Too many drafts (maximum 1000).')
  t.equal(await countRows(), before)
  t.equal((await member.post('/drafts', { drafts: Array(99).fill(draft) })).status, 200)
})

t.test('[REFUSE2] invitations above a limit are refused without the lock of the log', async (t) => {
  const ask = (count: number) => {
    const emails = Array.from({ length: count }, (_, index) => `new${index}@example.com`)
    return askUnderLock('/invites', { invitee_emails: emails.join(), stream_ids: [] })
  }
  const daily =
    'Nobody was invited: too many invitations were sent by mail today. Use a link, or try again tomorrow.'
  const isDaily = { code: 'INVITATION_FAILED', errors: [], daily_limit_reached: true }
  const more = { sent_invitations: false, license_limit_reached: false }
  await fillMails(member.userId, INVITATION_MAILS_OF_USER_MAX - 99)
  expectRefusal(t, await ask(100), daily, { ...isDaily, ...more })
  await sql`delete from mails`
  await fillMails(owner.userId, INVITATION_MAILS_MAX - 99)
  expectRefusal(t, await ask(100), daily, { ...isDaily, ...more })
  t.equal(await countRows(), INVITATION_MAILS_MAX - 99)
  await sql`delete from mails`
  await fillInvitations(MAILED_INVITATIONS_MAX - 99)
  expectRefusal(t, await ask(100), 'Too many invitations (maximum 1000).')
  t.equal(await countRows(), MAILED_INVITATIONS_MAX - 99)
})

t.test(
  '[REFUSE3] scheduled messages and reminders above a limit are refused unrendered, without the lock',
  async (t) => {
    const target = await member.sendDirect([owner.userId], 'about this')
    const rendering = services as { renderMessage: typeof services.renderMessage }
    const { renderMessage } = rendering
    let renderedCount = 0
    rendering.renderMessage = (...args) => {
      renderedCount++
      return renderMessage(...args)
    }
    t.teardown(() => Object.assign(services, { renderMessage }))
    const schedule = {
      type: 'direct',
      to: [owner.userId],
      content: '*x*',
      scheduled_delivery_timestamp: LATER,
    }
    const remind = { message_id: target, scheduled_delivery_timestamp: LATER }
    const refusal = 'Too many scheduled messages (maximum 1000).'
    await fillScheduled(SCHEDULED_MESSAGES_MAX, 'x')
    expectRefusal(t, await askUnderLock('/scheduled_messages', schedule), refusal)
    await sql`delete from scheduled_messages`
    await fillScheduled(1, 'x'.repeat(SCHEDULED_TEXT_LENGTH_MAX / 2))
    expectRefusal(t, await askUnderLock('/scheduled_messages', schedule), refusal)
    await sql`delete from scheduled_messages`
    await fillScheduled(REMINDERS_MAX, 'x', target)
    expectRefusal(t, await askUnderLock('/reminders', remind), 'Too many reminders (maximum 1000).')
    t.equal(renderedCount, 0)
    await sql`delete from scheduled_messages where id > -2`
    await member.must('POST', '/reminders', remind)
    t.ok(renderedCount > 0, 'what fits is rendered')
  },
)

t.test('[REFUSE4] a text that fits only before it is rendered is refused without the lock', async (t) => {
  const content = '@**|1** '.repeat(100)
  await fillScheduled(1, 'x'.repeat((SCHEDULED_TEXT_LENGTH_MAX - content.length) / 2))
  const schedule = { type: 'direct', to: [owner.userId], content, scheduled_delivery_timestamp: LATER }
  const refused = await askUnderLock('/scheduled_messages', schedule)
  expectRefusal(t, refused, 'Too many scheduled messages (maximum 1000).')
  t.equal(await countRows(), 1)
})
