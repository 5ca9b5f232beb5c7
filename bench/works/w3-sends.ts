/** W3: the number of messages that are durably sent per second. */

import { join } from 'node:path'
import type { InsertLoad } from '../limits/insert-load.ts'
import type { SendLoad, SentMessages } from '../load/send-load.ts'
import { compareRates } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { checkStored } from '../start/check-stored.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const IN_FLIGHT = 64
const CONNECTIONS = 32
const CHANNELS = Array.from({ length: 8 }, (_, index) => `channel ${index}`)
const TURN_MS = sized(1_500, 300)

export const sends: Work = {
  name: 'W3',
  title: `POST /messages, ${IN_FLIGHT} in flight`,
  limit: `single-row durable inserts by ${CONNECTIONS} connections`,
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, IN_FLIGHT)
    const parley = await startParley(databaseUrl)
    const load = startRemote<SendLoad>(join(import.meta.dirname, '../load/send-load.ts'))
    const limit = startRemote<InsertLoad>(join(import.meta.dirname, '../limits/insert-load.ts'))
    try {
      await createChannels(parley.port, people, CHANNELS)
      const authorizations = people.map(({ authorization }) => authorization)
      await load.call('connect', { port: parley.port, authorizations, channels: CHANNELS })
      await limit.call('connect', { databaseUrl, connections: CONNECTIONS })
      const turns: SentMessages[] = []
      let insertedCount = 0
      const found = await interleave(
        rounds,
        async (round) => {
          const sent = await load.call('send', { ms: turnLength(round, TURN_MS) })
          turns.push(sent)
          return sent.perSecond
        },
        async (round) => {
          const inserted = await limit.call('insert', { ms: turnLength(round, TURN_MS) })
          insertedCount += inserted.count
          return inserted.perSecond
        },
      )
      if ((await limit.call('count')) !== insertedCount) throw new Error('the limit has lost rows')
      const count = await checkStored(databaseUrl, turns)
      const latencies = turns.slice(1).flatMap(({ latenciesMs }) => latenciesMs)
      return [
        compareRates(
          'sends',
          found,
          { unit: '/s', min: 1.5 },
          {
            messagesChecked: count,
            latencyP50Ms: percentile(latencies, 0.5),
            latencyP99Ms: percentile(latencies, 0.99),
          },
        ),
      ]
    } finally {
      await Promise.all([load.close(), limit.close(), parley.close()])
    }
  },
}
