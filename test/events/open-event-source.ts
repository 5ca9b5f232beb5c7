/** A client of server-sent events that parses like a browser. */

import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Client, Fields } from '../harness/client/client.ts'
import { noteEvent } from '../harness/client/note-event.ts'
import { takeEvents } from './take-events.ts'
import type { List, WireEvent } from '../harness/client/wire-types.ts'

/** The reason that a stream gave for its end. */
export interface End {
  readonly code: number
  readonly reason: string
}

/** An open stream. */
export interface EventSource {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All events so far. */
  readonly events: WireEvent[]
  /** The id of the last message, as the client would send it on reconnection. */
  lastEventId: string
  readonly response: IncomingMessage
  /** How the server ended it, or undefined if it was cut; resolves at the end. */
  readonly closed: Promise<End | undefined>
  /** Waits for this many events without heartbeats, and returns them. */
  take(count: number): Promise<List<WireEvent>>
  close(): void
}

/** The options of a client. */
export interface EventSourceOptions {
  readonly query?: Fields
  /** Headers that replace the defaults. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether reading waits for `response.resume()`. */
  readonly isPaused?: boolean
}

/** Requests a stream of a queue; returns the response, or a refusal as a body. */
export async function askForEventSource(
  client: Client,
  queueId: string | undefined,
  { query = {}, headers = {} }: EventSourceOptions = {},
): Promise<IncomingMessage> {
  const search = new URLSearchParams(queueId === undefined ? {} : { queue_id: queueId })
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  const asking = request(`${client.url}/api/v1/events/stream?${search.toString()}`, {
    headers: { accept: 'text/event-stream', authorization: client.authorization, ...headers },
  }).end()
  const [response] = await once(asking, 'response')
  return response as IncomingMessage
}

/** The status, the headers and the body of a refusal. */
export async function refusedEventSource(...asked: Parameters<typeof askForEventSource>) {
  const response = await askForEventSource(...asked)
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
}

/** Opens a stream. */
export async function openEventSource(
  client: Client,
  queueId: string,
  options: EventSourceOptions = {},
): Promise<EventSource> {
  const response = await askForEventSource(client, queueId, options)
  if (response.statusCode !== 200) throw new Error(`the stream was answered ${response.statusCode}`)
  const events: WireEvent[] = []
  let end: End | undefined
  const closed = new Promise<End | undefined>((resolve) => response.on('close', () => resolve(end)))
  const source: EventSource = {
    status: response.statusCode,
    headers: response.headers,
    events,
    lastEventId: '',
    response,
    closed,
    take: (count) => takeEvents(events, count),
    close: () => response.destroy(),
  }
  let text = ''
  const read = (chunk: string) => {
    const messages = (text + chunk).split('\n\n')
    text = messages.pop() as string
    for (const message of messages) {
      const fields = message.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
      const { id, event, data } = Object.fromEntries(
        fields.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      if (event === 'close') end = JSON.parse(data as string)
      else if (data !== undefined) {
        const event = JSON.parse(data)
        noteEvent(event)
        if (String(event.id) !== id) throw new Error(`event ${event.id} came with the id ${id}`)
        events.push(event)
        source.lastEventId = id as string
      }
    }
  }
  response.on('error', () => {}) // A cut stream ends like this.
  response.setEncoding('utf8')
  if (options.isPaused) response.once('resume', () => response.on('data', read))
  else response.on('data', read)
  return source
}
