/** Long requests to subscribe and unsubscribe are committed in several changes. */

import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { loadSubscribers } from '../../../db/organization/subscriptions.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { sendBetween } from '../../harness/worlds/send-between.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { ReplyAt } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const { committer, sql, state } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['talk'])
await owner.subscribe(['square', 'garden'], { principals: [1] })

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `new ${index}`)
/** In memory and in the tables. */
async function subscribersOf(name: string): Promise<UserId[][]> {
  const channel = state.findChannelByName(name)
  const stored = (await loadSubscribers(sql)).find(({ channelId }) => channelId === channel?.channel.id)
  return [channel?.subscribers.toArray() ?? [], (stored?.userIds ?? []).sort((a, b) => a - b)]
}

type Subscribed = ReplyAt<'POST', '/users/me/subscriptions'>
type Unsubscribed = ReplyAt<'DELETE', '/users/me/subscriptions'>

/** The parts of a logged event that tell how many it is about. */
interface LoggedEvent {
  readonly type: string
  readonly channels?: readonly unknown[]
  readonly channelIds: readonly unknown[]
  readonly userIds: readonly unknown[]
}

/** Runs a request with another's send between its first two parts; answers its events, the send's at its place. */
async function logOf(act: () => Promise<unknown>): Promise<unknown[]> {
  const before = state.appliedId
  const sending = sendBetween(committer, () => owner.send('talk', 'other', 'between'))
  await act()
  await sending.stop()
  const rows = await sql<
    { event: LoggedEvent }[]
  >`select event from event_log where id > ${before} order by id`
  return rows.flatMap(({ event: { type, channels, channelIds, userIds } }) => {
    if (type === 'stream/create') return [`create ${channels?.length}`]
    if (type === 'message') return ['message']
    return type === 'subscription/add' || type === 'subscription/remove'
      ? [`${(channels ?? channelIds).length} x ${userIds.length}`]
      : []
  })
}

await t.test('[SUB39] more than fifty new channels are made in several changes', async (t) => {
  const names = namesOf(110)
  const subscriptions = names.slice(0, 51).map((name) => ({ name }))
  await expectConsistent(server, async () => {
    let body!: Subscribed
    const log = await logOf(async () => {
      body = await owner.must('POST', '/users/me/subscriptions', { subscriptions })
    })
    t.same(log.slice(0, 5), ['create 50', '50 x 1', 'message', 'create 1', '1 x 1'])
    t.same(body.subscribed, { 1: names.slice(0, 51) })
  })
  await expectConsistent(server, async () => {
    let body!: ReplyAt<'PATCH', '/users/me/subscriptions'>
    const add = names.slice(1).map((name) => ({ name }))
    const fields = { delete: names.slice(0, 51), add }
    const log = await logOf(async () => (body = await owner.must('PATCH', '/users/me/subscriptions', fields)))
    const parts = ['51 x 1', 'create 50', '100 x 1', 'message', 'create 9', '9 x 1']
    t.same(log.slice(0, parts.length), parts)
    t.same(body.removed, names.slice(0, 51))
    t.same(body.subscribed, { 1: names.slice(1) })
  })
})

/** Not before: such users have no keys, as no consistent state has them. */
const crowd = await addCrowd(server, 2_100, 1_700_000_000)

t.test('[SUB40] long requests subscribe in several changes, and other sends fit between', async (t) => {
  const principals = [1, 4, ...crowd]
  const subscriptions = [{ name: 'square' }, { name: 'garden' }, { name: 'small' }]
  let body!: Subscribed
  const log = await logOf(async () => {
    body = await owner.must('POST', '/users/me/subscriptions', { subscriptions, principals })
  })
  const parts = ['1 x 2000', 'message', '1 x 101', '1 x 1899', '1 x 202', 'create 1', '1 x 2102']
  t.same(log.slice(0, parts.length), parts, 'a new channel gets all its subscribers at once')
  t.same(body.already_subscribed, { 1: ['square', 'garden'] })
  t.same(body.subscribed[1], ['small'])
  t.ok([4, ...crowd].every((id) => isDeepStrictEqual(body.subscribed[id], ['square', 'garden', 'small'])))
  for (const name of ['square', 'garden', 'small'])
    t.same(await subscribersOf(name), [principals, principals])
})

t.test('[SUB41] a long request is checked as a whole before its first change', async (t) => {
  await owner.subscribe(['hidden'], { principals: [1], invite_only: true })
  const before = state.appliedId
  const attempt = (names: readonly string[], principals?: readonly UserId[]) => {
    const subscriptions = names.map((name) => ({ name }))
    return member.post('/users/me/subscriptions', { subscriptions, principals })
  }
  const refusal = 'Unable to access channel (hidden).'
  expectRefusal(t, await attempt(['yard', 'hidden'], crowd), refusal)
  expectRefusal(t, await attempt([...namesOf(51), 'hidden']), refusal)
  expectRefusal(
    t,
    await owner.delete('/users/me/subscriptions', {
      subscriptions: ['square', 'nowhere'],
      principals: crowd,
    }),
    "Channel 'nowhere' does not exist",
    { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' },
  )
  t.equal(state.appliedId, before)
})

t.test('[UNSUB17] long requests unsubscribe in several changes, the caller in the last', async (t) => {
  const fields = {
    invite_only: true,
    can_remove_subscribers_group: { direct_members: [4], direct_subgroups: [] },
  }
  await owner.subscribe(['club'], { ...fields, principals: [4, ...crowd] })
  let body!: Unsubscribed
  const leaving = await logOf(async () => {
    const principals = [1, 4, ...crowd]
    body = await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['club'], principals })
  })
  t.same(leaving, ['1 x 2000', 'message', '1 x 101'], 'they need their access until the last')
  t.same(body.removed, Array(2_101).fill('club'))
  t.same(body.not_removed, ['club'])
  t.same(await subscribersOf('club'), [[], []])
  const principals = [4, ...crowd]
  const log = await logOf(() =>
    owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['square', 'garden'], principals }),
  )
  t.same(log, ['1 x 2000', 'message', '1 x 101', '1 x 1899', '1 x 202'])
  t.same(await subscribersOf('square'), [[1], [1]])
  t.same(await subscribersOf('garden'), [[1], [1]])
})
