/** Requests above a limit cost others nothing: they are refused before the log is locked, and before texts are rendered. */

import t from 'tap'
import {
  DRAFTS_MAX,
  INVITATION_MAILS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  INVITATIONS_MAX,
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

/** The texts that are rendered while something runs. */
async function countRendered(run: () => Promise<void>): Promise<number> {
  const rendering = services as { -readonly [Name in 'render' | 'renderMessage']: (typeof services)[Name] }
  const { render, renderMessage } = rendering
  let renderedCount = 0
  rendering.render = (...args) => {
    renderedCount++
    return render(...args)
  }
  rendering.renderMessage = (...args) => {
    renderedCount++
    return renderMessage(...args)
  }
  try {
    await run()
    return renderedCount
  } finally {
    Object.assign(services, { render, renderMessage })
  }
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
    const schedule = {
      type: 'direct',
      to: [owner.userId],
      content: '*x*',
      scheduled_delivery_timestamp: LATER,
    }
    const remind = { message_id: target, scheduled_delivery_timestamp: LATER }
    const refusal = 'Too many scheduled messages (maximum 1000).'
    const refuse = async () => {
      await fillScheduled(SCHEDULED_MESSAGES_MAX, 'x')
      expectRefusal(t, await askUnderLock('/scheduled_messages', schedule), refusal)
      await sql`delete from scheduled_messages`
      await fillScheduled(1, 'x'.repeat(SCHEDULED_TEXT_LENGTH_MAX / 2))
      expectRefusal(t, await askUnderLock('/scheduled_messages', schedule), refusal)
      await sql`delete from scheduled_messages`
      await fillScheduled(REMINDERS_MAX, 'x', target)
      expectRefusal(t, await askUnderLock('/reminders', remind), 'Too many reminders (maximum 1000).')
    }
    t.equal(await countRendered(refuse), 0)
    await sql`delete from scheduled_messages where id > -2`
    const remindNow = async () => void (await member.must('POST', '/reminders', remind))
    t.ok((await countRendered(remindNow)) > 0, 'what fits is rendered')
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

t.test(
  '[REFUSE5] an edit of a scheduled message above the limit of texts is refused unrendered',
  async (t) => {
    const schedule = {
      type: 'direct',
      to: [owner.userId],
      content: 'short',
      scheduled_delivery_timestamp: LATER,
    }
    const { scheduled_message_id: id } = await member.must('POST', '/scheduled_messages', schedule)
    const path = `/scheduled_messages/${String(id)}`
    const refusal = 'Too many scheduled messages (maximum 1000).'
    const content = '@**|1** '.repeat(100)
    await fillScheduled(1, 'x'.repeat((SCHEDULED_TEXT_LENGTH_MAX - content.length) / 2 + 1))
    const rendered = await countRendered(async () => {
      expectRefusal(t, await member.patch(path, { content }), refusal)
    })
    t.equal(rendered, 0)
    await sql`delete from scheduled_messages where id = -1`
    await fillScheduled(1, 'x'.repeat((SCHEDULED_TEXT_LENGTH_MAX - content.length) / 2))
    const release = await holdLog(sql)
    expectRefusal(t, await member.patch(path, { content }), refusal)
    await release()
    await member.must('PATCH', path, { content: 'a little longer' })
  },
)

t.test('[REFUSE6] a description or a profile that the caller may not change is not rendered', async (t) => {
  const { id: channelId } = await owner.must('POST', '/channels/create', { name: 'owned', subscribers: [] })
  const { channel_folder_id: folderId } = await owner.must('POST', '/channel_folders/create', {
    name: 'first',
  })
  const field = { field_type: 2, name: 'Biography' }
  const { id: fieldId } = await owner.must('POST', '/realm/profile_fields', field)
  const description = '*x*'
  const guest = server.as('guest')
  const requests = [
    () => guest.post('/channels/create', { name: 'new', description, subscribers: [] }),
    () => member.patch(`/streams/${String(channelId)}`, { description }),
    () => member.post('/channel_folders/create', { name: 'new', description }),
    () => member.patch(`/channel_folders/${String(folderId)}`, { description }),
    () => member.patch('/realm', { description }),
    () =>
      member.patch(`/users/${owner.userId}`, { profile_data: [{ id: Number(fieldId), value: description }] }),
  ]
  for (const ask of requests) {
    const rendered = await countRendered(async () => {
      const { status, body } = await ask()
      t.match({ status, result: body.result }, { status: 400, result: 'error' })
    })
    t.equal(rendered, 0)
  }
})

t.test('[REFUSE7] invitations by mail do not count towards the limit of links', async (t) => {
  await sql`
    insert into invitations (id, email, inviter_id, role, channel_ids, group_ids, has_default_channels, invited_at)
    select -i, i || '@invited.example', ${owner.userId}, 400, '{}', '{}', true, 1
    from generate_series(1, ${INVITATIONS_MAX}::int) i`
  t.equal((await owner.post('/invites/multiuse', {})).status, 200)
})
