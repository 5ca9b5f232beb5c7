/** Entries of earlier releases are migrated: the log reads as if it were written now. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readLog } from '../../db/log/event-log.ts'
import type { LogEventType } from '../../server/domain/events.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { deactivateUser } from '../harness/worlds/account-changes.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

const server = await startTestServer(t)
const { committer, sql } = server.node.services
const owner = server.as('owner')

/** An entry in the form of an earlier release. */
type OldForm = (event: Record<string, unknown>) => Record<string, unknown>

/** All events as they are stored. */
const readStored = async () => (await sql`select event from event_log order by id`).map(({ event }) => event)

/** Reverts some types of entries, migrates them, and expects the original log. */
async function migrateAgain(t: Test, name: string, forms: Readonly<Record<string, OldForm>>) {
  const entries = await readLog(sql, 0 as EventId, 1_000)
  const stored = await readStored()
  const types = new Set<string>(entries.map(({ event }) => event.type))
  t.same(
    Object.keys(forms).filter((type) => !types.has(type)),
    [],
    'the log has all of them',
  )
  for (const { id, event } of entries) {
    const form = forms[event.type]
    if (form)
      await sql`update event_log set event = ${sql.json(form({ ...event }) as never)} where id = ${id}`
  }
  t.notSame(await readStored(), stored)
  t.same(await readLog(sql, 0 as EventId, 1_000), entries, 'old entries are read in the new form')
  await sql.unsafe(await readFile(join(import.meta.dirname, '../../db/migrations', name), 'utf8'))
  t.same(await readStored(), stored, 'and migrated to it')
}

await t.test('[OLD1] entries on channels that had flags are read as facts and notices', async (t) => {
  const [open, closed] = ['open', 'closed']
  await owner.subscribe([open])
  await owner.subscribe([closed], { invite_only: true })
  const ids = [...server.node.services.state.channels.keys()]
  const setting = JSON.stringify({ new: 2 })
  await owner.must('PATCH', `/streams/${ids[0]}`, { can_send_message_group: setting })
  await owner.must('PATCH', `/streams/${ids[1]}`, {
    is_private: false,
    can_administer_channel_group: JSON.stringify({ new: { direct_members: [1, 4], direct_subgroups: [] } }),
  })
  await owner.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: ids[0], property: 'is_muted', value: true }],
  })
  const id = await owner.send(open, 'topic', 'x')
  await owner.must('DELETE', `/messages/${id}`)
  await owner.must('POST', '/default_streams', { stream_id: ids[0] })
  await owner.must('PATCH', '/users/5', { role: 600 })
  await owner.must('DELETE', `/streams/${ids[1]}`)
  await owner.must('PATCH', `/streams/${ids[1]}`, { is_archived: false })
  await committer.submit(deactivateUser(4 as never))

  const withType =
    (type: LogEventType, more: object = {}): OldForm =>
    (event) => ({ ...event, type, ...more })
  await migrateAgain(t, '0034-notices-of-channels.sql', {
    'stream/create': withType('stream/create', { isNew: true }),
    'stream/reveal': withType('stream/create', { isNew: false }),
    'stream/update_shown': (event) => {
      const { kind } = event.change as { readonly kind: string }
      return { ...event, type: 'stream/update', ...(kind === 'permission' ? { isSightOnly: true } : {}) }
    },
    'default_streams/shown': withType('default_streams', { isSightOnly: true }),
    'subscription/reveal': withType('subscription/add', { userIds: [] }),
    'subscription/update_shown': withType('subscription/update'),
  })
})

await t.test('[OLD2] entries on users and groups that had flags are read as facts and notices', async (t) => {
  await owner.must('POST', '/users/4/reactivate')
  const named = JSON.stringify({ direct_members: [1, 4], direct_subgroups: [] })
  await owner.must('POST', '/user_groups/create', {
    name: 'crew',
    description: '',
    members: [1, 4],
    can_manage_group: named,
  })
  const groupId = Math.max(...server.node.services.state.groups.groups.keys())
  await committer.submit(deactivateUser(4 as never))
  await owner.must('POST', '/users/4/reactivate')
  await owner.must('POST', `/user_groups/${groupId}/deactivate`)
  await owner.must('PATCH', `/user_groups/${groupId}`, { deactivated: false })
  await owner.must('POST', '/users/me/status', { status_text: 'x' })
  await owner.must('PATCH', '/users/4', { full_name: 'Zoe Quinn' }) // Her drawn picture has other letters.
  await owner.must('PATCH', '/settings', { presence_enabled: false, email_address_visibility: 3 })

  const withType =
    (type: LogEventType, more: object = {}): OldForm =>
    (event) => ({ ...event, type, ...more })
  await migrateAgain(t, '0035-notices-of-users-and-groups.sql', {
    'user_group/show_members': withType('user_group/add_members', { isHidden: true }),
    'user_group/hide_members': withType('user_group/remove_members', { isHidden: true }),
    'user_group/update_shown': withType('user_group/update', { isSightOnly: true }),
    'user_group/add': withType('user_group/add', { isNew: true }),
    'user_group/reveal': withType('user_group/add', { isNew: false }),
    'user_status/shown': withType('user_status', { isSightOnly: true }),
    'realm_user/avatar_shown': withType('realm_user/avatar'),
  })
})
