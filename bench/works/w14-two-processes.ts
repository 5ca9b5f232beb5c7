/**
 * W14: how much more two web processes do than one. Each process shares a core with its own load, and the database with
 * Redis runs on both cores, so that on two cores, too, the second process adds a whole core.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { WantedRead } from '../load/read-load.ts'
import { compareRates, compareSizes, type Figure, noteSize, type Round } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import type { Work } from '../measure/work.ts'
import { fetchSample } from '../start/fetch-sample.ts'
import { type Deployment, type DeployedProcess, startDeployment } from '../start/start-deployment.ts'
import { startRedis } from '../start/start-redis.ts'
import { sized } from '../measure/sizes.ts'

/** WebSockets at each process. */
const LISTENERS = sized(300, 20)
/** Messages of a turn at a steady rate, at which no process combines messages. */
const STEADY = { count: sized(45, 10), perSecond: 60 }
/** Messages of a turn as fast as they are delivered. */
const FAST = { count: sized(200, 20), window: 8 }
const IN_FLIGHT = 64
const READ_CONNECTIONS = 16
/** Of a turn of reads or sends. */
const TURN_MS = sized(800, 200)
/** Of a figure that docs/capacity.md needs with two digits. */
const FOLLOWING_ROUNDS = sized(3, 1)
/** Reads that are answered from memory, as in W2: others measure the database. */
const PATHS = [
  '/api/v1/users/1',
  '/api/v1/streams',
  '/api/v1/users/me/subscriptions',
  '/api/v1/realm/presence',
]

/** The work of one turn, and the processor time of each process. */
interface Turn {
  readonly perSecond: number
  readonly count: number
  readonly cpuMs: readonly number[]
}

export const twoProcesses: Work = {
  name: 'W14',
  title: 'two web processes, each on a core',
  limit: 'one web process on a core',
  async run({ createDatabase, rounds, say }) {
    const redis = await startRedis()
    const deployments: Deployment[] = []
    try {
      const clients = { listeners: LISTENERS, senders: IN_FLIGHT, readConnections: READ_CONNECTIONS }
      for (const more of [{ processes: 2, redisUrl: redis.url }, { processes: 1 }])
        deployments.push(await startDeployment(await createDatabase(), { ...clients, ...more }))
      const [two, one] = deployments as [Deployment, Deployment]
      if (!two.isPinned) say('W14: without taskset the processes move between cores')
      const compare = (turn: (deployment: Deployment, round: number) => Promise<Turn>) =>
        interleave(
          rounds,
          (round) => turn(two, round),
          (round) => turn(one, round),
        )
      const wanted = new Map<Deployment, WantedRead[]>()
      for (const deployment of deployments) wanted.set(deployment, await findReads(deployment))
      const reads = await compare((deployment, round) =>
        read(deployment, { wanted: wanted.get(deployment) ?? [], ms: turnLength(round, TURN_MS) }),
      )
      const steady = await compare((deployment) => deliver(deployment, 'steady'))
      const fast = await compare((deployment) => deliver(deployment, 'fast'))
      const gapsBefore = await countGaps(two)
      const sends = await compare(send)
      const gaps = (await countGaps(two)) - gapsBefore
      const following = await measureFollowing(two)
      return [
        ...describe('reads', reads, 1.8),
        rates('deliveries', fast, ({ perSecond }) => perSecond, { unit: '/s', min: 1.8 }),
        rates('deliveries', steady, byProcessor, { unit: '/s by processor time', min: 1.8 }),
        compareDeliveries(steady),
        ...describe('sends', sends, 1, { 'gaps in the broadcast': gaps }),
        following,
      ]
    } finally {
      await Promise.all(deployments.map((deployment) => deployment.close()))
      await redis.close()
    }
  },
}

/** Both rates of a work: with everything on the machine, and by the processor time of the servers alone. */
function describe(
  name: string,
  rounds: readonly Round<Turn>[],
  min: number,
  notes?: Figure['notes'],
): Figure[] {
  const more = notes === undefined ? {} : { notes }
  return [
    rates(name, rounds, ({ perSecond }) => perSecond, { unit: '/s', min, ...more }),
    rates(name, rounds, byProcessor, { unit: '/s by processor time', min, ...more }),
  ]
}

function rates(
  name: string,
  rounds: readonly Round<Turn>[],
  of: (turn: Turn) => number,
  { notes, ...target }: { readonly unit: string; readonly min: number; readonly notes?: Figure['notes'] },
): Figure {
  const perCount = (side: keyof Round<Turn>, index: number) =>
    percentile(
      rounds.map((round) => (1_000 * (round[side].cpuMs[index] ?? 0)) / round[side].count),
      0.5,
    )
  return compareRates(
    name,
    rounds.map(({ ours, limit }) => ({ ours: of(ours), limit: of(limit) })),
    target,
    {
      'µs of the first for each of all': perCount('ours', 0),
      'µs of the second': perCount('ours', 1),
      'µs of one alone': perCount('limit', 0),
      ...notes,
    },
  )
}

