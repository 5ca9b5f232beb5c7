/** Waiting clients of several kinds with many events: each gets each event once, in its own form. */

import t from 'tap'
import { type QueueOptions, Session, type SessionSocket, socketFrames } from '../../server/actors/session.ts'
import { SessionWaits } from '../../server/actors/session-waits.ts'
import { placeInTime } from '../../server/actors/timeline.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import type { NewEvent } from '../../server/domain/events.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import { variantOf, VARIANT_BITS } from '../../server/views/event-view-options.ts'
import type { Client, Queue } from '../harness/client/client.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { openStream } from './open-stream.ts'
import { phaseOf, waitUntilParked } from './wait-until-parked.ts'
import type { WireEvent } from '../harness/client/wire-types.ts'

const server = await startTestServer(t)
const { node } = server
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
await owner.subscribe(['general'], { principals: [1, 4, 5] })

const poll = (client: Client, queue: Queue) =>
  client.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId })

await t.test('[FANOUT1] a subscriber with all public channels gets each message once', async (t) => {
  const fields = { all_public_streams: true, event_types: ['message'] }
  const [polled, streamed] = [await member.register(fields), await member.register(fields)]
  const stream = await openStream(member, streamed)
  const held = poll(member, polled)
  await waitUntilParked(node, member, polled)
  const first = await owner.send('general', 'topic', 'once')
  const second = await owner.send('general', 'topic', 'and another')
  const { events } = (await held).body
  polled.lastEventId = events.at(-1).id
  const ids = (events: readonly WireEvent[]) => events.map(({ id }) => id)
  t.same(ids([...events, ...(await member.events(polled))]), [first, second])
  await stream.take(2)
  t.same(ids(stream.events), [first, second])
  await stream.close()
})

await t.test('[FANOUT2] a held poll returns the first 1,000 events, the next poll the rest', async (t) => {
  const queue = await member.register({ event_types: ['typing'] })
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  const audience = { kind: 'users', users: UserSet.of([member.userId as UserId]) } as const
  const event = {
    type: 'typing/start',
    senderId: 1 as UserId,
    place: { kind: 'direct', userIds: [1, 4] as UserId[] },
  } as const
  const { appliedId } = node.services.state
  await node.services.committer.submit({
    kind: 'structure',
    decide: () => ({
      events: Array.from({ length: 1_003 }, (): NewEvent => ({ event, audience })),
      reply: () => undefined,
    }),
  })
  const { events } = (await held).body
  t.equal(events.length, 1_000)
  queue.lastEventId = events.at(-1).id
  const ids = [...events, ...(await member.events(queue))].map(({ id }) => id)
  t.same(
    ids,
    Array.from({ length: 1_003 }, (_, index) => appliedId + 1 + index),
  )
})

await t.test('[FANOUT3] each client gets its own flags, whatever the capabilities of others', async (t) => {
  const all = {
    applyMarkdown: true,
    clientGravatar: true,
    includeSubscribers: 'partial',
    allowsNullSettings: true,
    allowEmptyTopic: true,
    languageAlias: 'x',
    namesReactors: true,
    hasIncompleteUsers: true,
    hasEmojiChanges: true,
  } as const
  t.ok(variantOf(all) < 2 ** VARIANT_BITS, 'the flags use the bits above all options')
  const capabilities = [
    'notification_settings_null',
    'empty_topic_name',
    'user_list_incomplete',
    'individual_emoji_changes',
    'simplified_presence_events',
  ]
  const queues: { client: Client; queue: Queue; flags: string[] }[] = []
  for (const [client, flags] of [
    [owner, ['read']],
    [member, ['mentioned']],
    [member2, []],
  ] as const) {
    for (const [index, capability] of [undefined, ...capabilities].entries()) {
      const queue = await client.register({
        event_types: ['message'],
        fetch_event_types: [],
        apply_markdown: index % 2 === 0,
        ...(capability === undefined ? {} : { client_capabilities: { [capability]: true } }),
      })
      queues.push({ client, queue, flags: [...flags] })
    }
  }
  await owner.send('general', 'topic', 'for @**The member**', { read_by_sender: true })
  for (const { client, queue, flags } of queues) {
    t.same(
      (await client.events(queue)).map((event) => event.flags),
      [flags],
    )
  }
})

await t.test('[FANOUT4] a late signal of an earlier poll elsewhere does not end a newer poll', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const id = await owner.send('general', 'topic', 'sent elsewhere')
  const before = queue.lastEventId
  queue.lastEventId = id
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  const signal = { queueId: queue.queueId as QueueId, kind: 'taken', origin: 'another process' } as const
  node.services.queues.onSignal({ ...signal, cursor: before as EventId })
  t.equal(await phaseOf(node, member, queue), 'parked')
  node.services.queues.onSignal({ ...signal, cursor: id as EventId })
  t.same((await held).body.events, [], 'one of a later poll does')
})

await t.test('[FANOUT5] a late acknowledgement does not move the cursor back', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const stream = await openStream(member, queue)
  const [one, two] = [
    await owner.send('general', 'topic', 'one'),
    await owner.send('general', 'topic', 'two'),
  ]
  await stream.take(2)
  stream.acknowledge(two)
  stream.acknowledge(one)
  const pong = stream.nextPong()
  stream.socket.send('{"ping":1}')
  await pong
  await stream.close()
  t.same((await member.get('/events', { queue_id: queue.queueId, dont_block: true })).body.events, [])
})

await t.test('[FANOUT7] a frame of a stream has at most 256 KiB, except for a single longer event', (t) => {
  const frame = (events: readonly string[]) => `[${events.join(',')}]`
  const socket: SessionSocket = {
    frame,
    send() {},
    drained: async () => {},
    isAllowed: () => true,
    close() {},
  }
  const events = [100_000, 150_000, 20_000, 300_000, 1, 2, 262_142].map((length) => `"${'x'.repeat(length)}"`)
  const frames = socketFrames(socket, events)
  t.same(
    frames.map((one) => JSON.parse(one).length),
    [2, 1, 1, 2, 1],
  )
  t.same(
    frames.flatMap((one) => JSON.parse(one)),
    events.map((event) => JSON.parse(event)),
  )
  t.end()
})

await t.test('[FANOUT6] later events skip a client that no longer waits', (t) => {
  const waits = new SessionWaits(new ManualClock(), 1_000)
  const options = { allPublicChannels: true } as QueueOptions
  const audience = { kind: 'users', users: UserSet.of([4 as UserId]) } as const
  const event = {
    type: 'typing/start',
    senderId: 1 as UserId,
    place: { kind: 'direct', userIds: [] },
  } as const
  const placed = placeInTime({ id: 1 as EventId, event, audience }, node.services.state)
  const concerned = () => {
    const found = new Set<Session>()
    waits.live.forEachConcerned({ ...placed, isPublicMessage: true }, (session) => found.add(session))
    return [...found]
  }
  const [one, two] = ['one', 'two'].map(
    (id) =>
      new Session({
        queueId: id as QueueId,
        userId: 4 as UserId,
        options,
        acknowledgedId: 0 as EventId,
        idleTimeoutMs: 1_000,
        sinceMs: 0,
      }),
  ) as [Session, Session]
  waits.park(one)
  waits.park(two)
  t.same(new Set(concerned()), new Set([one, two]))
  waits.end(one, 4001)
  t.same(concerned(), [two])
  waits.end(two, 4001)
  t.same(concerned(), [])
  t.end()
})
