/** W6: the latency of a long message's history, and its effect on other requests. */

import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import type { HistoryLoad } from '../load/history-load.ts'
import { REWRITES } from '../load/hostile-rewrites.ts'
import type { SteadyLoad } from '../load/steady-load.ts'
import { boundSize, compareLatencies } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { fillHistories } from '../start/fill-histories.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

/** Milliseconds that a history may take. */
const HISTORY_MS_MAX = 60
/** Of the others' requests in one turn. */
const READS = sized(300, 60)
const READS_PER_SECOND = 200

export const editHistory: Work = {
  name: 'W6',
  title: `the edit history of ${REWRITES.length} rewrites of 10,000 characters`,
  limit: '60 ms each; the same requests of others while nothing else is asked',
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, 2)
    const sql = connect(databaseUrl, 1, 'parley-bench')
    const parley = await startParley(databaseUrl)
    const histories = startRemote<HistoryLoad>(join(import.meta.dirname, '../load/history-load.ts'))
    const others = startRemote<SteadyLoad>(join(import.meta.dirname, '../load/steady-load.ts'))
    try {
      await createChannels(parley.port, people, ['edited'])
      const edited = await fillHistories(databaseUrl, 1)
      await histories.call('connect', { port: parley.port })
      await others.call('connect', { port: parley.port })
      const [asking, reading] = people.map(({ authorization }) => authorization) as [string, string]

      const latenciesMs: number[][] = REWRITES.map(() => [])
      /** No difference is cached, so each is computed. */
      const askForAll = async () => {
        await sql`update message_edits set encoded_diff = null`
        return histories.call('read', { authorization: asking, edited })
      }
      const readOthers = (round: number) =>
        others.call('read', {
          authorization: reading,
          path: '/api/v1/users/me',
          count: turnLength(round, READS),
          perSecond: READS_PER_SECOND,
        })
      const found = await interleave(
        rounds,
        async (round) => {
          let isReading = true
          const askAllTheTime = async () => {
            while (isReading) {
              const turn = await askForAll()
              if (round >= 0) for (const [index, ms] of turn.entries()) latenciesMs[index]?.push(ms)
            }
          }
          const reads = readOthers(round).finally(() => {
            isReading = false
          })
          return (await Promise.all([reads, askAllTheTime()]))[0]
        },
        readOthers,
      )
      // A burst of other load on the machine spoils a turn, not a rewrite's median.
      const medians = latenciesMs.map((samples) => percentile(samples, 0.5))
      const slowest = Math.max(...medians)
      return [
        boundSize(
          'the slowest rewrite',
          slowest,
          { unit: 'ms', max: HISTORY_MS_MAX },
          {
            rewrite: REWRITES[medians.indexOf(slowest)]?.name ?? '',
            'median of all': percentile(latenciesMs.flat(), 0.5),
            'p99 of all': percentile(latenciesMs.flat(), 0.99),
          },
        ),
        compareLatencies("others' requests meanwhile", found, { p99Max: 1.5 }),
      ]
    } finally {
      await Promise.all([histories.close(), others.close(), parley.close()])
      await sql.end()
    }
  },
}
