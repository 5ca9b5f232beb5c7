/** The state is the fold of the log: tables and log agree. */

import t from 'tap'
import { readLog } from '../../db/log/event-log.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { deactivateUser, rotateApiKeys } from '../harness/worlds/account-changes.ts'
import type { EventId, UserId } from '../../server/domain/ids.ts'
import { applyEvent, overlay } from '../../server/events/apply-event.ts'
import { loadState } from '../../server/state/load-state.ts'
import { OrganizationState } from '../../server/state/organization-state.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { describeState } from './describe-state.ts'

const server = await startTestServer(t)
const { sql, state } = server.node.services
const owner = server.as('owner')

await t.test('[STATE1] at every position the fold of the log equals the tables of that time', async (t) => {
  const folded = new OrganizationState()
  const fold = async () => {
    const entries = await readLog(sql, folded.appliedId, 1_000)
    const foreseen = overlay(
      folded,
      entries.map(({ event }) => event),
    )
    const before = describeState(folded)
    const after = describeState(foreseen)
    t.same(describeState(folded), before, 'an overlay leaves its base as it is')
    for (const entry of entries) applyEvent(folded, entry)
    t.same(after, describeState(folded), 'the base becomes equal')
    t.same(describeState(folded), describeState(await loadState(sql)), `at ${folded.appliedId}`)
  }
  await fold()
  const writer = await openLocalWriter(server.databaseUrl)
  const changes: (() => Promise<unknown>)[] = [
    () => owner.subscribe(['one', 'two'], { principals: [1, 4, 5, 6] }),
    () => owner.subscribe(['three'], { invite_only: true }),
    () => owner.send('one', 'topic', 'x'),
    () => owner.send('one', 'topic', 'y'),
    () => owner.sendDirect([4], 'z'),
    () =>
      owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['one', 'two'], principals: [4, 6] }),
    () => owner.subscribe(['three', 'two'], { principals: [4] }),
    () => writer.committer.submit(rotateApiKeys(7 as UserId, 'k'.repeat(32))),
    () => writer.committer.submit(deactivateUser(4 as UserId)),
  ]
  for (const change of changes) {
    await change()
    await fold()
  }
  await writer.close()
  await pollUntil('the node has received it', () => state.appliedId === folded.appliedId)
  t.same(describeState(state), describeState(folded))
})

await t.test('[STATE2] an entry out of sequence is refused', async (t) => {
  const [first] = await readLog(sql, 0 as EventId, 1)
  if (!first) throw new Error('the log is empty')
  t.throws(() => applyEvent(state, first), { message: `event 1 does not follow event ${state.appliedId}` })
})
