/** A process that reads without a pause over several connections. */

import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'

/** A read. */
export interface WantedRead {
  readonly path: string
  readonly authorization: string
  /** The end of each answer; its beginning may contain the time. */
  readonly tail: Uint8Array
}

let connections: HttpConnection[] = []

const calls = {
  async connect(target: { port: number; connections: number }): Promise<void> {
    connections = await Promise.all(
      Array.from({ length: target.connections }, () => HttpConnection.open(target.port)),
    )
  },

  /** Each connection sends one request after another; returns the answers per second. */
  async read({ reads, ms }: { reads: readonly WantedRead[]; ms: number }): Promise<number> {
    const wanted = reads.map(({ path, authorization, tail }) => ({
      request: getRequest(path, authorization),
      tail: Buffer.from(tail),
    }))
    let count = 0
    const startMs = performance.now()
    const endMs = startMs + ms
    await Promise.all(
      connections.map(
        (connection, first) =>
          new Promise<void>((resolve, reject) => {
            connection.onLost = (reason) => reject(new Error(reason))
            let next = first
            const readNext = () => {
              if (performance.now() >= endMs) return resolve()
              const { request, tail } = wanted[next++ % wanted.length] as (typeof wanted)[number]
              connection.send(request, (status, body) => {
                if (status !== 200 || body.compare(tail, 0, tail.length, body.length - tail.length) !== 0)
                  return reject(
                    new Error(`${request} answered ${status}: ${body.toString('latin1', 0, 500)}`),
                  )
                count++
                readNext()
              })
            }
            readNext()
          }),
      ),
    )
    return (1000 * count) / (performance.now() - startMs)
  },
}

export type ReadLoad = typeof calls
serveCalls(calls)
