/** A WebSocket client of an event queue. */

import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import { WebSocket } from 'ws'
import type { Client, Queue } from '../harness/client/client.ts'
import { noteEvent } from '../harness/client/note-event.ts'
import { takeEvents } from './take-events.ts'
import type { List, WireEvent } from '../harness/client/wire-types.ts'

/** An open stream. */
export interface Stream {
  /** All events so far. */
  readonly events: WireEvent[]
  readonly socket: WebSocket
  /** How the server closed it; resolves at the close. */
  readonly closed: Promise<{ code: number; reason: string }>
  /** Waits for this many events without heartbeats, and returns them. */
  take(count: number): Promise<List<WireEvent>>
  acknowledge(id: number): void
  /** The number of the next pong. */
  nextPong(): Promise<number>
  close(): Promise<void>
}

/** Streams a queue from its last event id or another; by API key or by ticket. */
export async function openStream(
  client: Client,
  queue: Queue,
  lastEventId: number | undefined = queue.lastEventId,
  ticket?: string,
): Promise<Stream> {
  const query = new URLSearchParams({ queue_id: queue.queueId })
  if (lastEventId !== undefined) query.set('last_event_id', String(lastEventId))
  if (ticket !== undefined) query.set('ticket', ticket)
  const socket = new WebSocket(
    `${client.url.replace('http', 'ws')}/api/v1/events/stream?${query.toString()}`,
    ticket === undefined ? { headers: { authorization: client.authorization } } : {},
  )
  const events: WireEvent[] = []
  const pongs = new EventEmitter()
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString())
    if (frame.pong !== undefined) pongs.emit('pong', frame.pong)
    for (const event of frame.events ?? []) {
      noteEvent(event)
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
    take: (count) => takeEvents(events, count),
    nextPong: async () => (await once(pongs, 'pong'))[0],
    acknowledge: (id) => socket.send(JSON.stringify({ last_event_id: id })),
    async close() {
      socket.close()
      await closed
    },
  }
}

/** The answer of a server to a refused upgrade. */
export async function refusedUpgrade(url: string, query: string, authorization: string) {
  const asking = request(`${url}/api/v1/events/stream?${query}`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...(authorization === '' ? {} : { authorization }),
    },
  }).end()
  const [response] = await once(asking, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
}
