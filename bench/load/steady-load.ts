/** A process that reads at a steady rate, however long the answers take. */

import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'
import { repeatSteadily } from './repeat-steadily.ts'

/** Mostly enough for the concurrent answers: each connection waits for one. */
const CONNECTIONS = 16
const idle: HttpConnection[] = []
let serverPort: number

const calls = {
  async connect({ port }: { port: number }): Promise<void> {
    serverPort = port
    for (let count = 0; count < CONNECTIONS; count++) idle.push(await HttpConnection.open(port))
  },

  /** Sends this many requests; returns the milliseconds from each due time to its answer. */
  async read(wanted: {
    authorization: string
    path: string
    count: number
    perSecond: number
  }): Promise<number[]> {
    const request = getRequest(wanted.path, wanted.authorization)
    return repeatSteadily(wanted, () => ask(request))
  },
}

async function ask(request: string): Promise<void> {
  const connection = idle.pop() ?? (await HttpConnection.open(serverPort))
  const { status, body } = await connection.ask(request)
  idle.push(connection)
  if (status !== 200 || !body.startsWith('{"result":"success"')) throw new Error(`a read answered ${body}`)
}

export type SteadyLoad = typeof calls
serveCalls(calls)
