/**
 * W20: the time from a send until the push of its message has left, how many pushes leave in a second, and what happens to
 * them when one of two workers is killed.
 */

import { request } from 'node:http'
import { connect, type Sql } from '../../db/connection/connect.ts'
import type { ChannelId } from '../../server/domain/ids.ts'
import { markOf } from '../../workers/jobs/push/compose-push.ts'
import { encryptWebPush } from '../../workers/jobs/push/web/encrypt-web-push.ts'
import { HttpConnection, postRequest } from '../load/http-connection.ts'
import { compareLatencies, type Figure, noteSize } from '../measure/figure.ts'
import { interleave } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { startParley } from '../start/start-parley.ts'
import {
  type Arrival,
  type PushService,
  startPushService,
  type Subscription,
} from '../start/start-push-service.ts'
import { startWorkerProcess, type WorkerProcess } from '../start/start-worker.ts'

const CROWD = sized(10_000, 120)
/** Of the crowd, these have a browser that takes pushes. */
const DEVICES = sized(1_000, 40)
const SENDS = sized(20, 4)
/** Rounds of a message to all devices: a round is a thousand pushes. */
const CROWD_ROUNDS_MAX = 3
const ALONE = 'two of us'
const EVERYBODY = 'everybody'
/** One message a second, each to all devices; a worker is killed when half of the pushes have arrived. */
const TOPICS = ['first', 'second', 'third']
/** The text of a push, as long as most messages. */
const PLAIN = Buffer.alloc(300, 'a')

/** A running server with two workers, which alone may reach the push service. */
interface Scene {
  readonly sql: Sql
  readonly sender: HttpConnection
  readonly people: readonly Person[]
  readonly service: PushService
  readonly workers: readonly WorkerProcess[]
}

export const pushes: Work = {
  name: 'W20',
  title: `a message until its push has left, for 1 and ${CROWD} readers; ${DEVICES} pushes of one message`,
  limit: 'a durable insert and one encrypted request to the push service',
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, CROWD)
    const service = await startPushService()
    const env = { OUTBOUND_ALLOWED: '127.0.0.1' }
    const parley = await startParley(databaseUrl, { env })
    const sql = connect(databaseUrl, 1, 'bench')
    const workers: WorkerProcess[] = []
    const sender = await HttpConnection.open(parley.port)
    try {
      await createChannels(parley.port, people.slice(0, 2), [ALONE])
      await createChannels(parley.port, people, [EVERYBODY])
      workers.push(await startWorkerProcess(databaseUrl, env), await startWorkerProcess(databaseUrl, env))
      await sql`create table bench_sent (id bigserial primary key, content text not null)`
      const scene = { sql, sender, people, service, workers }
      const devices = await subscribe(scene, people.slice(1, 1 + DEVICES))
      return [
        await compareOne(scene, { name: 'one reader', channel: ALONE, rounds }, devices[0]),
        await compareOne(
          scene,
          { name: `${CROWD} readers, one interested`, channel: EVERYBODY, rounds },
          devices[0],
        ),
        await pushToAll(scene, devices, Math.min(rounds, CROWD_ROUNDS_MAX)),
        await killOne(scene, devices),
      ]
    } finally {
      await Promise.all(workers.map((worker) => worker.close()))
      sender.close()
      service.close()
      await sql.end()
      await parley.close()
    }
  },
}

/** Registers a browser for each person; those are away, so pushes are due at once. */
async function subscribe({ sender, service }: Scene, people: readonly Person[]): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (const { authorization } of people) {
    const subscription = service.subscribe()
    await must(sender, postRequest('/api/v1/users/me/web_push', authorization, { ...subscription }))
    const wanted = { enable_offline_push_notifications: 'true' }
    await must(sender, postRequest('/api/v1/settings', authorization, wanted).replace('POST', 'PATCH'))
    subscriptions.push(subscription)
  }
  return subscriptions
}

/** Sends mentions of one person, one after the other, and waits for the push of each. */
async function compareOne(
  scene: Scene,
  { name, channel, rounds }: { readonly name: string; readonly channel: string; readonly rounds: number },
  subscription: Subscription | undefined,
): Promise<Figure> {
  const { service, sql, people } = scene
  const [, reader] = people
  if (!reader || !subscription) throw new Error('there is no reader')
  const content = `@**Person ${reader.id}** look at this`
  const path = new URL(subscription.endpoint).pathname
  const found = await interleave(
    rounds,
    () =>
      measureEach(async () => {
        const arrived = service.receive(1)
        await send(scene, channel, content)
        expectEach(await arrived, [path])
      }),
    () =>
      measureEach(async () => {
        const arrived = service.receive(1)
        await sql`insert into bench_sent (content) values (${content})`
        await post(subscription)
        expectEach(await arrived, [path])
      }),
  )
  return compareLatencies(name, found, {}, { pushesChecked: (rounds + 1) * SENDS })
}

