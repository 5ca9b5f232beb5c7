import t from 'tap'
import type { UserId } from '../../server/domain/ids.ts'
import type { OrganizationPermissions } from '../../server/domain/permissions.ts'
import { SYSTEM_GROUPS } from '../../server/domain/system-groups.ts'
import { findResolution } from '../../server/domain/topics.ts'
import { commitEvents } from '../harness/commit-events.ts'
import { expectConsistent } from '../harness/expect-consistent.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { ManualClock } from '../harness/manual-clock.ts'
import { setUpChannel } from '../harness/set-up-channel.ts'
import { type Person, startTestServer } from '../harness/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })

const rename = (person: Person, id: number, topic: string) =>
  server.as(person).patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' })
const permit = (permissions: Partial<OrganizationPermissions>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { permissions } }])
const read = async () =>
  (
    await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      narrow: [['channel', 'town']],
      apply_markdown: false,
    })
  ).messages
const ALLOWED = SYSTEM_GROUPS.everyone
const NOBODY = SYSTEM_GROUPS.nobody
const FORBIDDEN = 'You do not have permission to resolve topics in this channel.'

t.test('[RESOLVE1] a topic is resolved by a mark before its name, and told so in it', async (t) => {
  const ids = [await owner.send('town', 'help', 'one'), await owner.send('town', 'help', 'two')]
  const told = await expectConsistent(server, async () => {
    t.equal((await rename('member', ids[0] as number, '✔ help')).status, 200)
  })
  const [update] = told.guest as any[]
  t.match(update, { type: 'update_message', message_ids: ids, orig_subject: 'help', subject: '✔ help' })
  const notice = { type: 'message', message: { subject: '✔ help', sender_full_name: 'Notification Bot' } }
  t.match(told.guest?.at(-1), { ...notice, flags: [] })
  t.match(told.member?.at(-1), { type: 'message', flags: ['read'] })
  const messages = await read()
  t.equal(messages.at(-1).content, '@_**The member|4** has marked this topic as resolved.')
  // That is no move to readers.
  t.notOk('last_moved_timestamp' in messages[0])
  t.match(messages[0].edit_history, [{ prev_topic: 'help', topic: '✔ help' }])
  t.equal((await rename('member', ids[0] as number, 'help')).status, 200)
  const after = await read()
  t.equal(after.at(-1).content, '@_**The member|4** has marked this topic as unresolved.')
  t.same([...new Set(after.map(({ subject }: any) => subject))], ['help'])
  t.notOk('last_moved_timestamp' in after[0])
  t.equal((await rename('member', ids[0] as number, 'other')).status, 200)
  t.type((await read())[0].last_moved_timestamp, 'number')
})

t.test('[RESOLVE2] it takes a permission of its own, of the organization or the channel', async (t) => {
  const id = await owner.send('town', 'problem', 'x')
  await permit({ canResolveTopics: NOBODY })
  for (const person of ['owner', 'member', 'guest'] as const) {
    expectRefusal(t, await rename(person, id, '✔ problem'), FORBIDDEN)
  }
  const setting = { directMembers: [4 as UserId], directSubgroups: [] }
  await setUpChannel(server, 'town', { kind: 'permission', permission: 'canResolveTopics', setting })
  await permit({ canMoveMessagesBetweenTopics: NOBODY })
  expectRefusal(t, await rename('owner', id, '✔ problem'), FORBIDDEN)
  t.equal((await rename('member', id, '✔ problem')).status, 200)
  const moved = "You don't have permission to edit this message"
  expectRefusal(t, await rename('member', id, 'problems'), moved)
  t.equal((await rename('member', id, 'problem')).status, 200)
  await permit({ canResolveTopics: ALLOWED, canMoveMessagesBetweenTopics: ALLOWED })
})

t.test('[RESOLVE3] neither time nor the right to new topics stands in the way', async (t) => {
  const id = await owner.send('town', 'ancient', 'x')
  await setUpChannel(server, 'town', {
    kind: 'permission',
    permission: 'canCreateTopic',
    setting: NOBODY,
  })
  const forbidden = 'You do not have permission to create new topics in this channel.'
  expectRefusal(t, await rename('member', id, 'modern'), forbidden)
  clock.leap(30 * 86_400_000)
  const late = "The time limit for editing this message's topic has passed."
  expectRefusal(t, await rename('member', id, 'modern'), late)
  t.equal((await rename('member', id, '✔ ancient')).status, 200)
})

t.test('[RESOLVE4] only the mark is a resolution', async (t) => {
  t.equal(findResolution('x', '✔ x'), 'resolved')
  t.equal(findResolution('✔ x', 'x'), 'unresolved')
  t.equal(findResolution('✔ ✔✔ x', 'x'), 'unresolved')
  t.equal(findResolution('✔ x', '✔ ✔ x'), undefined)
  t.equal(findResolution('x', '✔ y'), undefined)
  t.equal(findResolution('x', '✔x'), undefined)
  t.equal(findResolution('', '✔ '), undefined)
})
