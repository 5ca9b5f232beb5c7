/**
 * W26: a hundred thousand WebSocket clients at several web processes: the memory of each, a message to all of them, and a
 * restart of one process after the other, in which everybody comes back and misses nothing. Each figure is printed as soon
 * as it is known; after `TIME_MS_MAX` those that are known are shown, and nothing is published.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CrowdLoad } from '../load/crowd-load.ts'
import { HttpConnection, postRequest } from '../load/http-connection.ts'
import { boundSize, type Figure, noteSize, type Summary } from '../measure/figure.ts'
import { OutOfTime, runInTime } from '../measure/in-time.ts'
import { percentile } from '../measure/percentile.ts'
import { readRss } from '../measure/read-memory.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { registerQueues } from '../start/register-queues.ts'
import { type Remote, startRemote } from '../start/remote.ts'
import { type ParleyProcess, startParley } from '../start/start-parley.ts'
import { startRedis } from '../start/start-redis.ts'

const LOAD = join(import.meta.dirname, '../load/crowd-load.ts')
const DATA_DIR = join(import.meta.dirname, '../../data')
const CONNECTIONS = sized(100_000, 60)
/** Each has several clients. */
const PEOPLE = sized(10_000, 20)
/** The share of the open files of a process that its connections take: there must be room for those of one that restarts. */
const FILES_SHARE = 0.75
const CHANNEL = 'everybody'
/** Messages to all, one after the other. */
const SENDS = sized(10, 2)
/** Milliseconds between messages while processes restart: each is a delivery to all, which takes the processors a second. */
const STEADY_MS = sized(10_000, 100)
/** Milliseconds for all of it: with its start and its end it takes less than 25 minutes. */
const TIME_MS_MAX = 20 * 60_000
/** The part of it after which no further process restarts: closing one and the return of its clients take up to minutes. */
const RESTARTS_SHARE = 0.8
/** Milliseconds until freed memory is back. */
const SETTLE_MS = sized(3_000, 100)

/** All processes, and the clients. */
interface Scene {
  readonly startMs: number
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  readonly start: () => Promise<ParleyProcess>
  readonly servers: ParleyProcess[]
  readonly loads: readonly Remote<CrowdLoad>[]
  readonly sender: Person
}

export const connections: Work = {
  name: 'W26',
  title: `${CONNECTIONS} connected clients: memory, a message to all, a restart of each process`,
  limit: 'none: it is to show that it works',
  async run({ createDatabase, say }) {
    const redis = await startRedis()
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const processes = Math.max(2, Math.ceil(CONNECTIONS / (FILES_SHARE * readFilesMax())))
    const env = { REDIS_URL: redis.url, DATA_DIR, DATABASE_CONNECTIONS: '4' }
    const startMs = performance.now()
    const figures: Figure[] = []
    const report = (...found: readonly Figure[]) => {
      figures.push(...found)
      for (const { name, unit, ours, notes = {} } of found)
        say(`W26: ${name}: ${describe(ours)} ${unit} ${JSON.stringify(notes)}`)
    }
    const servers: ParleyProcess[] = []
    const loads = Array.from({ length: processes }, () => startRemote<CrowdLoad>(LOAD))
    try {
      const isWhole = await runInTime(TIME_MS_MAX, async (signal) => {
        const start = () => startParley(databaseUrl, { env, signal })
        while (servers.length < processes) servers.push(await start())
        await createChannels((servers[0] as ParleyProcess).port, people, [CHANNEL])
        const scene = { startMs, signal, start, servers, loads, sender: people[0] as Person }
        report(...(await connectAll(scene, people, say)))
        report(await sendToAll(scene))
        report(...(await restartEach(scene, say)))
      })
      if (!isWhole) throw new OutOfTime([...figures])
      return figures
    } finally {
      await Promise.all([...loads, ...servers].map((one) => one.close()))
      await redis.close()
    }
  },
}

/** The median, with the 99th percentile where there is one. */
function describe({ p50, p99 }: Summary): string {
  const digits = (value: number) => String(Number(value.toPrecision(4)))
  return p99 === undefined ? digits(p50) : `${digits(p50)}, p99 ${digits(p99)}`
}

/** Open files that a process of this machine may have. */
function readFilesMax(): number {
  return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
}

async function connectAll(
  { servers, loads }: Scene,
  people: readonly Person[],
  say: (line: string) => void,
): Promise<Figure[]> {
  const share = CONNECTIONS / servers.length
  const queues = await Promise.all(
    servers.map(({ port }, index) => {
      const length = Math.floor((index + 1) * share) - Math.floor(index * share)
      return registerQueues(port, people, length)
    }),
  )
  say(`W26: ${CONNECTIONS} queues at ${servers.length} processes are registered`)
  await wait(SETTLE_MS)
  const sum = () => servers.reduce((total, { pid }) => total + readRss(pid), 0)
  const before = { servers: sum(), kernel: readKernelBytes() }
  const ports = servers.map(({ port }) => port)
  await Promise.all(loads.map((load, index) => load.call('connect', queues[index] ?? [], ports)))
  say('W26: all are connected')
  await wait(SETTLE_MS)
  const perConnection = (bytes: number) => Math.round(bytes / CONNECTIONS)
  const resident = sum()
  const counts = { processes: servers.length, connections: CONNECTIONS, people: people.length }
  return [
    noteSize('a connection, resident', perConnection(resident - before.servers), 'B', counts),
    noteSize('a connection, in the kernel, both ends', perConnection(readKernelBytes() - before.kernel), 'B'),
    noteSize('a web process with its connections', resident / servers.length / 2 ** 20, 'MiB'),
  ]
}

