/** The users with personal lists: from the log, and from the tables at a start. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { OWN_LISTS } from '../../server/domain/personal/own-lists.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { loadState } from '../../server/state/load-state.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import type { Named } from '../harness/client/wire-types.ts'

t.test('[OWNER1] a user with a list is known at once and after a restart; one without is not', async (t) => {
  const server = await startTestServer(t)
  const member = server.as('member')
  const { state } = server.node.services
  const hasNone = (userId: number) =>
    OWN_LISTS.filter((list) => !state.listOwners.has(list, userId as UserId))
  t.same(hasNone(member.userId), OWN_LISTS)
  const { id } = await member.must('POST', '/messages', {
    type: 'direct',
    to: [member.userId],
    content: 'note',
  })
  await member.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const draft = { type: 'private', to: [member.userId], topic: '', content: 'begun' }
  await member.must('POST', '/drafts', { drafts: [draft] })
  await member.must('POST', '/saved_snippets', { title: 'Greeting', content: 'Hello' })
  await member.must('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true })
  const later = Math.floor(Date.now() / 1000) + 86_400
  await member.must('POST', '/scheduled_messages', {
    type: 'direct',
    to: [member.userId],
    content: 'later',
    scheduled_delivery_timestamp: later,
  })
  await member.must('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later })
  await member.must('POST', '/register_client_device')
  t.same(hasNone(member.userId), [])
  t.same(hasNone(server.as('member2').userId), OWN_LISTS)
  const sql = connect(server.databaseUrl, 1, 'test')
  t.teardown(() => sql.end())
  const { listOwners } = await loadState(sql)
  for (const list of OWN_LISTS) {
    t.ok(listOwners.has(list, member.userId as UserId), list)
    t.notOk(listOwners.has(list, server.as('member2').userId as UserId), list)
  }
  const { state: registered } = await member.register({})
  const lists = [
    'starred_messages',
    'drafts',
    'saved_snippets',
    'navigation_views',
    'scheduled_messages',
    'reminders',
  ]
  for (const list of lists) t.equal(((registered as Named)[list] as readonly unknown[]).length, 1, list)
  t.equal(Object.keys(registered.devices).length, 1, 'devices')
})
