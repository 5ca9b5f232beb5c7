/** A process in which the clients of one user ask without a pause for what the server must refuse. */

import { serveCalls } from '../start/remote.ts'
import { HttpConnection, postRequest } from './http-connection.ts'

/** The lanes of one user. */
export interface RefusalTarget {
  readonly port: number
  readonly authorization: string
  readonly lanes: number
}

/** A request that is as large as one may be. */
export interface Refused {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** The beginning of the expected message. */
  readonly message: string
}

let target: RefusalTarget
let isAsking = false
let asking: Promise<number> | undefined

const calls = {
  aim(given: RefusalTarget): void {
    target = given
  },

  /** Each lane asks, waits for the answer, and asks again, until `stop`. */
  start({ path, fields, message }: Refused): void {
    const { port, authorization, lanes } = target
    const request = postRequest(path, authorization, fields)
    isAsking = true
    let count = 0
    const ask = async () => {
      const connection = await HttpConnection.open(port)
      while (isAsking) {
        const { status, body } = await connection.ask(request)
        if (status !== 400 || !body.includes(`"msg":"${message}`))
          throw new Error(`${path} answered ${status}: ${body.slice(0, 300)}`)
        count++
      }
      connection.close()
    }
    asking = Promise.all(Array.from({ length: lanes }, ask)).then(() => count)
    asking.catch(() => {}) // Thrown by `stop`.
  },

  /** The number of answers since the start. */
  async stop(): Promise<number> {
    isAsking = false
    return (await asking) ?? 0
  },
}

export type RefusalLoad = typeof calls
serveCalls(calls)
