/** A process whose clients search one after another, all at once; a refusal with its reason counts as an answer. */

import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'

const connections: HttpConnection[] = []

const calls = {
  async connect({ port, clients }: { port: number; clients: number }): Promise<void> {
    while (connections.length < clients) connections.push(await HttpConnection.open(port))
  },

  /** Each client requests all paths; returns the milliseconds of each path, and the number of refusals. */
  async search(wanted: {
    authorizations: readonly string[]
    paths: readonly string[]
  }): Promise<{ latenciesMs: number[][]; refusedCount: number }> {
    const latenciesMs: number[][] = wanted.paths.map(() => [])
    let refusedCount = 0
    const searchAll = async (connection: HttpConnection, authorization: string) => {
      for (const [index, path] of wanted.paths.entries()) {
        const startMs = performance.now()
        const { status, body } = await connection.ask(getRequest(path, authorization))
        latenciesMs[index]?.push(performance.now() - startMs)
        if (status === 400 && body.includes('"BAD_NARROW"')) refusedCount++
        else if (status !== 200) throw new Error(`a search answered ${status}: ${body}`)
      }
    }
    await Promise.all(
      connections.map((connection, index) =>
        searchAll(connection, wanted.authorizations[index % wanted.authorizations.length] as string),
      ),
    )
    return { latenciesMs, refusedCount }
  },
}

export type SearchLoad = typeof calls
serveCalls(calls)
