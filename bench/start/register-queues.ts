/** Registers event queues for a benchmark, as a client would. */

import { HttpConnection, postRequest } from '../load/http-connection.ts'
import type { Person } from './create-people.ts'

const CONNECTIONS = 16

/** A registered queue, with its client's data. */
export interface RegisteredQueue {
  readonly authorization: string
  readonly queueId: string
  readonly lastEventId: number
}

/** Registers this many queues for messages, for each user in turn. */
export async function registerQueues(
  port: number,
  people: readonly Person[],
  count: number,
): Promise<RegisteredQueue[]> {
  const queues: RegisteredQueue[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await HttpConnection.open(port)
      while (next < count) {
        const { authorization } = people[next++ % people.length] as Person
        const fields = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'true' }
        const { status, body } = await connection.ask(postRequest('/api/v1/register', authorization, fields))
        if (status !== 200) throw new Error(`registering answered ${status}: ${body}`)
        const reply = JSON.parse(body) as { queue_id: string; last_event_id: number }
        queues.push({ authorization, queueId: reply.queue_id, lastEventId: reply.last_event_id })
      }
      connection.close()
    }),
  )
  return queues
}
