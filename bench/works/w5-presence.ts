/** W5: the number of answers per second with all presences of a large organization. */

import { join } from 'node:path'
import type { HelloLimit } from '../limits/hello-server.ts'
import type { ReadLoad } from '../load/read-load.ts'
import { compareRates } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import type { Work } from '../measure/work.ts'
import { createPeople } from '../start/create-people.ts'
import { fetchSample, presencesOf, reportPresences } from '../start/fetch-sample.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const PEOPLE = sized(10_000, 300)
const PATH = '/api/v1/realm/presence'
/** Two keep a server busy; the same for both sides. */
const CONNECTIONS = 2
/** Of one turn. */
const TURN_MS = sized(1_000, 200)

export const presence: Work = {
  name: 'W5',
  title: `GET /realm/presence, ${PEOPLE} users`,
  limit: 'bare uWebSockets.js with JSON.stringify of the same reply',
  async run({ createDatabase, rounds, say }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const parley = await startParley(databaseUrl)
    const start = () => startRemote<ReadLoad>(join(import.meta.dirname, '../load/read-load.ts'))
    const [load, limitLoad] = [start(), start()]
    const limit = startRemote<HelloLimit>(join(import.meta.dirname, '../limits/hello-server.ts'))
    try {
      await reportPresences(parley.port, people)
      const authorization = people[1]?.authorization ?? ''
      const { body, tail } = await fetchSample(parley.port, PATH, authorization)
      const listed = presencesOf(JSON.parse(body.toString('utf8')) as { presences: Record<string, unknown> })
      if (listed !== PEOPLE) throw new Error(`${listed} people are there rather than ${PEOPLE}`)
      say(`a reply has ${body.length} bytes`)
      const port = await limit.call('start', [{ path: PATH, body, isEncodedEachTime: true }])
      await load.call('connect', { port: parley.port, connections: CONNECTIONS })
      await limitLoad.call('connect', { port, connections: CONNECTIONS })

      const busy = { ours: 0, limit: 0 }
      const read = async (
        side: keyof typeof busy,
        by: typeof load,
        { pid, round }: { pid: number; round: number },
      ) => {
        const startMs = readCpuMs(pid)
        const reads = [{ path: PATH, authorization, tail }]
        const perSecond = await by.call('read', { reads, ms: turnLength(round, TURN_MS) })
        if (round >= 0) busy[side] += readCpuMs(pid) - startMs
        return perSecond
      }
      const found = await interleave(
        rounds,
        (round) => read('ours', load, { pid: parley.pid, round }),
        (round) => read('limit', limitLoad, { pid: limit.pid, round }),
      )
      const share = (ms: number) => `${Math.round((100 * ms) / (rounds * TURN_MS))} %`
      const notes = { bytes: body.length, 'busy ours': share(busy.ours), 'busy limit': share(busy.limit) }
      return [compareRates('everyone', found, { unit: '/s', min: 8 }, notes)]
    } finally {
      await Promise.all([load.close(), limitLoad.close(), limit.close(), parley.close()])
    }
  },
}
