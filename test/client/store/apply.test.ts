/** The reducer of the client: pure, sharing what did not change. The random walks compare its results with the server. */

import t from 'tap'
import { apply, type State, UnknownEventError, UnknownObjectError } from '../../../client/store/apply.ts'
import type { Event } from '../../../packages/client/src/wire-types.ts'
import { applyFrozen, freezeDeeply } from '../../harness/states/apply-frozen.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const member = server.as('member')
await member.subscribe(['general', 'other'])

/** A registration with everything, and the events of an action. */
async function observe(act: () => Promise<unknown>): Promise<{ state: State; events: Event[] }> {
  const queue = await member.register({ include_subscribers: true })
  await act()
  return {
    state: freezeDeeply(queue.state) as unknown as State,
    events: (await member.events(queue)) as unknown as Event[],
  }
}

t.test('[STORE2] a part of the state that an event does not concern stays the same object', async (t) => {
  const { state, events } = await observe(() => server.as('owner').sendDirect([4], 'hello'))
  const after = applyFrozen(state, events) as unknown as State
  const changed = Object.keys(after).filter(
    (name) => after[name as keyof State] !== state[name as keyof State],
  )
  t.same(changed.sort(), ['max_message_id', 'recent_private_conversations', 'unread_msgs'])
  t.equal(after.unread_msgs?.streams, state.unread_msgs?.streams)
  t.equal(after.unread_msgs?.pms[0]?.other_user_id, 1)
  t.equal(state.unread_msgs?.count, 0, 'the former state is unchanged')
})

t.test('[STORE3] a change of one user keeps the others as they are', async (t) => {
  const { state, events } = await observe(() =>
    server.as('owner').must('PATCH', '/users/5', { full_name: 'Renamed' }),
  )
  const after = applyFrozen(state, events) as unknown as State
  const others = after.realm_users?.filter((user) => !state.realm_users?.includes(user))
  t.match(others, [{ user_id: 5, full_name: 'Renamed' }])
  t.equal(after.realm_users?.length, state.realm_users?.length)
  t.equal(after.subscriptions, state.subscriptions)
})

t.test('[STORE4] an event that changes nothing returns the same state', async (t) => {
  const { state } = await observe(async () => {})
  const events: Event[] = [
    { id: 1, type: 'heartbeat' },
    { id: 2, type: 'drafts', op: 'remove', draft_id: 99 },
    { id: 3, type: 'delete_message', message_type: 'private', message_ids: [9_999_999] },
    { id: 4, type: 'muted_topics', muted_topics: state.muted_topics ?? [] },
  ]
  for (const event of events) t.equal(apply(state, event), state, event.type)
})

t.test('[STORE5] an event about an unknown object throws, and the state remains usable', async (t) => {
  const { state } = await observe(async () => {})
  const events: Event[] = [
    { id: 1, type: 'realm_user', op: 'update', person: { user_id: 99, full_name: 'Nobody' } },
    { id: 2, type: 'stream', op: 'update', stream_id: 99, name: 'none', property: 'name', value: 'new' },
    { id: 3, type: 'subscription', op: 'peer_add', stream_ids: [99], user_ids: [1] },
    { id: 4, type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 99, name: 'none' }] },
    { id: 5, type: 'user_group', op: 'add_members', group_id: 99, user_ids: [1] },
    { id: 6, type: 'device', op: 'remove', device_id: 99 },
    { id: 7, type: 'channel_folder', op: 'update', channel_folder_id: 99, data: { name: 'new' } },
    { id: 8, type: 'scheduled_messages', op: 'remove', scheduled_message_id: 99 },
  ]
  for (const event of events) t.throws(() => apply(state, event), UnknownObjectError, event.type)
})

t.test('[STORE6] an event of an unknown type throws an error of its own', async (t) => {
  const { state } = await observe(async () => {})
  for (const type of ['surprise', 'constructor', '__proto__'])
    t.throws(() => apply(state, JSON.parse(JSON.stringify({ id: 1, type })) as Event), UnknownEventError)
})

t.test('[STORE7] parts that were not registered stay absent', async (t) => {
  const { state, events } = await observe(async () => {
    await server.as('owner').send('general', 'topic', 'hello')
    await server.as('owner').must('PATCH', '/realm', { name: 'Renamed' })
    await member.must('POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'draft' }] })
    await server.as('owner').must('PATCH', '/users/5', { full_name: 'Renamed again' })
  })
  const { queue_id, last_event_id, idle_queue_timeout_secs, service_version } = state
  const { service_merge_base, service_feature_level } = state
  const bare: State = {
    queue_id,
    last_event_id,
    idle_queue_timeout_secs,
    service_version,
    service_merge_base,
    service_feature_level,
  }
  const personal = events.filter(({ type }) => type !== 'realm')
  t.ok(personal.length >= 3)
  t.same(applyFrozen(bare, personal), bare)
})

t.test('[STORE8] the count of subscribers of a channel follows its subscriptions', async (t) => {
  const count = (state: State) =>
    state.subscriptions?.find(({ name }) => name === 'general')?.subscriber_count
  const { state, events } = await observe(async () => {
    await member.subscribe(['general'], { principals: [5, 6] })
    await server.as('owner').must('DELETE', '/users/me/subscriptions', {
      subscriptions: ['general'],
      principals: [6],
    })
  })
  const after = applyFrozen(state, events) as unknown as State
  const afresh = (await member.register({ include_subscribers: true })).state as unknown as State
  t.equal(count(after), count(afresh))
  t.not(count(after), count(state))
})
