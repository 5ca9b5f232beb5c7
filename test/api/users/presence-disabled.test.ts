/** Presence in an organization that turns it off, and of users who are reactivated. */

import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const clock = new ManualClock(Date.parse('2027-03-01T12:00:00Z'))
const server = await startTestServer(t, { clock, redis: true })
const other = await server.startAnotherNode()
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const nodes = [server.node, other.node]
const MODERN = { client_capabilities: { simplified_presence_events: true }, event_types: ['presence'] }

/** Exchanges the reports and sends them. */
async function share(): Promise<void> {
  for (const { services } of [...nodes, ...nodes]) {
    await services.presences.exchange()
    await services.committer.drain()
  }
  const appliedIds = () => nodes.map((node) => node.services.state.appliedId)
  await pollUntil('both have received it', () => new Set(appliedIds()).size === 1)
}
const disable = async (presence_disabled: boolean) => {
  await owner.must('PATCH', '/realm', { presence_disabled })
  await share()
}
const report = (fields = {}) => member.must('POST', '/users/me/presence', { status: 'active', ...fields })

await t.test(
  '[PRES1] an organization that turns presence off loses its presence and sends none',
  async (t) => {
    await report()
    await share()
    t.ok((await guest.must('GET', '/realm/presence')).presences[member.email])
    const events = await expectConsistent(server, () => disable(true))
    t.match(withoutIds(events.guest), [
      { type: 'realm', op: 'update_dict', data: { presence_disabled: true } },
    ])
    const queue = await guest.register(MODERN)
    t.match(await report(), { presences: {}, presence_last_update_id: -1, server_timestamp: Number })
    t.same((await report({ last_update_id: -1 })).presences, {})
    t.same((await report({ ping_only: true })).presences, undefined)
    await share()
    for (const one of [server, other]) {
      t.same((await one.as('guest').must('GET', '/realm/presence')).presences, {})
      expectRefusal(t, await one.as('guest').get('/users/4/presence'), 'No presence data for 4')
      const { state } = await one.as('guest').register({ fetch_event_types: ['presence', 'realm'] })
      t.match(state, { presences: {}, presence_last_update_id: -1, realm_presence_disabled: true })
    }
    t.same(await guest.events(queue), [])
  },
)

await t.test('[PRES2] after presence is turned on again, only new reports count', async (t) => {
  const events = await expectConsistent(server, async () => {
    await disable(false)
    t.same((await guest.must('GET', '/realm/presence')).presences, {})
  })
  t.match(withoutIds(events.guest), [{ type: 'realm', data: { presence_disabled: false } }])
  const queue = await guest.register(MODERN)
  await report()
  await share()
  t.match(await guest.events(queue), [{ type: 'presence', presences: { 4: { active_timestamp: Number } } }])
  for (const one of [server, other]) {
    t.ok((await one.as('guest').must('GET', '/realm/presence')).presences[member.email])
  }
})

await t.test('[PRES3] only administrators turn presence on and off', async (t) => {
  expectRefusal(
    t,
    await member.patch('/realm', { presence_disabled: true }),
    'Must be an organization administrator',
  )
  expectRefusal(
    t,
    await owner.patch('/realm', { presence_disabled: 'x' }),
    'presence_disabled is not valid JSON',
  )
})

await t.test(
  '[PRES4] the next presence event after a reactivation has the time of the last report',
  async (t) => {
    const back = await addUser(server, 'back')
    await back.must('POST', '/users/me/presence', { status: 'active' })
    await share()
    const seen = clock.nowMs() / 1000
    await deactivate(server, back.userId)
    const state = (await guest.register(MODERN)).state.presences
    t.notOk(state[back.email], 'deactivated users are not shown')
    const queue = await guest.register(MODERN)
    clock.leap(30_000)
    await owner.must('POST', `/users/${back.userId}/reactivate`)
    await share()
    const times = { active_timestamp: seen, idle_timestamp: seen }
    const [first] = withoutIds(await guest.events(queue))
    t.same(first, { type: 'presence', presences: { [back.userId]: times } })
    t.ok(server.node.services.presences.find(back.userId as UserId))
  },
)
