/** A process that reads at a steady rate, however long the answers take. */

import { setTimeout as wait } from 'node:timers/promises'
import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'

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
    const latenciesMs: number[] = []
    const asked: Promise<void>[] = []
    const startMs = performance.now()
    for (let number = 0; number < wanted.count; number++) {
      const dueMs = startMs + (number * 1000) / wanted.perSecond
      const earlyMs = dueMs - performance.now()
      if (earlyMs > 0) await wait(earlyMs)
      asked.push(ask(request).then(() => void latenciesMs.push(performance.now() - dueMs)))
    }
    await Promise.all(asked)
    return latenciesMs
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
