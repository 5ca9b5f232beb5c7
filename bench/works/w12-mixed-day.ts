/** W12: whether memory and latencies stay constant over a mixed day without lost messages. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DayLatencies, DayLoad, DayStretch } from '../load/day-load.ts'
import { boundSize, type Figure } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { fillChannels } from '../start/fill-channels.ts'
import { registerQueues } from '../start/register-queues.ts'
import { startRemote } from '../start/remote.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

const BENCH = join(import.meta.dirname, '..')
const MIB = 2 ** 20
/** `PARLEY_BENCH_MINUTES` shortens the day, down to three. */
const MINUTES = sized(Math.max(3, Number(process.env.PARLEY_BENCH_MINUTES ?? 10)), 2)
/** The stretches of a minute, each with its own p99: a burst of other load spoils one, not their median. */
const STRETCHES = sized(6, 2)
const STRETCH_MS = sized(60_000 / STRETCHES, 1_000)
const PEOPLE = sized(300, 30)
/** Few enough that each send causes about as many polls as the mix has. */
const PEOPLE_PER_CHANNEL = 5
/** Messages of each channel at the start of the day: more than a server caches. */
const HISTORY = sized(300, 50)
/** Milliseconds after which the server has them. */
const CATCH_UP_MS = 3_000
/** Requests per second without polls, which add 0.79 of that. */
const PER_SECOND = 112
const MEMORY_DRIFT_MAX = 5
const P99_DRIFT_MAX = 10
/** The requests that clients often wait for; searches and files may be slower. */
const SHORT = ['presence', 'send', 'read', 'flag'] as const

interface Minute {
  /** Of JavaScript objects. */
  readonly heapMib: number
  /** Of buffers. */
  readonly externalMib: number
  readonly rssMib: number
  /** Of the server. */
  readonly processorMs: number
  /** Of each stretch. */
  readonly p99sMs: readonly number[]
}

export const mixedDay: Work = {
  name: 'W12',
  title: `${MINUTES} minutes of a mixed day`,
  limit: 'its own second minute',
  async run({ createDatabase, say }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const dataFolder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
    const parley = await startParley(databaseUrl, {
      env: { DATA_DIR: dataFolder },
      nodeFlags: ['--expose-gc', '--import', join(BENCH, 'start/report-memory.ts')],
    })
    const load = startRemote<DayLoad>(join(BENCH, 'load/day-load.ts'))
    try {
      const channelOf = (index: number) => `channel ${Math.floor(index / PEOPLE_PER_CHANNEL)}`
      for (let start = 0; start < PEOPLE; start += PEOPLE_PER_CHANNEL)
        await createChannels(parley.port, people.slice(start, start + PEOPLE_PER_CHANNEL), [channelOf(start)])
      const names = [...new Set(people.map((_, index) => channelOf(index)))]
      await fillChannels(databaseUrl, names, HISTORY)
      await wait(CATCH_UP_MS)
      const queues = new Map(
        (await registerQueues(parley.port, people, PEOPLE)).map((queue) => [queue.authorization, queue]),
      )
      const clients = people.map(({ id, authorization }, index) => {
        const queue = queues.get(authorization)
        if (!queue) throw new Error(`person ${id} has no queue`)
        return { ...queue, id, channel: channelOf(index) }
      })
      await load.call('start', { port: parley.port, people: clients })
      const minutes: Minute[] = []
      let { processorMs: processorMsBefore } = await parley.askMemory()
      for (let number = 1; number <= MINUTES; number++) {
        const stretches: DayStretch[] = []
        for (let count = 0; count < STRETCHES; count++)
          stretches.push(await load.call('live', { ms: STRETCH_MS, perSecond: PER_SECOND }))
        const { heapUsed, external, rss, processorMs } = await parley.askMemory()
        const minute: Minute = {
          heapMib: heapUsed / MIB,
          externalMib: external / MIB,
          rssMib: rss / MIB,
          processorMs: processorMs - processorMsBefore,
          p99sMs: stretches.map(p99Of),
        }
        processorMsBefore = processorMs
        minutes.push(minute)
        say(`minute ${number}: ${describe(minute)}; ${describeKinds(stretches)}`)
      }
      const { messages, deliveries } = await load.call('finish')
      say(`${messages} messages came to their ${deliveries} readers once and in order`)
      return [
        memoryDrift('heap', minutes, ({ heapMib, externalMib }) => heapMib + externalMib),
        memoryDrift('resident', minutes, ({ rssMib }) => rssMib),
        p99Drift(minutes),
      ]
    } finally {
      await Promise.all([load.close(), parley.close()])
      await rm(dataFolder, { recursive: true, force: true })
    }
  },
}

function p99Of(latencies: DayLatencies): number {
  return percentile(
    SHORT.flatMap((kind) => latencies[kind]),
    0.99,
  )
}

/** The growth of memory between the second and the last minute, in percent. */
function memoryDrift(name: string, minutes: readonly Minute[], of: (minute: Minute) => number): Figure {
  const percent = percentBeyond(of(minutes[1] as Minute), of(minutes.at(-1) as Minute))
  return boundSize(`${name} drift`, percent, { unit: '%', max: MEMORY_DRIFT_MAX }, eachMinute(minutes, of))
}

/**
 * The growth of latencies between the first third of the day, without its first minute, and the last third, in percent.
 */
function p99Drift(minutes: readonly Minute[]): Figure {
  const third = Math.max(1, Math.floor((minutes.length - 1) / 3))
  const percent = percentBeyond(p99Over(minutes.slice(1, 1 + third)), p99Over(minutes.slice(-third)))
  return boundSize(
    'p99 drift',
    percent,
    { unit: '%', max: P99_DRIFT_MAX },
    eachMinute(minutes, (minute) => p99Over([minute])),
  )
}

/** The median of the stretches. */
function p99Over(minutes: readonly Minute[]): number {
  return percentile(
    minutes.flatMap(({ p99sMs }) => p99sMs),
    0.5,
  )
}

const percentBeyond = (first: number, last: number) => round((100 * (last - first)) / first)

function eachMinute(minutes: readonly Minute[], of: (minute: Minute) => number): Record<string, number> {
  return Object.fromEntries(minutes.map((minute, index) => [`minute ${index + 1}`, round(of(minute))]))
}

const round = (value: number) => Math.round(value * 10) / 10

function describe(minute: Minute): string {
  const { heapMib, externalMib, rssMib, processorMs } = minute
  return (
    `heap ${round(heapMib)} MiB and ${round(externalMib)} of buffers, resident ${round(rssMib)} MiB, ` +
    `p99 ${round(p99Over([minute]))} ms, processor ${round(processorMs / 1_000)} s`
  )
}

function describeKinds(stretches: readonly DayStretch[]): string {
  const kinds = Object.keys(stretches[0] as DayStretch) as (keyof DayStretch)[]
  return kinds
    .map((kind) => {
      if (kind === 'polls') return `${stretches.reduce((sum, { polls }) => sum + polls, 0)} polls`
      const samples = stretches.flatMap((stretch) => stretch[kind])
      return `${kind} ${samples.length} p99 ${round(percentile(samples, 0.99))}`
    })
    .join(', ')
}