/** One message to everybody: each device is pushed to exactly once. */
async function pushToAll(scene: Scene, devices: readonly Subscription[], rounds: number): Promise<Figure> {
  const paths = devices.map(({ endpoint }) => new URL(endpoint).pathname)
  const rates: number[] = []
  const processorMs: number[] = []
  for (let round = -1; round < rounds; round++) {
    const [startMs, startCpuMs] = [performance.now(), cpuMsOf(scene)]
    const arrived = scene.service.receive(paths.length)
    await send(scene, EVERYBODY, `@**all** round ${round}`)
    expectEach(await arrived, paths)
    const rate = (1_000 * paths.length) / (performance.now() - startMs)
    await expectSettled(scene.sql)
    if (round < 0) continue
    rates.push(rate)
    processorMs.push((cpuMsOf(scene) - startCpuMs) / paths.length)
  }
  const notes = { rounds, 'processor ms of a worker for a push': percentile(processorMs, 0.5) }
  return noteSize('pushes of one message, by two workers', percentile(rates, 0.5), '/s', notes)
}

const cpuMsOf = ({ workers }: Scene) => workers.reduce((sum, { pid }) => sum + readCpuMs(pid), 0)

/** Messages to everybody while one of two workers is killed: the time until each push arrives, and how many arrive twice. */
async function killOne(scene: Scene, devices: readonly Subscription[]): Promise<Figure> {
  const { sql, service, workers } = scene
  const [row] = await sql<{ id: ChannelId }[]>`select id from channels where name = ${EVERYBODY}`
  if (!row) throw new Error('there is no channel')
  const topicOf = new Map<string, string>()
  for (const { endpoint, auth } of devices)
    for (const topic of TOPICS) {
      const place = { channelId: row.id, topic, userIds: null }
      topicOf.set(`${new URL(endpoint).pathname} ${markOf(place, Buffer.from(auth, 'base64url'))}`, topic)
    }
  const sentMs = new Map<string, number>()
  const killed = service.expect(topicOf.size / 2).then(() => workers[0]?.kill())
  for (const topic of TOPICS) {
    sentMs.set(topic, performance.now())
    await send(scene, EVERYBODY, '@**all** look', topic)
    await new Promise((resolve) => setTimeout(resolve, 1_000 - performance.now() + (sentMs.get(topic) ?? 0)))
  }
  await killed
  const arrivals = [...(await service.receive(topicOf.size))]
  await expectSettled(sql)
  arrivals.push(...(await service.receive(0)))
  const latenciesMs = new Map<string, number>()
  for (const { path, topic, atMs } of arrivals) {
    const push = `${path} ${topic}`
    const startMs = sentMs.get(topicOf.get(push) ?? '')
    if (startMs === undefined) throw new Error('a push arrived that nobody expected')
    if (!latenciesMs.has(push)) latenciesMs.set(push, atMs - startMs)
  }
  const all = [...latenciesMs.values()]
  return noteSize('p99 of pushes while a worker is killed', percentile(all, 0.99), 'ms', {
    pushes: all.length,
    p50: percentile(all, 0.5),
    'sent twice': arrivals.length - all.length,
  })
}

/** Milliseconds of each step. */
async function measureEach(step: () => Promise<void>): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let count = 0; count < SENDS; count++) {
    const startMs = performance.now()
    await step()
    latenciesMs.push(performance.now() - startMs)
  }
  return latenciesMs
}

function send({ sender, people }: Scene, channel: string, content: string, topic = 'news'): Promise<void> {
  const message = { type: 'channel', to: JSON.stringify(channel), topic, content }
  return must(sender, postRequest('/api/v1/messages', people[0]?.authorization ?? '', message))
}

async function must(connection: HttpConnection, text: string): Promise<void> {
  const { status, body } = await connection.ask(text)
  if (status !== 200) throw new Error(`a request answered ${status}: ${body}`)
}

/** One request to the push service, as bare as it can be. */
function post({ endpoint, p256dh, auth }: Subscription): Promise<void> {
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  return new Promise((resolve, reject) => {
    const outgoing = request(endpoint, { method: 'POST' }, (answer) => {
      answer.resume()
      answer.on('end', resolve)
    })
    outgoing.on('error', reject)
    outgoing.end(encryptWebPush(keys, PLAIN))
  })
}

/** The workers note that each push has left, so that none is sent again. */
async function expectSettled(sql: Sql): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const waiting = await sql`select from pushes where shown_at is null limit 1`
    if (waiting.count === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('a push that has left would be sent again')
}

function expectEach(arrived: readonly Arrival[], expected: readonly string[]): void {
  const paths = arrived.map(({ path }) => path)
  if (paths.toSorted().join() !== expected.toSorted().join())
    throw new Error(`of ${expected.length} pushes other ones arrived: ${arrived.length}`)
}
