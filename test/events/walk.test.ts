/** A random walk: state and events of every client agree after any changes in any order. */

import t from 'tap'
import type { Client, Queue } from '../harness/client/client.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { type Person, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { makeRandom, type Random } from './make-random.ts'
import { openStream } from './open-stream.ts'
import type { ReplyAt, WireEvent } from '../harness/client/wire-types.ts'

const ACTORS: readonly Person[] = ['owner', 'administrator', 'member', 'member2', 'bot']
const VIEWERS: readonly Person[] = ['owner', 'member2', 'guest']
const OPEN_CHANNELS = ['red', 'green', 'blue']
const PRIVATE_CHANNELS = ['secret', 'hidden']
const CHANNELS = [...OPEN_CHANNELS, ...PRIVATE_CHANNELS]
/**
 * Their state is not compared: no event reports unread messages that disappear with the right to read them.
 */
const UNCOMPARED = [2, 3, 7]
const GUEST = 6
const STEPS = 12
const CHANGES_PER_STEP = 8

const server = await startTestServer(t, { redis: true })
const other = await server.startAnotherNode()
const nodes = [server, other]

const sent: number[] = []
/** One of the newest messages, if there is one. */
const recent = (random: Random): number => (sent.length === 0 ? 0 : random.pick(sent.slice(-10)))

/** One change by a random user; a refusal is fine, too. */
async function change(random: Random): Promise<void> {
  const client = random.pick(nodes).as(random.pick(ACTORS))
  const channel = random.pick(CHANNELS)
  const users = random.some([1, 2, 3, 4, 5, 6, 7])
  const number = random.below(1_000)
  const answer = await random.pick([
    () =>
      client.post('/users/me/subscriptions', {
        subscriptions: random.some(CHANNELS).map((name) => ({ name })),
        ...(random.below(2) === 0 ? { principals: users } : {}),
        authorization_errors_fatal: random.below(2) === 0,
      }),
    () =>
      client.delete('/users/me/subscriptions', {
        subscriptions: random.some(OPEN_CHANNELS),
        ...(random.below(2) === 0 ? { principals: [2, ...users.filter((id) => id !== GUEST)] } : {}),
      }),
    () =>
      client.delete('/users/me/subscriptions', {
        subscriptions: random.some(PRIVATE_CHANNELS),
        principals: random.some(UNCOMPARED),
      }),
    () =>
      client.post('/messages', {
        type: 'channel',
        to: JSON.stringify(channel),
        topic: `topic ${number % 3}`,
        content: `**${number}**`,
      }),
    () =>
      client.post('/messages', {
        type: 'channel',
        to: JSON.stringify(channel),
        topic: '',
        content: `plain ${number}`,
      }),
    () => client.post('/messages', { type: 'direct', to: users, content: `direct ${number}` }),
    () => client.patch(`/messages/${recent(random)}`, { content: `edited ${number} @**all**` }),
    () =>
      client.patch(`/messages/${recent(random)}`, {
        ...(random.below(2) === 0 ? { topic: `topic ${number % 3}` } : {}),
        stream_id: server.node.services.state.findChannelByName(channel)?.channel.id,
        propagate_mode: random.pick(['change_one', 'change_later', 'change_all']),
        send_notification_to_old_thread: random.below(4) === 0,
      }),
  ])()
  if ('id' in answer.body) sent.push(answer.body.id)
  if (answer.status !== 200 && answer.status !== 400) throw new Error(JSON.stringify(answer.body))
}

/** Fields that are equal however a queue is read; the rest, such as counts, depends on the current rights. */
const essence = (event: WireEvent) => ({
  id: event.id,
  type: event.type,
  op: event.op,
  ...(['message', 'update_message', 'delete_message'].includes(event.type) ? event : {}),
  subscriptions: event.subscriptions?.map((one) => one.stream_id),
  streams: event.streams?.map((one) => one.stream_id),
  stream_ids: event.stream_ids,
  user_ids: event.user_ids,
})
const isNews = ({ type }: WireEvent) => type !== 'heartbeat'

