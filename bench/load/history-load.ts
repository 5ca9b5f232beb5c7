/** A process that asks for the histories of messages, one after the other, as one client. */

import type { EditedMessage } from '../start/fill-histories.ts'
import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'

let connection: HttpConnection

const calls = {
  async connect({ port }: { port: number }): Promise<void> {
    connection = await HttpConnection.open(port)
  },

  /** Asks for each in turn; answers each one's milliseconds. Looking at what came is not counted. */
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
        throw new Error(`the history of message ${id} told another difference`)
    }
    return latenciesMs
  },
}

export type HistoryLoad = typeof calls
serveCalls(calls)
