/** Legal holds: who may place, see and lift them, and who learns of them. */

import t from 'tap'
import { loadHolds } from '../../../db/holds/legal-holds.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'

const server = await startTestServer(t)
const { sql, state } = server.node.services
const [owner, administrator, member] = [server.as('owner'), server.as('administrator'), server.as('member')]
const OTHERS = ['administrator', 'moderator', 'member', 'guest', 'bot'] as const satisfies readonly Person[]
const REQUIRED = 'Must be an organization owner'
await member.subscribe(['town'])
await member.subscribe(['closed room'], { invite_only: true })
const closed = channelIdOf(server, 'closed room')
const people = [member.userId]

const listed = async () => (await owner.must('GET', '/legal_holds')).legal_holds
const place = async (fields: Record<string, unknown>) =>
  (await owner.must('POST', '/legal_holds', { reason: 'Case 7', ...fields })).legal_hold_id

t.test('[HOLD1] only owners place, see and lift holds, and others see no difference', async (t) => {
  const id = await place({ name: 'Case', user_ids: people, stream_ids: [closed] })
  t.match(await listed(), [
    {
      id,
      name: 'Case',
      reason: 'Case 7',
      whole_organization: false,
      user_ids: people,
      stream_ids: [closed],
      placed_by: owner.userId,
      kept_messages: 0,
    },
  ])
  for (const person of OTHERS) {
    const client = server.as(person)
    expectRefusal(t, await client.get('/legal_holds'), REQUIRED)
    const fields = { name: 'Case', reason: 'x', whole_organization: true }
    expectRefusal(t, await client.post('/legal_holds', fields), REQUIRED)
    for (const one of [id, 999_999]) expectRefusal(t, await client.delete(`/legal_holds/${one}`), REQUIRED)
  }
  t.equal((await server.anyone.get('/legal_holds')).status, 401)
  await owner.must('DELETE', `/legal_holds/${id}`)
  t.same(await listed(), [])
  expectRefusal(t, await owner.delete(`/legal_holds/${id}`), 'Invalid legal hold ID')
})

t.test(
  '[HOLD2] no client gets an event of a hold, and the audit log of owners has each change',
  async (t) => {
    const clients = [owner, administrator, member]
    const queues = await Promise.all(clients.map((client) => client.register()))
    const id = await place({ name: 'Quiet', user_ids: people, stream_ids: [closed] })
    const whole = await place({ name: 'All of it', whole_organization: true })
    for (const one of [id, whole]) await owner.must('DELETE', `/legal_holds/${one}`)
    const last = await member.sendDirect([owner.userId, administrator.userId], 'the marker')
    for (const [index, queue] of queues.entries()) {
      const events = await (clients[index] as typeof owner).events(queue)
      t.strictSame(
        events.filter(({ type }) => type !== 'heartbeat' && type !== 'presence').map(({ type }) => type),
        ['message'],
      )
    }
    t.ok(last > whole)
    const kinds = ['legal_hold/add', 'legal_hold/remove']
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds, limit: 4 })
    const target = (isForAll: boolean, users: number[], streams: number[]) => ({
      whole_organization: isForAll,
      user_ids: users,
      stream_ids: streams,
    })
    t.same(
      entries.map(({ kind, acting_user_id, details }) => [kind, acting_user_id, details]),
      [
        ['legal_hold/remove', owner.userId, { hold_id: whole, name: 'All of it' }],
        ['legal_hold/remove', owner.userId, { hold_id: id, name: 'Quiet' }],
        ['legal_hold/add', owner.userId, { name: 'All of it', reason: 'Case 7', ...target(true, [], []) }],
        [
          'legal_hold/add',
          owner.userId,
          { name: 'Quiet', reason: 'Case 7', ...target(false, people, [closed]) },
        ],
      ],
    )
    t.strictSame(
      entries.slice(2).map((entry) => entry.id),
      [whole, id],
      'the entry has the id of the hold',
    )
    expectRefusal(t, await administrator.get('/realm/audit_log', { kinds }), REQUIRED)
  },
)

t.test('[HOLD3] a hold is for the whole organization, or names people and channels that exist', async (t) => {
  const refused = async (fields: Record<string, unknown>, msg: string) =>
    expectRefusal(t, await owner.post('/legal_holds', { name: 'Wrong', reason: 'x', ...fields }), msg)
  await refused({}, 'A legal hold needs people, channels, or the whole organization.')
  const beyond = 'A legal hold on the whole organization names no people or channels.'
  await refused({ whole_organization: true, user_ids: people }, beyond)
  await refused({ whole_organization: true, stream_ids: [closed] }, beyond)
  await refused({ user_ids: [...people, 999] }, 'No such user')
  await refused({ stream_ids: [closed, 999] }, 'Invalid channel ID')
  await refused({ name: ' ', whole_organization: true }, 'name cannot be blank')
  await refused({ reason: '', whole_organization: true }, 'reason cannot be blank')
  await refused({ name: 'n'.repeat(61), whole_organization: true }, 'name is too long (limit: 60 characters)')
  await refused(
    { reason: 'n'.repeat(1025), whole_organization: true },
    'reason is too long (limit: 1024 characters)',
  )
  const tooMany = Array.from({ length: 1_001 }, () => member.userId)
  t.equal((await owner.post('/legal_holds', { name: 'Many', reason: 'x', user_ids: tooMany })).status, 400)
  t.equal((await owner.post('/legal_holds', { name: 'Many', reason: 'x', stream_ids: tooMany })).status, 400)
  t.same(await listed(), [])
  const most = await place({ name: 'Many', user_ids: tooMany.slice(1) })
  t.match(await listed(), [{ user_ids: people }], 'each counts once')
  await owner.must('DELETE', `/legal_holds/${most}`)
  const left = server.as('guest').userId
  await owner.must('DELETE', `/users/${left}`)
  const id = await place({
    name: 'n'.repeat(60),
    reason: 'r'.repeat(1024),
    user_ids: [left, ...people, left],
    stream_ids: [closed],
  })
  t.match(await listed(), [{ id, user_ids: [left, ...people] }], 'people who left, and private channels')
  expectRefusal(
    t,
    await owner.post('/legal_holds', { name: 'N'.repeat(60), reason: 'x', user_ids: people }),
    'A legal hold with this name already exists.',
  )
  await owner.must('DELETE', `/legal_holds/${id}`)
  const again = await place({ name: 'n'.repeat(60), user_ids: people })
  t.not(again, id, 'an id is never used again')
  await owner.must('DELETE', `/legal_holds/${again}`)
})

t.test('[HOLD4] an organization has a hundred holds at most', async (t) => {
  for (let count = 1; count <= 100; count++) await place({ name: `Case ${count}`, user_ids: people })
  const more = { name: 'one more', reason: 'x', user_ids: people }
  expectRefusal(t, await owner.post('/legal_holds', more), 'Too many legal holds (maximum 100).')
  t.strictSame(await loadHolds(sql), state.holds, 'as a restarted server has them')
  const [first] = await listed()
  await owner.must('DELETE', `/legal_holds/${first?.id}`)
  t.equal((await owner.post('/legal_holds', more)).status, 200)
  t.strictSame(await loadHolds(sql), state.holds)
})
