/** W19: how the cost of everyday work grows with the users and the channels of the organization. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GrowthLoad, GrowthTarget } from '../load/growth-load.ts'
import { compareSizes, type Figure, noteSize } from '../measure/figure.ts'
import { drawGrowth, type GrowthSeries, lineThrough } from '../measure/growth-chart.ts'
import { percentile } from '../measure/percentile.ts'
import type { BenchContext, Work } from '../measure/work.ts'
import type { Person } from '../start/create-people.ts'
import { registerQueues } from '../start/register-queues.ts'
import { type Remote, startRemote } from '../start/remote.ts'
import { OWNER_ID, seedOrganization } from '../start/seed-organization.ts'
import { type ParleyProcess, startParley } from '../start/start-parley.ts'
import { isShort, sized } from '../measure/sizes.ts'

const BENCH = join(import.meta.dirname, '..')
const CHART = join(BENCH, '../docs/growth.svg')
const USERS = sized([100, 1_000, 10_000, 100_000], [50, 100, 150])
/** A line through two small numbers of channels would have the slope of the noise. */
const CHANNELS = sized([1, 1_000, 3_000, 10_000], [1, 20, 40])
/** Of the sizes with more or fewer of the other. */
const USERS_FIXED = sized(1_000, 100)
const CHANNELS_FIXED = 1
/** Requests of one turn. */
const COUNTS = { send: 20, register: 5, report: 20 } as const
/** Registrations before the first turn: by then a server has compressed what it caches. */
const WARM_UPS = sized(15, 3)
/** Queues of one sample, and samples; a first one is not counted, since it fills caches. */
const QUEUES = sized(500, 50)
const QUEUE_SAMPLES = sized(3, 1)
/** Users with queues; the server allows 1,000 of each. */
const QUEUE_OWNERS = 10
const TIMES_MAX = 1.2

const WORKS = { send: 'a send', register: 'a registration', report: 'a presence report' } as const
type Kind = keyof typeof WORKS
const KINDS = Object.keys(WORKS) as Kind[]

/** A server with an organization of one size, and what was measured. */
interface Size {
  readonly users: number
  readonly channels: number
  readonly parley: ParleyProcess
  readonly target: GrowthTarget
  readonly people: readonly Person[]
  readonly ms: Readonly<Record<Kind, number[]>>
  readonly queueBytes: number[]
  /** Used memory, once it has answered registrations. */
  usedBytes: number
}

export const growth: Work = {
  name: 'W19',
  title: `growth up to ${USERS.at(-1)?.toLocaleString('en')} users and ${CHANNELS.at(-1)?.toLocaleString('en')} channels`,
  limit: 'a straight line through the two smallest sizes',
  async run(context) {
    const sizes: Size[] = []
    const load = startRemote<GrowthLoad>(join(BENCH, 'load/growth-load.ts'))
    try {
      const started = await Promise.allSettled(
        listSizes().map(([users, channels]) => start(context, users, channels)),
      )
      for (const one of started) if (one.status === 'fulfilled') sizes.push(one.value)
      for (const one of started) if (one.status === 'rejected') throw one.reason
      context.say('W19: all sizes are running')
      for (const size of sizes) await load.call('register', size.target, WARM_UPS)
      for (let round = -1; round < context.rounds; round++) {
        for (const size of sizes) await takeTurn(load, size, round)
      }
      for (const size of sizes) await measureQueues(size)
      const series = [...seriesOf(sizes, 'users', USERS), ...seriesOf(sizes, 'channels', CHANNELS)]
      if (!isShort) writeFileSync(CHART, drawGrowth(series))
      return [...series.map(compare), measureUsers(sizes)]
    } finally {
      await Promise.all([load.close(), ...sizes.map(({ parley }) => parley.close())])
    }
  },
}

function listSizes(): (readonly [users: number, channels: number])[] {
  const others = CHANNELS.filter((channels) => channels !== CHANNELS_FIXED)
  return [
    ...USERS.map((users) => [users, CHANNELS_FIXED] as const),
    ...others.map((channels) => [USERS_FIXED, channels] as const),
  ]
}

