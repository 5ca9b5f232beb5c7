/** Statements of the documents that no test of an operation covers. */

import t from 'tap'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { applyFrozen } from '../../harness/states/apply-frozen.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const member = server.as('member')
const UNKNOWN = { status: 404, code: 'NOT_FOUND' }

t.test('[AUDIT4] the path of a navigation view accepts plain and escaped slashes', async (t) => {
  const fragment = 'narrow/is/mentioned'
  await member.must('POST', '/navigation_views', { fragment, is_pinned: true })
  await member.must('PATCH', `/navigation_views/${fragment}`, { is_pinned: false })
  t.same((await member.must('GET', '/navigation_views')).navigation_views, [
    { fragment, is_pinned: false, name: null },
  ])
  await member.must('PATCH', '/navigation_views/narrow%2Fis/mentioned', { is_pinned: true })
  expectRefusal(
    t,
    await member.patch('/navigation_views/narrow/is', { is_pinned: true }),
    'Navigation view does not exist.',
    UNKNOWN,
  )
  expectRefusal(
    t,
    await member.patch('/navigation_views/narrow/is/%', { is_pinned: true }),
    'No such endpoint',
    UNKNOWN,
  )
  await member.must('DELETE', `/navigation_views/${fragment}`)
  t.same((await member.must('GET', '/navigation_views')).navigation_views, [])
})

t.test(
  '[AUDIT5] clients with the capability get one custom emoji in an event, others the whole list',
  async (t) => {
    const register = (individual_emoji_changes: boolean) =>
      member.register({ event_types: ['realm_emoji'], client_capabilities: { individual_emoji_changes } })
    const [each, all] = [await register(true), await register(false)]
    for (const name of ['rocket_one', 'rocket_two'])
      await mustUpload(member, `/realm/emoji/${name}`, await drawImage('red'))
    await member.must('DELETE', '/realm/emoji/rocket_one')
    const { emoji } = await member.must('GET', '/realm/emoji')
    const events = await member.events(each)
    t.strictSame(withoutIds(events), [
      { type: 'realm_emoji', op: 'add', emoji: { ...emoji['1'], deactivated: false } },
      { type: 'realm_emoji', op: 'add', emoji: emoji['2'] },
      { type: 'realm_emoji', op: 'update_one', emoji_id: '1', data: { deactivated: true } },
    ])
    const state = applyFrozen(each.state, events)
    t.strictSame(state.realm_emoji, emoji, 'both are equal')
    const received = await member.events(all)
    t.same(
      received.map(({ op }) => op),
      ['update', 'update', 'update'],
    )
    t.strictSame(received.at(-1)?.realm_emoji, emoji)
  },
)

t.test('[AUDIT6] registration lists the types of message reports', async (t) => {
  const { server_report_message_types: types } = (await member.register({ event_types: ['realm'] })).state
  t.same(
    types.map(({ key }: { key: string }) => key),
    ['spam', 'harassment', 'inappropriate', 'norms', 'other'],
  )
  for (const { name } of types) t.match(name, /^[A-Z]/)
})

t.test('[AUDIT7] anything but the id of an upload of the caller is an invalid attachment', async (t) => {
  for (const id of ['0', '999', '-1', '99999999999999999999', 'first', '1.5', 'null', '%7B%7D'])
    expectRefusal(t, await member.delete(`/attachments/${id}`), 'Invalid attachment')
})
