/** The shared part of W1 and W1b: one send, a thousand clients, and the bare server that only forwards it. */

import { join } from 'node:path'
import type { FanOutLimit } from '../limits/fan-out-server.ts'
import type { FanOutLoad, FanOutTarget } from '../load/fan-out-load.ts'
import { compareLatencies, type Figure } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import type { BenchContext } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { registerQueues } from '../start/register-queues.ts'
import { startRemote } from '../start/remote.ts'
import { startParley } from '../start/start-parley.ts'

const CHANNEL = 'everybody'
const LOAD = join(import.meta.dirname, '../load/fan-out-load.ts')
const LIMIT = join(import.meta.dirname, '../limits/fan-out-server.ts')

/** One comparison over one transport. */
export interface FanOutPlan {
  readonly name: string
  readonly transport: FanOutTarget['transport']
  readonly clients: number
  /** Messages in one turn of each side. */
  readonly count: number
  readonly perSecond: number
  readonly target: { readonly p50Max: number; readonly p99Max?: number }
}

/** Each client is a different user, subscribed to the one channel; the first one sends. */
export async function compareFanOut(
  { createDatabase, rounds }: BenchContext,
  plan: FanOutPlan,
): Promise<Figure[]> {
  const databaseUrl = await createDatabase()
  const people = await createPeople(databaseUrl, plan.clients)
  const parley = await startParley(databaseUrl, { env: { LONGPOLL_SECONDS: '80' } })
  const load = startRemote<FanOutLoad>(LOAD)
  const limit = startRemote<FanOutLimit>(LIMIT)
  const limitLoad = startRemote<FanOutLoad>(LOAD)
  try {
    await createChannels(parley.port, people, [CHANNEL])
    const clients = await registerQueues(parley.port, people, plan.clients)
    const { transport, count, perSecond } = plan
    const sender = { senderAuthorization: people[0]?.authorization ?? '', channel: CHANNEL, transport }
    await load.call('connect', { ...sender, port: parley.port, clients })
    await load.call('send', { count: 2, perSecond })
    const limitPort = await limit.call('start', makeTemplate(await load.call('sample')))
    await limitLoad.call('connect', { ...sender, port: limitPort, clients })
    const cpuMs = { ours: 0, limit: 0 }
    let deliveries = 0
    const send = async (
      side: keyof typeof cpuMs,
      by: typeof load,
      { pid, round }: { pid: number; round: number },
    ) => {
      const startMs = readCpuMs(pid)
      const latenciesMs = await by.call('send', { count: turnLength(round, count), perSecond })
      cpuMs[side] += readCpuMs(pid) - startMs
      if (side === 'ours') deliveries += latenciesMs.length * plan.clients
      return latenciesMs
    }
    const found = await interleave(
      rounds,
      (round) => send('ours', load, { pid: parley.pid, round }),
      (round) => send('limit', limitLoad, { pid: limit.pid, round }),
    )
    const notes = {
      clients: plan.clients,
      perSecond,
      'µs of the server for a delivery': (1_000 * cpuMs.ours) / deliveries,
      'µs of the limit': (1_000 * cpuMs.limit) / deliveries,
    }
    return [compareLatencies(plan.name, found, plan.target, notes)]
  } finally {
    await Promise.all([load.close(), limitLoad.close(), limit.close(), parley.close()])
  }
}

/** A received text without its id: the limit sends the same bytes, with consecutive ids. */
function makeTemplate(sample: string): { template: string; firstId: number } {
  const id = /\{"id":(\d+)/.exec(sample)?.[1]
  if (id === undefined) throw new Error(`a client received no message: ${sample}`)
  return { template: sample.replaceAll(`"id":${id},`, '"id":@ID@,'), firstId: Number(id) + 1 }
}
