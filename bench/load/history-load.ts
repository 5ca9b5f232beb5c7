/** A process that reads the histories of messages, one after another, as one client. */

import type { EditedMessage } from '../start/fill-histories.ts'
import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'

let connection: HttpConnection

const calls = {
  async connect({ port }: { port: number }): Promise<void> {
    connection = await HttpConnection.open(port)
  },

  /** Reads each in turn; returns the milliseconds of each, without checking the answer. */
  async read(wanted: { authorization: string; edited: readonly EditedMessage[] }): Promise<number[]> {
    const latenciesMs: number[] = []
    for (const { id, diff } of wanted.edited) {
      const request = getRequest(`/api/v1/messages/${id}/history`, wanted.authorization)
      const startMs = performance.now()
      const { status, body } = await connection.ask(request)
      latenciesMs.push(performance.now() - startMs)
      if (status !== 200) throw new Error(`a history answered ${status}: ${body}`)
      const { message_history: history } = JSON.parse(body)
      if (history.length !== 2 || history[1].content_html_diff !== diff)
        throw new Error(`the history of message ${id} has another difference`)
    }
    return latenciesMs
  },
}

export type HistoryLoad = typeof calls
serveCalls(calls)