/** All users are in the first channel, and each in one other. */
async function start({ createDatabase }: BenchContext, users: number, channels: number): Promise<Size> {
  const databaseUrl = await createDatabase()
  const owners = Array.from({ length: QUEUE_OWNERS }, (_, index) => index + OWNER_ID)
  const { people } = await seedOrganization(
    databaseUrl,
    {
      users,
      channels,
      subscribe: async (sql) => {
        const { count } = await sql`insert into subscription_spans (channel_id, user_id, from_id)
          select distinct c, u, (select last_id from event_counter)
          from generate_series(1, ${users}::int) u, unnest(array[1, 1 + u % ${channels}::int]) c`
        return count
      },
    },
    owners,
  )
  const parley = await startParley(databaseUrl, {
    nodeFlags: ['--expose-gc', '--import', join(BENCH, 'start/report-memory.ts')],
  })
  const { authorization = '' } = people[0] ?? {}
  const target = { port: parley.port, authorization, channel: 'channel 1', users, channels }
  return {
    users,
    channels,
    parley,
    target,
    people,
    ms: { send: [], register: [], report: [] },
    queueBytes: [],
    usedBytes: 0,
  }
}

async function takeTurn(load: Remote<GrowthLoad>, { target, ms }: Size, round: number): Promise<void> {
  for (const kind of KINDS) {
    const found = await load.call(kind, target, COUNTS[kind])
    if (round >= 0) ms[kind].push(...found)
  }
}

async function measureQueues(size: Size): Promise<void> {
  const { parley, people, queueBytes } = size
  const bytes = async () => {
    const { heapUsed, external } = await parley.askMemory()
    return heapUsed + external
  }
  size.usedBytes = await bytes()
  for (let sample = -1; sample < QUEUE_SAMPLES; sample++) {
    const before = await bytes()
    await registerQueues(parley.port, people, QUEUES)
    if (sample >= 0) queueBytes.push(((await bytes()) - before) / QUEUES)
  }
}

/** The memory of a user in each process, with the encoded forms that registrations send. */
function measureUsers(sizes: readonly Size[]): Figure {
  const [small, large] = [sizes[0], sizes[USERS.length - 1]] as [Size, Size]
  const bytes = (large.usedBytes - small.usedBytes) / (large.users - small.users)
  return noteSize('a user in memory', bytes, 'B', { users: large.users })
}

/** One series for each kind of work; the sizes differ in one of users and channels. */
function seriesOf(
  sizes: readonly Size[],
  axis: 'users' | 'channels',
  values: readonly number[],
): GrowthSeries[] {
  const fixed = axis === 'users' ? { channels: CHANNELS_FIXED } : { users: USERS_FIXED }
  const chosen = values.map((value) => {
    const wanted = { ...fixed, [axis]: value }
    const size = sizes.find(
      ({ users, channels }) => users === (wanted.users ?? value) && channels === (wanted.channels ?? value),
    )
    if (!size) throw new Error(`no server has ${value} ${axis}`)
    return { value, size }
  })
  const points = (of: (size: Size) => readonly number[]) =>
    chosen.map(({ value, size }) => ({ size: value, cost: percentile(of(size), 0.5) }))
  return [
    ...KINDS.map((kind) => ({ work: WORKS[kind], axis, unit: 'ms', points: points(({ ms }) => ms[kind]) })),
    { work: 'an idle queue', axis, unit: 'B', points: points(({ queueBytes }) => queueBytes) },
  ]
}

/** The worst of the sizes after the first two. */
function compare({ work, axis, unit, points }: GrowthSeries): Figure {
  const line = lineThrough(points)
  const later = points.slice(2).map(({ size, cost }) => ({ size, ours: cost, limit: line(size) }))
  const worst = later.reduce((a, b) => (b.ours / b.limit > a.ours / a.limit ? b : a))
  const notes = Object.fromEntries(points.map(({ size, cost }) => [`${size} ${axis}`, cost]))
  return compareSizes(`${work}, by ${axis}`, [worst], { unit, max: TIMES_MAX }, notes)
}