/** The rate at which the servers would fill their cores, if they had them alone and equal shares of the work. */
function byProcessor({ count, cpuMs }: Turn): number {
  return (1_000 * count * cpuMs.length) / sum(cpuMs)
}

/** The second process neither accepts nor commits the messages that it delivers. */
function compareDeliveries(rounds: readonly Round<Turn>[]): Figure {
  const us = (cpuMs: number | undefined) => (1_000 * (cpuMs ?? 0)) / (STEADY.count * LISTENERS)
  return compareSizes(
    'a delivery of the second process',
    rounds.map(({ ours }) => ({ ours: us(ours.cpuMs[1]), limit: us(ours.cpuMs[0]) })),
    { unit: 'µs', max: 1.2 },
    {
      'µs of one alone': percentile(
        rounds.map(({ limit }) => us(limit.cpuMs[0])),
        0.5,
      ),
    },
  )
}

async function findReads({ people, processes }: Deployment): Promise<WantedRead[]> {
  const { port } = (processes[0] as DeployedProcess).server
  const reads: WantedRead[] = []
  for (const { authorization } of people.slice(0, READ_CONNECTIONS)) {
    for (const path of PATHS) {
      const { tail } = await fetchSample(port, path, authorization)
      reads.push({ path, authorization, tail })
    }
  }
  return reads
}

function read(
  { processes }: Deployment,
  { wanted, ms }: { readonly wanted: readonly WantedRead[]; readonly ms: number },
): Promise<Turn> {
  return measure(processes, async () => {
    const found = await Promise.all(processes.map(({ reads }) => reads.call('read', { reads: wanted, ms })))
    const perSecond = sum(found)
    return { perSecond, count: (perSecond * ms) / 1_000 }
  })
}

/** The first process gets the messages, and each delivers them to its listeners. */
async function deliver({ processes }: Deployment, speed: 'steady' | 'fast'): Promise<Turn> {
  const loads = processes.map(({ deliveries }) => deliveries)
  const [first] = loads
  if (!first) throw new Error('there is no process')
  await Promise.all(loads.map((load) => load.call('begin')))
  return measure(processes, async () => {
    const startMs = performance.now()
    const ids =
      speed === 'steady' ? await first.call('sendSteadily', STEADY) : await first.call('sendInWindow', FAST)
    await Promise.all(loads.map((load) => load.call('receive', ids)))
    const count = ids.length * LISTENERS * processes.length
    return { count, perSecond: (1_000 * count) / (performance.now() - startMs) }
  })
}

function send({ processes }: Deployment, round: number): Promise<Turn> {
  const ms = turnLength(round, TURN_MS)
  return measure(processes, async () => {
    const found = await Promise.all(processes.map(({ sends }) => sends.call('send', { ms })))
    const ids = new Set(found.flatMap((sent) => sent.ids))
    const count = sum(found.map((sent) => sent.ids.length))
    if (ids.size !== count) throw new Error('two sends were answered with the same id')
    return { count, perSecond: sum(found.map(({ perSecond }) => perSecond)) }
  })
}

/** The processor time that a process spends on a message of another one, without listeners, beyond that of idling. */
async function measureFollowing({ processes }: Deployment): Promise<Figure> {
  const found = await interleave(
    FOLLOWING_ROUNDS,
    () =>
      measure(processes, async () => {
        const sent = await processes[0]?.sends.call('send', { ms: TURN_MS })
        return { count: sent?.ids.length ?? 0, perSecond: sent?.perSecond ?? 0 }
      }),
    () => measure(processes, async () => ({ count: await wait(TURN_MS, 0), perSecond: 0 })),
  )
  const us = found.map(
    ({ ours, limit: idle }) => (1_000 * ((ours.cpuMs[1] ?? 0) - (idle.cpuMs[1] ?? 0))) / ours.count,
  )
  return noteSize('a message of another process', percentile(us, 0.5), 'µs')
}

/** Broadcasts that arrived before an earlier one; if it is late, the log is read. */
async function countGaps({ processes }: Deployment): Promise<number> {
  const texts = await Promise.all(
    processes.map(async ({ server }) => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()),
  )
  return sum(texts.map((text) => Number(/^parley_log_gaps_total (\d+)/m.exec(text)?.[1])))
}

async function measure(
  processes: readonly DeployedProcess[],
  work: () => Promise<{ readonly count: number; readonly perSecond: number }>,
): Promise<Turn> {
  const read = () => processes.map(({ server }) => readCpuMs(server.pid))
  const before = read()
  const found = await work()
  return { ...found, cpuMs: read().map((ms, index) => ms - (before[index] as number)) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