/** Memory of the kernel's own objects, and of what waits in sockets. */
function readKernelBytes(): number {
  const slab = Number(/^Slab:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1])
  const pages = Number(/^TCP: .* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1])
  return 1_024 * slab + 4_096 * pages
}

async function sendToAll(scene: Scene): Promise<Figure> {
  const { loads, servers } = scene
  const tookMs: number[] = []
  for (let sent = 0; sent < SENDS; sent++) {
    await Promise.all(loads.map((load) => load.call('begin')))
    const startMs = performance.timeOrigin + performance.now()
    const id = await send(scene, (servers[0] as ParleyProcess).port)
    const lastMs = await Promise.all(loads.map((load) => load.call('receive', [id])))
    tookMs.push(Math.max(...lastMs) - startMs)
  }
  const figure = noteSize('a message until the last has it', percentile(tookMs, 0.5), 'ms', {
    deliveriesChecked: SENDS * CONNECTIONS,
  })
  return { ...figure, ours: { ...figure.ours, p99: percentile(tookMs, 0.99) } }
}

/** Replaces each process by a new one, while messages go on; as many as there is time for, at least one. */
async function restartEach(scene: Scene, say: (line: string) => void): Promise<Figure[]> {
  const { startMs: begunMs, loads, servers, start } = scene
  const isTime = () => performance.now() - begunMs < RESTARTS_SHARE * TIME_MS_MAX
  await Promise.all(loads.map((load) => load.call('begin')))
  const sending = new AbortController()
  const ids = sendSteadily(scene, AbortSignal.any([sending.signal, scene.signal]))
  ids.catch(() => undefined) // Thrown where it is awaited, once the processes have restarted.
  const tookSeconds: number[] = []
  let awayMs = 0
  let returns = 0
  for (const old of servers.slice()) {
    if (tookSeconds.length > 0 && !isTime()) break
    const startMs = performance.now()
    servers.splice(servers.indexOf(old), 1)
    await Promise.all(loads.map((load) => load.call('leave', old.port)))
    await old.close()
    const back = await Promise.all(loads.map((load) => load.call('returned')))
    tookSeconds.push((performance.now() - startMs) / 1_000)
    for (const one of back) {
      awayMs = Math.max(awayMs, one.longestAwayMs)
      returns += one.returns
    }
    const fresh = await start()
    servers.push(fresh)
    await Promise.all(loads.map((load) => load.call('meet', fresh.port)))
    say(
      `W26: ${tookSeconds.length} of ${loads.length} processes have restarted, the latest until all were back in ` +
        `${tookSeconds.at(-1)?.toFixed(1)} s; ${returns} clients came back, after up to ${(awayMs / 1_000).toFixed(1)} s`,
    )
  }
  sending.abort()
  const sent = await ids
  await Promise.all(loads.map((load) => load.call('receive', sent)))
  const isEach = tookSeconds.length === loads.length
  if (isEach && returns < CONNECTIONS) throw new Error(`${returns} clients came back, fewer than there are`)
  return [
    noteSize('a restart of one process until all are back', percentile(tookSeconds, 0.5), 's', {
      slowest: Math.max(...tookSeconds),
      restarted: tookSeconds.length,
      returns,
    }),
    boundSize(
      'the longest that one was away',
      awayMs / 1_000,
      { unit: 's', max: 30 },
      {
        'messages meanwhile, each once for all': sent.length,
      },
    ),
  ]
}

/** Sends until the signal, to a process that takes requests; returns the ids. */
async function sendSteadily(scene: Scene, signal: AbortSignal): Promise<number[]> {
  const ids: number[] = []
  while (!signal.aborted) {
    ids.push(await send(scene, (scene.servers.at(-1) as ParleyProcess).port))
    await wait(STEADY_MS)
  }
  return ids
}

async function send({ sender }: Scene, port: number): Promise<number> {
  const connection = await HttpConnection.open(port)
  const fields = { type: 'channel', to: JSON.stringify(CHANNEL), topic: 'crowd', content: 'to everybody' }
  const { status, body } = await connection.ask(postRequest('/api/v1/messages', sender.authorization, fields))
  connection.close()
  if (status !== 200) throw new Error(`a send answered ${status}: ${body}`)
  return (JSON.parse(body) as { id: number }).id
}
