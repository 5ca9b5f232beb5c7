import { notify } from '../../server/events/notify.ts'
import t from 'tap'
import { storeEvents } from '../../server/events/store-events.ts'
import { type Statement, WriteBatch } from '../../db/log/write-batch.ts'
import type { Change } from '../../server/actors/committer.ts'
import { NEW_CHANNELS_PER_CHANGE_MAX } from '../../server/domain/limits.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'

/** Counts the statements while the log is locked. */
class CountedBatch extends WriteBatch {
  count = 0

  override add(statement: Statement, refusal?: () => Error): void {
    this.count++
    super.add(statement, refusal)
  }

  override change(statement: Statement, count: number, refusal: () => Error): void {
    this.count++
    super.change(statement, count, refusal)
  }

  override require(condition: Statement, refusal: () => Error): void {
    this.count++
    super.require(condition, refusal)
  }
}

/** Counts the statements of each change from now on. */
function countStatements(server: TestServer): number[] {
  const { committer, sql } = server.node.services
  const counts: number[] = []
  const submit = committer.submit.bind(committer)
  committer.submit = <Result>(change: Change<Result>) =>
    submit({
      ...change,
      decide(state) {
        const decision = change.decide(state)
        const writes = new CountedBatch(sql)
        if (change.kind === 'structure') {
          storeEvents(writes, notify(state, decision.events).entries, () => sql`1`)
          counts.push(writes.count)
        }
        return decision
      },
    })
  return counts
}

t.test('[BULK1] a change of fifty channels sends as many statements as a change of a few', async (t) => {
  const server = await startTestServer(t)
  const counts = countStatements(server)
  const owner = server.as('owner')
  const ask = async (method: 'POST' | 'DELETE', path: string, fields: Record<string, unknown>) => {
    counts.length = 0
    await owner.must(method, path, fields)
    t.equal(counts.length, 1, 'one change')
    return counts[0]
  }
  const sent = async (length: number) => {
    const names = Array.from({ length }, (_, index) => `c${length} ${index}`)
    const principals = [1, 3, 4]
    const subscriptions = names.map((name) => ({ name, color: '#123456' }))
    const wanted = { subscriptions, principals, send_new_subscription_messages: false }
    const made = await ask('POST', '/users/me/subscriptions', wanted)
    const left = await ask('DELETE', '/users/me/subscriptions', { subscriptions: names, principals })
    const joined = await ask('POST', '/users/me/subscriptions', wanted)
    const ids = [...server.node.services.state.channels.keys()].slice(-length)
    const subscription_data = ids.map((stream_id) => ({ stream_id, property: 'pin_to_top', value: true }))
    const pinned = await ask('POST', '/users/me/subscriptions/properties', { subscription_data })
    return { made, left, joined, pinned }
  }
  const few = await sent(2)
  t.same(few, { made: 3, left: 2, joined: 2, pinned: 1 })
  t.same(await sent(NEW_CHANNELS_PER_CHANGE_MAX), few)
})

t.test('[BULK2] a hundred drafts or invitations take as many statements as two', async (t) => {
  const server = await startTestServer(t)
  const counts = countStatements(server)
  const member = server.as('member')
  const draft = { type: '', to: [], topic: '', content: 'x' }
  const send = async (length: number) => {
    counts.length = 0
    await member.must('POST', '/drafts', { drafts: Array(length).fill(draft) })
    const emails = Array.from({ length }, (_, index) => `new${length}-${index}@example.com`)
    await member.must('POST', '/invites', { invitee_emails: emails.join(), stream_ids: [] })
    return [...counts]
  }
  const few = await send(2)
  t.same(few, [1, 4])
  t.same(await send(100), few)
})

t.test('[BULK3] many settings, or fields of a profile, take as many statements as one', async (t) => {
  const server = await startTestServer(t)
  const counts = countStatements(server)
  const [owner, guest] = [server.as('owner'), server.as('guest')]
  const ids: number[] = []
  for (let index = 0; index < 9; index++)
    ids.push(
      (await owner.must('POST', '/realm/profile_fields', { name: `field ${index}`, field_type: 1 })).id,
    )
  const statementsOf = async (act: () => Promise<unknown>) => {
    counts.length = 0
    await act()
    return [...counts]
  }
  const fill = (value: string) => (count: number) => {
    const data = JSON.stringify(ids.slice(0, count).map((id) => ({ id, value })))
    return statementsOf(() => guest.must('PATCH', '/users/me/profile_data', { data }))
  }
  t.same([await fill('one')(1), await fill('many')(9)], [[1], [1]])
  const data = [
    { id: ids[0], value: '' },
    { id: ids[1], value: 'other' },
  ]
  t.same(
    await statementsOf(() => guest.must('PATCH', '/users/me/profile_data', { data: JSON.stringify(data) })),
    [2],
  )
  const { profile_data: profile } = (await guest.must('GET', '/users/me')) as {
    profile_data: Record<string, { value: string }>
  }
  t.same(
    ids.map((id) => profile[id]?.value),
    [undefined, 'other', ...Array(7).fill('many')],
  )
  const settings = {
    twenty_four_hour_time: true,
    dense_mode: false,
    starred_message_counts: false,
  }
  t.same(await statementsOf(() => guest.must('PATCH', '/settings', { twenty_four_hour_time: false })), [0])
  t.same(await statementsOf(() => guest.must('PATCH', '/settings', settings)), [1])
  const [row] = await server.node.services.sql<{ settings: object }[]>`
    select settings from users where id = ${guest.userId}`
  t.match(row?.settings, { twentyFourHourTime: true, starredMessageCounts: false })
})
