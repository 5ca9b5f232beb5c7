/** W25: W1 and W3 where everybody has a device that is notified, against the same without notifications. */

import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import type { FanOutLoad } from '../load/fan-out-load.ts'
import { HttpConnection, postRequest } from '../load/http-connection.ts'
import type { SendLoad } from '../load/send-load.ts'
import { compareLatencies, compareRates, compareSizes, type Round } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { readCpuMs } from '../measure/read-cpu.ts'
import { sized } from '../measure/sizes.ts'
import type { BenchContext, Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { registerQueues } from '../start/register-queues.ts'
import { startRemote } from '../start/remote.ts'
import { startParley } from '../start/start-parley.ts'
import { type PushService, startPushService } from '../start/start-push-service.ts'

/** People, who all listen, and those of them who send without a pause. */
const PEOPLE = sized(500, 60)
const SENDERS = sized(64, 10)
const SEND_MS = sized(1_000, 300)
/** Messages to all listeners, in one turn. */
const FAN_OUT = { count: sized(30, 5), perSecond: 20 }
const [EVERYBODY, BUSY] = ['everybody', 'busy']
/** The processor time and the latencies may differ by a twentieth. */
const TARGET = 1.05

export const notifiedSends: Work = {
  name: 'W25',
  title: `W1 and W3 where ${PEOPLE} people have devices that are notified of each message`,
  limit: 'the same without notifications',
  async run(context) {
    const service = await startPushService()
    const sides: Side[] = []
    try {
      const on = await openSide(context, service)
      sides.push(on)
      const off = await openSide(context, undefined)
      sides.push(off)
      const fanOut = await interleave(context.rounds, on.fanOut, off.fanOut)
      const sends = await interleave(context.rounds, on.send, off.send)
      const notified = await expectNotified(on)
      const perMessage = { unit: 'ms', max: TARGET }
      return [
        compareLatencies(
          'a send until the last has it',
          pick(fanOut, 'latenciesMs'),
          { p50Max: TARGET },
          notified,
        ),
        compareSizes('processor of a fan-out', pick(fanOut, 'processorMs'), perMessage),
        compareRates('sends', pick(sends, 'perSecond'), { unit: '/s', min: 0.95 }),
        compareSizes('processor of a send', pick(sends, 'processorMs'), perMessage),
      ]
    } finally {
      service.close()
      await Promise.all(sides.map((side) => side.close()))
    }
  },
}

/** The samples of one kind. */
const pick = <Sample extends object, Kind extends keyof Sample>(
  rounds: readonly Round<Sample>[],
  kind: Kind,
): Round<Sample[Kind]>[] => rounds.map(({ ours, limit }) => ({ ours: ours[kind], limit: limit[kind] }))

type Side = Awaited<ReturnType<typeof openSide>>

/** @param service takes the pushes of everybody's device; undefined for a server without notifications. */
async function openSide({ createDatabase }: BenchContext, service: PushService | undefined) {
  const databaseUrl = await createDatabase()
  const people = await createPeople(databaseUrl, PEOPLE)
  const env = service ? { OUTBOUND_ALLOWED: '127.0.0.1' } : { WEB_PUSH: 'off' }
  const parley = await startParley(databaseUrl, { env })
  const listeners = startRemote<FanOutLoad>(join(import.meta.dirname, '../load/fan-out-load.ts'))
  const senders = startRemote<SendLoad>(join(import.meta.dirname, '../load/send-load.ts'))
  await createChannels(parley.port, people, [EVERYBODY])
  await createChannels(parley.port, people.slice(0, SENDERS), [BUSY])
  if (service) await subscribe(parley.port, people, service)
  /** Messages and their readers, in pairs. */
  let expected = 0
  const authorizations = people.slice(0, SENDERS).map(({ authorization }) => authorization)
  await senders.call('connect', { port: parley.port, authorizations, channels: [BUSY] })
  await listeners.call('connect', {
    senderAuthorization: authorizations[0] ?? '',
    channel: EVERYBODY,
    transport: 'web socket',
    port: parley.port,
    clients: await registerQueues(parley.port, people, PEOPLE),
  })
  return {
    databaseUrl,
    /** Notifications that must have been written: one for each message and reader. */
    countExpected: () => expected,
    fanOut: async (round: number) => {
      const startMs = readCpuMs(parley.pid)
      const count = turnLength(round, FAN_OUT.count)
      const latenciesMs = await listeners.call('send', { ...FAN_OUT, count })
      expected += count * (PEOPLE - 1)
      return { latenciesMs, processorMs: (readCpuMs(parley.pid) - startMs) / count }
    },
    send: async (round: number) => {
      const startMs = readCpuMs(parley.pid)
      const { ids, perSecond } = await senders.call('send', { ms: turnLength(round, SEND_MS) })
      expected += ids.length * (SENDERS - 1)
      return { perSecond, processorMs: (readCpuMs(parley.pid) - startMs) / ids.length }
    },
    close: () => Promise.all([listeners.close(), senders.close(), parley.close()]),
  }
}

/** Throws unless each message has notified each of its readers: no worker runs that would take the notifications away. */
async function expectNotified({ databaseUrl, countExpected }: Side): Promise<{ notifications: number }> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pending_notifications where way = 'push'`
    if (row?.count !== countExpected())
      throw new Error(`${row?.count} notifications were written instead of ${countExpected()}`)
    return { notifications: row.count }
  } finally {
    await sql.end()
  }
}

/** Registers a device of each person, who is notified of all messages, also while a client is open. */
async function subscribe(port: number, people: readonly Person[], service: PushService): Promise<void> {
  const connection = await HttpConnection.open(port)
  const must = async (request: string) => {
    const { status, body } = await connection.ask(request)
    if (status !== 200) throw new Error(`a request answered ${status}: ${body}`)
  }
  const wanted = { enable_stream_push_notifications: 'true', enable_online_push_notifications: 'true' }
  for (const { authorization } of people) {
    await must(postRequest('/api/v1/users/me/web_push', authorization, { ...service.subscribe() }))
    await must(postRequest('/api/v1/settings', authorization, wanted).replace('POST', 'PATCH'))
  }
  connection.close()
}
