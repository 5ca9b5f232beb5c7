/** Old events for a user who can no longer see their channel. */

import t from 'tap'
import { loadSubscribersAt } from '../../db/organization/subscriptions.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { channelIdOf } from '../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

await t.test(
  '[REPLAY6] a former subscriber gets neither later subscribers, messages nor the new name, from memory or the log',
  async (t) => {
    const server = await startTestServer(t, { redis: true })
    const [owner, member] = [server.as('owner'), server.as('member')]
    const fromMemory = await member.register({ include_subscribers: true })
    const fromLog = await member.register({ include_subscribers: true })
    await owner.subscribe(['secret'], { invite_only: true, principals: [owner.userId, member.userId] })
    await owner.send('secret', 'topic', 'while both are there')
    await owner.must('DELETE', '/users/me/subscriptions', {
      subscriptions: ['secret'],
      principals: [member.userId],
    })
    const later = server.as('member2').userId
    await owner.subscribe(['secret'], { principals: [later] })
    await owner.send('secret', 'topic', 'the first without the member')
    const channelId = channelIdOf(server, 'secret')
    await owner.must('PATCH', `/streams/${channelId}`, { new_name: 'more secret' })
    // A node that started later has none of this in memory.
    const other = await server.startAnotherNode()
    for (const events of [await member.events(fromMemory), await other.as('member').events(fromLog)]) {
      t.same(
        events.map(({ type, op }) => `${type}/${op}`),
        ['stream/create', 'subscription/add', 'message/undefined', 'subscription/remove', 'stream/delete'],
      )
      t.equal(events[2].message.display_recipient, 'secret')
      const [{ streams }, { subscriptions }] = events
      t.notOk(subscriptions[0].subscribers.includes(later))
      t.ok(subscriptions[0].subscriber_count <= 2)
      t.ok(streams[0].subscriber_count <= 2)
      t.equal(streams[0].first_message_id, null)
      t.equal(subscriptions[0].first_message_id, null)
    }
    const { sql } = server.node.services
    const spans = await sql<{ untilId: EventId }[]>`
      select until_id as "untilId" from subscription_spans where user_id = ${member.userId} and until_id is not null`
    const left = spans[0]?.untilId as EventId
    const [at] = await loadSubscribersAt(sql, [channelId], left)
    t.same(at?.userIds, [owner.userId], 'the one who leaves by an event is not there after it')
  },
)
