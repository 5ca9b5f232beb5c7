/** A process that sends messages without a pause, several at a time. */

import { serveCalls } from '../start/remote.ts'
import { makeContent } from './make-content.ts'
import { HttpConnection, postRequest } from './http-connection.ts'
import { repeatSteadily } from './repeat-steadily.ts'

/** The recipients and the senders: one connection per sender. */
export interface SendLoadTarget {
  readonly port: number
  readonly authorizations: readonly string[]
  readonly channels: readonly string[]
}

/** The messages of one turn: the returned id of each, and its mark, in the same order. */
export interface SentMessages {
  readonly ids: readonly number[]
  readonly marks: readonly number[]
  readonly latenciesMs: readonly number[]
  readonly perSecond: number
}

let senders: { connection: HttpConnection; authorization: string }[] = []
let channels: readonly string[] = []
let nextMark = 1

const calls = {
  async connect(target: SendLoadTarget): Promise<void> {
    channels = target.channels
    senders = await Promise.all(
      target.authorizations.map(async (authorization) => ({
        authorization,
        connection: await HttpConnection.open(target.port),
      })),
    )
  },

  /** Each sender sends, waits for the answer, and sends again. Rejects at the first error. */
  async send({ ms }: { ms: number }): Promise<SentMessages> {
    const ids: number[] = []
    const marks: number[] = []
    const latenciesMs: number[] = []
    const startMs = performance.now()
    const endMs = startMs + ms
    await Promise.all(
      senders.map(
        ({ connection, authorization }) =>
          new Promise<void>((resolve, reject) => {
            connection.onLost = (reason) => reject(new Error(reason))
            const sendNext = () => {
              const sentMs = performance.now()
              if (sentMs >= endMs) return resolve()
              const mark = nextMark++
              connection.send(makeRequest(authorization, mark), (status, body) => {
                const id = readId(status, body)
                if (id instanceof Error) return reject(id)
                ids.push(id)
                marks.push(mark)
                latenciesMs.push(performance.now() - sentMs)
                sendNext()
              })
            }
            sendNext()
          }),
      ),
    )
    return { ids, marks, latenciesMs, perSecond: (1000 * ids.length) / (performance.now() - startMs) }
  },

  /** Sends at a steady rate, each time as the next sender; a latency counts from the due time. */
  async sendSteadily(wanted: { count: number; perSecond: number }): Promise<SentMessages> {
    const ids: number[] = []
    const marks: number[] = []
    const latenciesMs = await repeatSteadily(
      wanted,
      (number) =>
        new Promise<void>((resolve, reject) => {
          const { connection, authorization } = senders[number % senders.length] as (typeof senders)[number]
          const mark = nextMark++
          connection.onLost = (reason) => reject(new Error(reason))
          connection.send(makeRequest(authorization, mark), (status, body) => {
            const id = readId(status, body)
            if (id instanceof Error) return reject(id)
            ids.push(id)
            marks.push(mark)
            resolve()
          })
        }),
    )
    return { ids, marks, latenciesMs, perSecond: wanted.perSecond }
  },
}

function makeRequest(authorization: string, mark: number): string {
  return postRequest('/api/v1/messages', authorization, {
    type: 'channel',
    to: JSON.stringify(channels[mark % channels.length]),
    topic: `topic ${mark % 50}`,
    content: makeContent(mark),
  })
}

/** The message's id, or the reason for its absence. */
function readId(status: number, body: Buffer): number | Error {
  const text = body.toString('latin1')
  const id = /"id":(\d+)/.exec(text)?.[1]
  return status === 200 && id !== undefined ? Number(id) : new Error(`a send answered ${status}: ${text}`)
}

export type SendLoad = typeof calls
serveCalls(calls)
