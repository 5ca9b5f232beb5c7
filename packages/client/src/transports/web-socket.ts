/** Events by WebSocket, opened with a ticket, since scripts in browsers cannot set headers there. */

import { ConnectionError, UnreachableError } from '../errors.ts'
import { type Connection, sendRequest } from '../http.ts'
import type { Event } from '../wire-types.ts'
import { closeError, type Position } from './transport.ts'

/** The interval of pings: proxies close connections that are silent for a minute. */
const PING_MS = 25_000
/** The time after which a socket that does not open counts as blocked by a proxy. */
const OPEN_MS_MAX = 10_000

export async function* followByWebSocket(
  connection: Connection,
  { queueId, lastEventId }: Readonly<Position>,
  onOpen: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Event[], void, void> {
  const ticket = await askForTicket(connection, signal)
  const query = new URLSearchParams({
    queue_id: queueId,
    last_event_id: String(lastEventId),
    ticket,
  })
  const socket = new WebSocket(
    `${connection.url.replace(/^http/, 'ws')}/api/v1/events/stream?${query.toString()}`,
  )
  const frames = new Frames(socket)
  socket.addEventListener('open', onOpen)
  const abort = () => socket.close()
  signal?.addEventListener('abort', abort)
  try {
    for (;;) {
      const events = await frames.next()
      if (!events) break
      yield events
      const last = events.at(-1)
      if (last && socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ last_event_id: last.id }))
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    frames.close()
  }
}

async function askForTicket(connection: Connection, signal: AbortSignal | undefined): Promise<string> {
  try {
    return String((await sendRequest(connection, 'POST /events/ticket', {}, signal)).ticket)
  } catch (error) {
    throw error instanceof ConnectionError ? new UnreachableError(error.message, { cause: error }) : error
  }
}

/** Received frames that are not consumed yet. */
class Frames {
  readonly #socket: WebSocket
  #waiting: (readonly Event[])[] = []
  #wake: (() => void) | undefined
  #end: { readonly error: Error | undefined } | undefined
  #isAnswering = true
  readonly #timer: ReturnType<typeof setInterval>
  readonly #opening: ReturnType<typeof setTimeout>

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#onFrame(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      // 1006: the connection failed without a close code from the server.
      const error = code === 1006 ? new ConnectionError('the socket failed') : closeError(code, reason)
      this.#finish(error)
    })
    // Some platforms do not close a refused socket.
    socket.addEventListener('error', () => this.#finish(new ConnectionError('the socket failed')))
    this.#timer = setInterval(() => this.#ping(), PING_MS)
    this.#opening = setTimeout(
      () => this.#finish(new ConnectionError('the socket does not open')),
      OPEN_MS_MAX,
    )
    socket.addEventListener('open', () => clearTimeout(this.#opening))
  }

  /** The events of the next frame; undefined if the server asked the client to reconnect at once. */
  async next(): Promise<readonly Event[] | undefined> {
    while (this.#waiting.length === 0 && !this.#end) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const events = this.#waiting.shift()
    if (!events && this.#end?.error) throw this.#end.error
    return events
  }

  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#opening)
    this.#socket.close()
  }

  #onFrame(text: string): void {
    this.#isAnswering = true
    const { events } = JSON.parse(text) as { readonly events?: readonly Event[] }
    if (events) this.#waiting.push(events)
    this.#wake?.()
  }

  #ping(): void {
    if (!this.#isAnswering) this.#finish(new ConnectionError('the server no longer answers'))
    else if (this.#socket.readyState === WebSocket.OPEN) {
      this.#isAnswering = false
      this.#socket.send('{"ping":1}')
    }
  }

  #finish(error: Error | undefined): void {
    this.#end ??= { error }
    this.#wake?.()
  }
}
