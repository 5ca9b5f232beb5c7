/** W11: the memory of the server at its start, per idle queue, and per parked poll. */

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { BareImports } from '../limits/bare-imports.ts'
import type { BareService } from '../limits/bare-service.ts'
import type { FanOutLimit } from '../limits/fan-out-server.ts'
import type { FanOutLoad } from '../load/fan-out-load.ts'
import { boundSize, compareSizes, type Figure } from '../measure/figure.ts'
import { interleave } from '../measure/interleave.ts'
import { readRss, readTreeMemory } from '../measure/read-memory.ts'
import type { BenchContext, Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { registerQueues } from '../start/register-queues.ts'
import { startEverything } from '../start/start-everything.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const BENCH = join(import.meta.dirname, '..')
const MIB = 2 ** 20
/** Milliseconds after which a process has finished its deferred start-up work. */
const SETTLE_MS = sized(1_500, 200)
/** Milliseconds after which the pools of a server without requests have closed their idle connections. */
const QUIET_MS = sized(30_000, 500)
const EVERYTHING_MIB_MAX = 180
/** Starts of each side: their memory differs by a hundredth. */
const ROUNDS_MAX = 3
const PEOPLE = sized(1_000, 50)
const QUEUES = sized(10_000, 200)
/** Queues registered before the measured ones, which would otherwise include compiled code and caches. */
const EARLIER_QUEUES = sized(1_000, 50)

export const memory: Work = {
  name: 'W11',
  title: 'memory at start, of all that npm start starts, of each idle queue, of each parked poll',
  limit: 'bare node with the same imports; bare node and an idle PostgreSQL; bare uWebSockets.js',
  async run(context) {
    // The second waits for most of the time, and memory does not depend on other load.
    const [own, everything] = await Promise.all([
      measureStart(context).then(async (start) => ({ start, queues: await measureQueues(context) })),
      measureEverything(),
    ])
    return [own.start, everything, ...own.queues]
  },
}

/** The database, Redis, the web process with the jobs, and the launcher, of the demo organization; npm apart. */
async function measureEverything(): Promise<Figure> {
  const everything = await startEverything()
  const bare = startRemote<BareService>(join(BENCH, 'limits/bare-service.ts'))
  try {
    await bare.call('isReady')
    await wait(QUIET_MS)
    const programs = [...readTreeMemory(everything.pid)].map(([name, bytes]) => [name, bytes / MIB] as const)
    const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
    const ours = sum(programs.map(([, mib]) => mib))
    const limit = sum([...readTreeMemory(bare.pid).values()]) / MIB
    const target = { unit: 'MiB', max: EVERYTHING_MIB_MAX }
    const figure = boundSize('all of npm start', ours, target, Object.fromEntries(programs))
    return { ...figure, limit: { p50: limit, p99: undefined }, ratio: ours / limit }
  } finally {
    await Promise.all([everything.close(), bare.call('stop')])
    await bare.close()
  }
}

async function measureStart({ createDatabase, rounds }: BenchContext): Promise<Figure> {
  const databaseUrl = await createDatabase()
  await createPeople(databaseUrl, 100)
  const found = await interleave(
    Math.min(rounds, ROUNDS_MAX),
    async () => {
      const parley = await startParley(databaseUrl)
      await wait(SETTLE_MS)
      const rss = readRss(parley.pid)
      await parley.close()
      return rss / MIB
    },
    async () => {
      const bare = startRemote<BareImports>(join(BENCH, 'limits/bare-imports.ts'))
      await bare.call('isReady')
      await wait(SETTLE_MS)
      const rss = readRss(bare.pid)
      await bare.close()
      return rss / MIB
    },
  )
  return compareSizes('at start', found, { unit: 'MiB', max: 2 })
}

async function measureQueues({ createDatabase, say }: BenchContext): Promise<Figure[]> {
  const databaseUrl = await createDatabase()
  const people = await createPeople(databaseUrl, PEOPLE)
  const parley = await startParley(databaseUrl, {
    env: { LONGPOLL_SECONDS: '80' },
    nodeFlags: ['--expose-gc', '--import', join(BENCH, 'start/report-memory.ts')],
  })
  const load = startRemote<FanOutLoad>(join(BENCH, 'load/fan-out-load.ts'))
  const bareLoad = startRemote<FanOutLoad>(join(BENCH, 'load/fan-out-load.ts'))
  const bare = startRemote<FanOutLimit>(join(BENCH, 'limits/fan-out-server.ts'), ['--expose-gc'])
  try {
    await createChannels(parley.port, people, ['everybody'])
    await registerQueues(parley.port, people, EARLIER_QUEUES)
    await wait(SETTLE_MS)
    const start = await parley.askMemory()
    const clients = await registerQueues(parley.port, people, QUEUES)
    await wait(SETTLE_MS)
    const idle = await parley.askMemory()
    say(`${QUEUES} queues are registered`)

    const listener = { clients, transport: 'long poll', senderAuthorization: '', channel: '' } as const
    await load.call('connect', { ...listener, port: parley.port })
    await wait(SETTLE_MS)
    const parked = await parley.askMemory()
    await load.close()

    const port = await bare.call('start', { template: '', firstId: 0 })
    const bareStart = await bare.call('memory')
    await bareLoad.call('connect', { ...listener, port })
    await wait(SETTLE_MS)
    const bareParked = await bare.call('memory')
    const count = await bare.call('countParked')
    if (count !== QUEUES) throw new Error(`${count} requests are parked at the limit rather than ${QUEUES}`)

    const perQueue = (bytes: number) => Math.round(bytes / QUEUES)
    return [
      boundSize(
        'idle queue',
        perQueue(used(idle) - used(start)),
        { unit: 'B', max: 2_048 },
        { queues: QUEUES, residentBytes: perQueue(idle.rss - start.rss) },
      ),
      compareSizes(
        'parked poll, resident',
        [{ ours: perQueue(parked.rss - idle.rss), limit: perQueue(bareParked.rss - bareStart.rss) }],
        { unit: 'B' },
        { queues: QUEUES, heapBytes: perQueue(used(parked) - used(idle)) },
      ),
    ]
  } finally {
    await Promise.all([load.close(), bareLoad.close(), bare.close(), parley.close()])
  }
}

/** Bytes in use by JavaScript, whether or not free memory was returned to the system. */
function used({ heapUsed, external }: NodeJS.MemoryUsage): number {
  return heapUsed + external
}
