/** Parley's own clients: WebSockets that listen, and requests that send. */

import { HttpConnection, postRequest } from '../../load/http-connection.ts'
import { WebSocketClient } from '../../load/web-socket-client.ts'
import type { RegisteredQueue } from '../../start/register-queues.ts'
import type { Dialect } from './dialect.ts'

/** The server, a channel of it, and who listens and sends there. */
export interface ParleyRoom {
  readonly port: number
  readonly channel: string
  readonly queues: readonly RegisteredQueue[]
  readonly senderAuthorization: string
}

export function parleyDialect({ port, channel, queues, senderAuthorization }: ParleyRoom): Dialect {
  return {
    async listen(index, onText, onLost) {
      const { authorization, queueId, lastEventId } = queues[index] as RegisteredQueue
      const path = `/api/v1/events/stream?queue_id=${queueId}&last_event_id=${lastEventId}`
      return WebSocketClient.open(port, path, authorization, { onText, onLost })
    },
    async openSender() {
      const idle: HttpConnection[] = []
      const all: HttpConnection[] = []
      return {
        async send(text) {
          let connection = idle.pop()
          if (!connection) all.push((connection = await HttpConnection.open(port)))
          const { status, body } = await connection.ask(
            postRequest('/api/v1/messages', senderAuthorization, {
              type: 'channel',
              to: JSON.stringify(channel),
              topic: 'peers',
              content: text,
            }),
          )
          if (status !== 200) throw new Error(`a send answered ${status}: ${body}`)
          idle.push(connection)
        },
        close: () => all.forEach((connection) => connection.close()),
      }
    },
  }
}
