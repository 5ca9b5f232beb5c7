/** A WebSocket client of an event queue. */

import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Client, Queue } from '../harness/client.ts'
import { note } from '../harness/note.ts'
import { pollUntil } from '../services/poll-until.ts'

/** An open stream. */
export interface Stream {
  /** All events so far. */
  readonly events: any[]
  readonly socket: WebSocket
  /** How the server closed it; resolves when it has. */
  readonly closed: Promise<{ code: number; reason: string }>
  /** Waits for so many events that are not heartbeats, and answers them. */
  take(count: number): Promise<any[]>
  acknowledge(id: number): void
  close(): Promise<void>
}

/** Streams a queue from its last event id on, or from another. */
export async function openStream(
  client: Client,
  queue: Queue,
  lastEventId: number | undefined = queue.lastEventId,
): Promise<Stream> {
  const query = new URLSearchParams({ queue_id: queue.queueId })
  if (lastEventId !== undefined) query.set('last_event_id', String(lastEventId))
  const socket = new WebSocket(
    `${client.url.replace('http', 'ws')}/api/v1/events/stream?${query.toString()}`,
    {
      headers: { authorization: client.authorization },
    },
  )
  const events: any[] = []
  socket.on('message', (data: Buffer) => {
    for (const event of JSON.parse(data.toString()).events) {
      note(event.op === undefined ? `event ${event.type}` : `event ${event.type}/${event.op}`)
      events.push(event)
      queue.lastEventId = event.id
    }
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  await once(socket, 'open')
  return {
    events,
    socket,
    closed,
    async take(count) {
      const news = () => events.filter(({ type }) => type !== 'heartbeat')
      await pollUntil(`${count} events have come`, () => news().length >= count)
      return news()
    },
    acknowledge: (id) => socket.send(JSON.stringify({ last_event_id: id })),
    async close() {
      socket.close()
      await closed
    },
  }
}
