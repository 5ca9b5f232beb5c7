/**
 * Server-sent events: an event queue as a stream, for clients that read plain HTTP.
 *
 * `GET /api/v1/events/stream` with `Accept: text/event-stream` takes the same parameters as the WebSocket there. Each
 * event is a message: its data is the event as `GET /events` returns it, its id is the event's id. A client that
 * reconnects with the header `Last-Event-ID`, as browsers do, resumes after that event; this acknowledges the events
 * before, like a poll. Errors at the start are HTTP errors. Later the server sends a message `close` with the reason
 * and the same codes as on a WebSocket; a client that is too slow is disconnected.
 */

import { CLOSE_CODES } from '../actors/close-codes.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import { toApiError } from '../api/to-api-error.ts'
import { AWAY_MS_MAX } from './flights.ts'
import { API_BASE } from './http.ts'
import {
  admitStream,
  attachStream,
  BUFFER_BYTES_MAX,
  type OpeningStream,
  refuseStream,
  RESUME_REASON,
  type StreamContext,
  type StreamRefusal,
  type StreamRequest,
} from './stream-request.ts'
import type { App, HttpResponse } from './transport/transport.ts'
import { writeHead } from './write-head.ts'

const CONTENT_TYPE = 'text/event-stream'
/** The delay before a browser reconnects. */
const RETRY_MS = 1_000
/** An empty message: writing it also flushes the output of a slow client. */
const COMMENT = ':\n\n'

/** Adds the route of the stream; other requests to it go to the next handler. */
export function serveEventSource(app: App, context: StreamContext): void {
  app.get(`${API_BASE}/events/stream`, (res, req) => {
    if (!req.getHeader('accept').includes(CONTENT_TYPE)) return false
    const request = admitStream(res, req, context)
    if (request) void new EventStream(res, request, context).serve()
    return true
  })
}

/** Refuses streams that have waited this long for an unavailable database. */
export function refuseOverdue({ opening }: StreamContext, waitedMsMin = AWAY_MS_MAX): void {
  const nowMs = performance.now()
  for (const stream of opening) {
    if (nowMs - stream.sinceMs >= waitedMsMin) stream.refuse(fail('DATABASE_UNAVAILABLE'))
  }
}

/** One stream, with a bounded buffer. */
class EventStream implements SessionSocket, OpeningStream {
  readonly sinceMs = performance.now()
  readonly #res: HttpResponse
  readonly #request: StreamRequest
  readonly #context: StreamContext
  isOpen = true
  #isStarted = false
  /** Bytes written since the library's buffer was last empty. */
  #waitingBytes = 0
  #onDrained: (() => void)[] = []
  #session: Session | undefined

  constructor(res: HttpResponse, request: StreamRequest, context: StreamContext) {
    this.#res = res
    this.#request = request
    this.#context = context
    context.opening.add(this)
    res.onAborted(() => this.#onClosed())
  }

  async serve(): Promise<void> {
    try {
      const onFound = (session: Session) => {
        this.#session = session
      }
      const refusal = await attachStream(this.#request, this, onFound, this.#context)
      if (!this.isOpen) return
      if (!refusal) this.#res.cork(() => this.#start())
      else if (this.#isStarted) this.close(CLOSE_CODES.gone, 'the queue is no more')
      else this.refuse(toError(refusal, this.#request))
    } catch (error) {
      const failure = toApiError(error, this.#context, this.#request.requestId)
      if (this.#isStarted) this.close(CLOSE_CODES.restart, RESUME_REASON)
      else this.refuse(failure)
    }
  }

  frame(events: readonly string[]): string {
    return events.map((event) => `id: ${idOf(event)}\ndata: ${event}\n\n`).join('')
  }

  send(frame: string): void {
    if (!this.isOpen) return
    if (this.#waitingBytes > 0 && this.#waitingBytes + frame.length > BUFFER_BYTES_MAX) {
      this.#res.close() // Calls `#onClosed` before it returns; a reason would be buffered as well.
      return
    }
    this.#res.cork(() => {
      this.#start()
      if (!this.#res.write(frame)) this.#waitingBytes += frame.length
    })
  }

  async drained(): Promise<void> {
    if (!this.isOpen || this.#waitingBytes === 0) return
    await new Promise<void>((resolve) => this.#onDrained.push(resolve))
  }

  isAllowed(): boolean {
    return this.isOpen && this.#request.holder?.isAllowed() === true
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return
    if (!this.#isStarted && code === CLOSE_CODES.unauthorized) this.refuse(fail('API_KEY_INVALID'))
    else if (!this.#isStarted && code === CLOSE_CODES.gone) {
      this.refuse(fail('QUEUE_UNKNOWN', { queueId: this.#request.queueId }))
    } else {
      this.#res.cork(() => {
        this.#start()
        // If it also had to close the connection, the library would write a header into the body.
        this.#res.end(`event: close\ndata: ${JSON.stringify({ code, reason })}\n\n`)
      })
      this.#onClosed()
    }
  }

  /** Starts the answer, once the queue is found. */
  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#context.opening.delete(this)
    const res = this.#res
    const { rate, requestId } = this.#request
    const { isTlsOnly } = this.#context.door
    writeHead(res, { status: 200, requestId, contentType: CONTENT_TYPE, rate, isTlsOnly, isPrivate: true })
    res.writeHeader('X-Accel-Buffering', 'no') // Proxies must not buffer it.
    res.onWritable(() => this.#onWritable())
    res.write(`retry: ${RETRY_MS}\n\n`)
  }

  /** Refuses a stream that has not started. */
  refuse(error: ApiError): void {
    if (!this.isOpen) return
    refuseStream(this.#res, error, this.#request, this.#context)
    this.#onClosed()
  }

  /** The library flushes its buffer only when more is written. */
  #onWritable(): boolean {
    if (!this.isOpen || !this.#res.write(COMMENT)) return false
    this.#waitingBytes = 0
    // In a later turn, since the library may not report a write within its own call as finished.
    setImmediate(() => this.#wake())
    return true
  }

  #onClosed(): void {
    this.isOpen = false
    this.#context.opening.delete(this)
    if (this.#session) this.#context.queues.detach(this.#session, this)
    this.#wake()
  }

  #wake(): void {
    const onDrained = this.#onDrained
    this.#onDrained = []
    for (const resolve of onDrained) resolve()
  }
}

/** Every event starts with its id. */
function idOf(event: string): string {
  return event.slice('{"id":'.length, event.indexOf(','))
}

function toError(refusal: StreamRefusal, { queueId, lastEventId }: StreamRequest): ApiError {
  switch (refusal.kind) {
    case 'ticket_invalid':
      return fail('TICKET_INVALID')
    case 'unknown':
      return fail('QUEUE_UNKNOWN', { queueId })
    case 'pruned':
      return fail('EVENT_PRUNED', { id: lastEventId ?? -1 })
  }
}
