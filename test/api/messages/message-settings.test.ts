import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const set = (fields: Record<string, unknown>, person: Person = 'administrator') =>
  server.as(person).patch('/realm', fields)
const realm = async () => (await owner.register({ fetch_event_types: ['realm'] })).state
const LIMITS = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
]

t.test('[MSGSET1] message settings are in the registration, and everyone gets their changes', async (t) => {
  t.match(await realm(), {
    realm_allow_message_editing: true,
    realm_message_content_edit_limit_seconds: 600,
    realm_message_content_delete_limit_seconds: 600,
    realm_move_messages_within_stream_limit_seconds: 604_800,
    realm_move_messages_between_streams_limit_seconds: 604_800,
    realm_message_edit_history_visibility_policy: 'all',
    realm_allow_edit_history: true,
    realm_enable_read_receipts: true,
  })
  const changed = {
    allow_message_editing: false,
    message_content_edit_limit_seconds: 1,
    message_content_delete_limit_seconds: 2_147_483_647,
    move_messages_within_stream_limit_seconds: 3,
    move_messages_between_streams_limit_seconds: 4,
    message_edit_history_visibility_policy: 'none',
    enable_read_receipts: false,
  }
  const received = await expectConsistent(server, async () => {
    t.same((await set(changed)).body, { result: 'success', msg: '' })
    t.equal((await set(changed)).status, 200)
  })
  const data = { ...changed, allow_edit_history: false }
  for (const events of Object.values(received)) {
    t.same(withoutIds(events), [{ type: 'realm', op: 'update_dict', property: 'default', data }])
  }
})

t.test('[MSGSET2] a time limit is a positive number of seconds or unlimited', async (t) => {
  for (const name of LIMITS) {
    for (const value of [0, -1, 2_147_483_648]) {
      expectRefusal(t, await set({ [name]: value }), `Bad value for '${name}': ${value}`)
    }
    for (const value of [1.5, 'for ever', true, null]) {
      expectRefusal(t, await set({ [name]: value }), `${name} is not an integer`)
    }
    t.equal((await set({ [name]: 'unlimited' })).status, 200)
    t.equal(((await realm()) as Named)[`realm_${name}`], null)
    t.equal((await set({ [name]: '"unlimited"' })).status, 200)
  }
})

t.test('[MSGSET3] older clients get the visibility of edits as a boolean', async (t) => {
  const policy = async () => {
    const { realm_message_edit_history_visibility_policy: now, realm_allow_edit_history: old } = await realm()
    return [now, old]
  }
  await set({ allow_edit_history: true })
  t.same(await policy(), ['all', true])
  await set({ message_edit_history_visibility_policy: 'moves' })
  await set({ allow_edit_history: true })
  t.same(await policy(), ['moves', true])
  await set({ allow_edit_history: false })
  t.same(await policy(), ['none', false])
  await set({ allow_edit_history: false, message_edit_history_visibility_policy: 'all' })
  t.same(await policy(), ['all', true])
  const name = 'message_edit_history_visibility_policy'
  expectRefusal(t, await set({ [name]: 'some' }), `Invalid ${name}`)
})

t.test('[MSGSET4] only administrators change message settings', async (t) => {
  for (const person of ['moderator', 'member', 'guest'] as const) {
    const answer = await set({ message_content_edit_limit_seconds: 600 }, person)
    expectRefusal(t, answer, 'Must be an organization administrator')
  }
  const flags = ['allow_message_editing', 'enable_read_receipts', 'allow_edit_history']
  for (const name of flags) expectRefusal(t, await set({ [name]: 1 }), `${name} is not a boolean`)
})

t.test('[MSGSET5] older clients get the wildcard and move permissions as numbers', async (t) => {
  const someone = { direct_members: [4], direct_subgroups: [] }
  for (const [group, mention, move] of [
    [6, 1, 5],
    [5, 2, 1],
    [4, 3, 3],
    [3, 7, 4],
    [2, 5, 2],
    [1, 5, 2],
    [8, 6, 6],
    [someone, 1, 5],
  ] as const) {
    const fields = {
      can_mention_many_users_group: { new: group },
      can_move_messages_between_topics_group: { new: group },
    }
    if (group === someone) {
      const events = await expectConsistent(server, () => set(fields))
      t.match(events.guest, [{ data: { wildcard_mention_policy: mention, edit_topic_policy: move } }])
    } else await set(fields)
    t.match(await realm(), { realm_wildcard_mention_policy: mention, realm_edit_topic_policy: move })
  }
})
