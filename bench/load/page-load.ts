/** A process that reads pages of messages, one after another, as one client. */

import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection } from './http-connection.ts'

/** A page to read, and its expected ids. */
export interface WantedPage {
  readonly query: Readonly<Record<string, string>>
  readonly ids: readonly number[]
}

let connection: HttpConnection

const calls = {
  async connect({ port }: { port: number }): Promise<void> {
    connection = await HttpConnection.open(port)
  },

  /** Reads the pages in turn; returns the milliseconds of each, without checking the answer. */
  async read(wanted: { authorization: string; pages: readonly WantedPage[] }): Promise<number[]> {
    const latenciesMs: number[] = []
    for (const { query, ids } of wanted.pages) {
      const request = getRequest(
        `/api/v1/messages?${new URLSearchParams(query).toString()}`,
        wanted.authorization,
      )
      const startMs = performance.now()
      const { status, body } = await ask(request)
      latenciesMs.push(performance.now() - startMs)
      const text = body.toString('utf8')
      if (status !== 200) throw new Error(`a page answered ${status}: ${text}`)
      checkPage(text, ids)
    }
    return latenciesMs
  },
}

/** The answer's bytes: the limit's rows are not checked in time either. */
function ask(request: string): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    connection.onLost = (reason) => reject(new Error(reason))
    connection.send(request, (status, body) => resolve({ status, body: Buffer.from(body) }))
  })
}

function checkPage(body: string, ids: readonly number[]): void {
  const { messages } = JSON.parse(body) as { messages: { id: number; content: string }[] }
  const isRight =
    messages.length === ids.length &&
    messages.every(({ id, content }, index) => id === ids[index] && content.startsWith('<p>'))
  if (!isRight)
    throw new Error(`a page held ${messages.map(({ id }) => id).join()} rather than ${ids.join()}`)
}

export type PageLoad = typeof calls
serveCalls(calls)
