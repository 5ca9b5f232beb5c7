/** Old events for a user who can no longer see their channel. */

import t from 'tap'
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
  },
)
