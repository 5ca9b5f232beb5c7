/** A process that sends messages without a pause, several at a time. */

import { serveCalls } from '../start/remote.ts'
import { makeContent } from './make-content.ts'
import { HttpConnection, postRequest } from './http-connection.ts'

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
              const request = postRequest('/api/v1/messages', authorization, {
                type: 'channel',
                to: JSON.stringify(channels[mark % channels.length]),
                topic: `topic ${mark % 50}`,
                content: makeContent(mark),
              })
              connection.send(request, (status, body) => {
                const text = body.toString('latin1')
                const id = /"id":(\d+)/.exec(text)?.[1]
                if (status !== 200 || id === undefined)
                  return reject(new Error(`a send answered ${status}: ${text}`))
                ids.push(Number(id))
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
}

export type SendLoad = typeof calls
serveCalls(calls)
