/** W12: whether memory and latencies stay as they are over a mixed day, in which nothing is lost. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DayLoad, DayLatencies } from '../load/day-load.ts'
import { boundSize, type Figure } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { fillChannels } from '../start/fill-channels.ts'
import { registerQueues } from '../start/register-queues.ts'
import { startRemote } from '../start/remote.ts'
import { startParley } from '../start/start-parley.ts'

const BENCH = join(import.meta.dirname, '..')
const MIB = 2 ** 20
/** `PARLEY_BENCH_MINUTES` makes the day shorter, down to three. */
const MINUTES = Math.max(3, Number(process.env.PARLEY_BENCH_MINUTES ?? 10))
const MINUTE_MS = 60_000
const PEOPLE = 300
/** So few that each send brings about as many polls as the mix has. */
const PEOPLE_PER_CHANNEL = 5
/** Messages of each channel at the start of the day: more than a server holds of it. */
const HISTORY = 300
/** Milliseconds after which the server knows of them. */
const CATCH_UP_MS = 3_000
/** Requests a second but polls, which come to 0.79 of them. */
const PER_SECOND = 112
const MEMORY_DRIFT_MAX = 5
const P99_DRIFT_MAX = 10
/** What a client waits for all day; searches and files take what they take. */
const SHORT = ['presence', 'send', 'read', 'flag'] as const

interface Minute {
  readonly heapMib: number
  readonly rssMib: number
  readonly p99Ms: number
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
      for (let number = 1; number <= MINUTES; number++) {
        const { polls, ...latencies } = await load.call('live', { ms: MINUTE_MS, perSecond: PER_SECOND })
        const { heapUsed, external, rss } = await parley.askMemory()
        const p99Ms = p99Of(latencies)
        minutes.push({ heapMib: (heapUsed + external) / MIB, rssMib: rss / MIB, p99Ms })
        say(
          `minute ${number}: ${describe(minutes.at(-1) as Minute)}, ${polls} polls; ${describeKinds(latencies)}`,
        )
      }
      const { messages, deliveries } = await load.call('finish')
      say(`${messages} messages came to their ${deliveries} readers once and in order`)
      return [
        drift('heap', minutes, ({ heapMib }) => heapMib, MEMORY_DRIFT_MAX),
        drift('resident', minutes, ({ rssMib }) => rssMib, MEMORY_DRIFT_MAX),
        drift('p99', minutes, ({ p99Ms }) => p99Ms, P99_DRIFT_MAX),
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

/** How much more it is in the last minute than in the second, in percent. */
function drift(
  name: string,
  minutes: readonly Minute[],
  of: (minute: Minute) => number,
  max: number,
): Figure {
  const [second, last] = [minutes[1] as Minute, minutes.at(-1) as Minute]
  const percent = (100 * (of(last) - of(second))) / of(second)
  const notes = Object.fromEntries(minutes.map((minute, index) => [`minute ${index + 1}`, round(of(minute))]))
  return boundSize(`${name} drift`, round(percent), { unit: '%', max }, notes)
}

const round = (value: number) => Math.round(value * 10) / 10

function describe({ heapMib, rssMib, p99Ms }: Minute): string {
  return `heap ${round(heapMib)} MiB, resident ${round(rssMib)} MiB, p99 ${round(p99Ms)} ms`
}

function describeKinds(latencies: DayLatencies): string {
  return Object.entries(latencies)
    .map(([kind, samples]) => `${kind} ${samples.length} p99 ${round(percentile(samples, 0.99))}`)
    .join(', ')
}