/** Reads a queue by polls at changing nodes, some of them aborted, until it is stopped. */
function pollAlong(person: Person, queue: Queue, random: Random) {
  const heard: WireEvent[] = []
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      const client: Client = random.pick(nodes).as(person)
      const query = new URLSearchParams({ queue_id: queue.queueId, last_event_id: String(queue.lastEventId) })
      // A client that disconnects before, during or after its reply.
      const signal = random.below(3) === 0 ? AbortSignal.timeout(random.below(30)) : AbortSignal.timeout(300)
      try {
        const response = await fetch(`${client.url}/api/v1/events?${query.toString()}`, {
          headers: { authorization: client.authorization },
          signal,
        })
        const body = (await response.json()) as ReplyAt<'GET', '/events'>
        if (response.status !== 200) throw new Error(JSON.stringify(body))
        heard.push(...body.events.filter(isNews))
        queue.lastEventId = body.events.at(-1)?.id ?? queue.lastEventId
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  const running = run()
  return {
    heard,
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Reads a queue by sockets at changing nodes, cut at random. */
function streamAlong(person: Person, queue: Queue, random: Random) {
  const heard: WireEvent[] = []
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      const stream = await openStream(random.pick(nodes).as(person), queue)
      const cut = setTimeout(() => stream.socket.terminate(), random.below(150))
      await stream.closed
      clearTimeout(cut)
      heard.push(...stream.events.filter(isNews))
    }
  }
  const running = run()
  return {
    heard,
    async stop() {
      isStopped = true
      await running
    },
  }
}

const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)

await t.test('[WALK1] state and events agree along a random walk, for every way to read them', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed)
  await server.as('owner').subscribe(OPEN_CHANNELS, { principals: [1, 4, 5, 6] })
  await server.as('owner').subscribe(['secret'], { principals: [1, 4], invite_only: true })
  await server.as('owner').subscribe(['hidden'], { invite_only: true })
  const reading: Record<string, { reference: Queue; along: ReturnType<typeof pollAlong>[] }> = {}
  for (const person of VIEWERS) {
    const [reference, polled, streamed] = await Promise.all([1, 2, 3].map(() => server.as(person).register()))
    // All three start at the same event.
    const startId = Math.max(...[reference, polled, streamed].map((queue) => (queue as Queue).lastEventId))
    t.ok([reference, polled, streamed].every((queue) => queue?.lastEventId === startId))
    reading[person] = {
      reference: reference as Queue,
      along: [
        pollAlong(person, polled as Queue, makeRandom(seed + 1)),
        streamAlong(person, streamed as Queue, makeRandom(seed + 2)),
      ],
    }
  }
  t.teardown(() =>
    Promise.all(Object.values(reading).flatMap(({ along }) => along.map((reader) => reader.stop()))),
  )
  for (let step = 0; step < STEPS; step++) {
    await expectConsistent(server, async () => {
      for (let count = 0; count < CHANGES_PER_STEP; count++) await change(random)
      // No event reports that a newest message was moved away.
      await server.as('owner').sendDirect([4, 5, 6], 'the newest of all')
      const wanted = Math.max(...nodes.map(({ node }) => node.services.state.appliedId))
      await pollUntil('both nodes have received it', () =>
        nodes.every(({ node }) => node.services.state.appliedId >= wanted),
      )
    })
  }
  for (const [person, { reference, along }] of Object.entries(reading)) {
    const wanted = (await server.as(person as Person).events(reference)).filter(isNews).map(essence)
    t.ok(wanted.length > STEPS, `${person} got events`)
    for (const reader of along) {
      const last = wanted.at(-1)?.id
      await pollUntil(
        'it has received the last',
        () => reader.heard.at(-1)?.id === last || reader.heard.length > wanted.length,
        () => reader.heard.length,
      ).catch(
        () => undefined, // The comparison shows which are missing.
      )
      await reader.stop()
      t.same(reader.heard.map(essence), wanted, `${person}, seed ${seed}`)
    }
  }
})
