/** W18: the time until a single send is acknowledged on a server that has little to do. */

import { join } from 'node:path'
import type { InsertLoad } from '../limits/insert-load.ts'
import type { SendLoad, SentMessages } from '../load/send-load.ts'
import { compareLatencies } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import type { Work } from '../measure/work.ts'
import { checkStored } from '../start/check-stored.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const CHANNELS = ['general', 'random']
/** Sends of one turn: a second and a half. */
const STEADY = { count: sized(15, 5), perSecond: 10 }
const steady = (round: number) => ({ ...STEADY, count: turnLength(round, STEADY.count) })
/** Enough that no send waits for another, even if the disk halts for a moment. */
const CONNECTIONS = 10

export const oneSend: Work = {
  name: 'W18',
  title: `one send at a time, ${STEADY.perSecond} a second, until it is acknowledged`,
  limit: 'a durable single-row insert at the same rate',
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, CONNECTIONS)
    const parley = await startParley(databaseUrl)
    const load = startRemote<SendLoad>(join(import.meta.dirname, '../load/send-load.ts'))
    const limit = startRemote<InsertLoad>(join(import.meta.dirname, '../limits/insert-load.ts'))
    try {
      await createChannels(parley.port, people, CHANNELS)
      const authorizations = people.map(({ authorization }) => authorization)
      await load.call('connect', { port: parley.port, authorizations, channels: CHANNELS })
      await limit.call('connect', { databaseUrl, connections: 1 })
      const turns: SentMessages[] = []
      const found = await interleave(
        rounds,
        async (round) => {
          const sent = await load.call('sendSteadily', steady(round))
          turns.push(sent)
          return sent.latenciesMs
        },
        (round) => limit.call('insertSteadily', steady(round)),
      )
      const count = await checkStored(databaseUrl, turns)
      const inserted = await limit.call('count')
      if (inserted !== count) throw new Error(`the limit has ${inserted} rows rather than ${count}`)
      return [compareLatencies('one send', found, { p50Max: 1.8 }, { messagesChecked: count })]
    } finally {
      await Promise.all([load.close(), limit.close(), parley.close()])
    }
  },
}
