/** W2: the number of everyday reads that are answered per second. */

import { join } from 'node:path'
import type { HelloLimit } from '../limits/hello-server.ts'
import type { ReadLoad, WantedRead } from '../load/read-load.ts'
import { compareRates, type Figure } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { fetchSample, presencesOf, reportPresences } from '../start/fetch-sample.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const PEOPLE = sized(100, 20)
const CHANNELS = Array.from({ length: 20 }, (_, index) => `channel ${index + 1}`)
/** The same for both sides. */
const CONNECTIONS = 32
/** Of one turn. */
const TURN_MS = sized(800, 200)

/** The address of each read, and the check of its reply. */
const USER_READ = {
  path: (id: number) => `/users/${id}`,
  isRight: (reply: Reply, id: number) => reply.user?.user_id === id,
}
const MIXED_READS = [
  USER_READ,
  { path: () => '/streams', isRight: ({ streams }: Reply) => streams?.length === CHANNELS.length },
  {
    path: () => '/users/me/subscriptions',
    isRight: ({ subscriptions }: Reply) => subscriptions?.length === CHANNELS.length,
  },
  {
    path: () => '/realm/presence',
    isRight: (reply: Reply) => presencesOf(reply) === PEOPLE,
  },
]

interface Reply {
  readonly user?: { readonly user_id: number }
  readonly streams?: readonly unknown[]
  readonly subscriptions?: readonly unknown[]
  readonly presences?: Readonly<Record<string, unknown>>
}

export const reads: Work = {
  name: 'W2',
  title: `authenticated reads over ${CONNECTIONS} connections`,
  limit: 'bare uWebSockets.js with the same bytes',
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const parley = await startParley(databaseUrl)
    const start = () => startRemote<ReadLoad>(join(import.meta.dirname, '../load/read-load.ts'))
    const [load, limitLoad] = [start(), start()]
    const limit = startRemote<HelloLimit>(join(import.meta.dirname, '../limits/hello-server.ts'))
    try {
      await createChannels(parley.port, people, CHANNELS)
      await reportPresences(parley.port, people)

      /** Each user reads each of these, one user after another. */
      const sample = async (
        wanted: typeof MIXED_READS,
      ): Promise<{ reads: WantedRead[]; bodies: Buffer[] }> => {
        const found: { reads: WantedRead[]; bodies: Buffer[] } = { reads: [], bodies: [] }
        for (const { id, authorization } of people) {
          for (const { path, isRight } of wanted) {
            const asked = `/api/v1${path(id)}`
            const { body, tail } = await fetchSample(parley.port, asked, authorization)
            if (!isRight(JSON.parse(body.toString('utf8')) as Reply, id))
              throw new Error(`${asked}: ${body.toString()}`)
            found.reads.push({ path: asked, authorization, tail })
            found.bodies.push(body)
          }
        }
        return found
      }
      const mixed = await sample(MIXED_READS)
      const user = await sample([USER_READ])
      const port = await limit.call(
        'start',
        mixed.reads.map(({ path }, index) => ({ path, body: mixed.bodies[index] as Buffer })),
      )
      await load.call('connect', { port: parley.port, connections: CONNECTIONS })
      await limitLoad.call('connect', { port, connections: CONNECTIONS })

      const compare = async (name: string, wanted: readonly WantedRead[], min: number): Promise<Figure> => {
        const busy = { ours: 0, limit: 0 }
        const read = async (
          side: keyof typeof busy,
          by: typeof load,
          { pid, round }: { pid: number; round: number },
        ) => {
          const startMs = readCpuMs(pid)
          const perSecond = await by.call('read', { reads: wanted, ms: turnLength(round, TURN_MS) })
          if (round >= 0) busy[side] += readCpuMs(pid) - startMs
          return perSecond
        }
        const found = await interleave(
          rounds,
          (round) => read('ours', load, { pid: parley.pid, round }),
          (round) => read('limit', limitLoad, { pid: limit.pid, round }),
        )
        const share = (ms: number) => `${Math.round((100 * ms) / (rounds * TURN_MS))} %`
        const notes = { 'busy ours': share(busy.ours), 'busy limit': share(busy.limit) }
        return compareRates(name, found, { unit: '/s', min }, notes)
      }
      return [await compare('mixed', mixed.reads, 0.5), await compare('GET /users/{id}', user.reads, 0.65)]
    } finally {
      await Promise.all([load.close(), limitLoad.close(), limit.close(), parley.close()])
    }
  },
}
