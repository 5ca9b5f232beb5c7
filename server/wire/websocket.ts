/**
 * The WebSocket side of the server: an event queue as a stream.
 *
 * `GET /api/v1/events/stream?queue_id=…&last_event_id=…` with the credentials of any operation. Each
 * text frame is `{"events":[…]}` with the events that `GET /events` would answer, in the same order
 * and with the same ids. The client may acknowledge by `{"last_event_id":…}`; it resumes by
 * connecting again with the last id it has.
 */

import { authenticate } from '../api/authenticate.ts'
import { ApiError, fail } from '../api/errors.ts'
import { CLOSE_CODES, type EventQueues, type PollRefusal } from '../actors/event-queues.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
import type { EventId, QueueId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { decodeForm } from './decode-body.ts'
import { API_BASE } from './http.ts'
import { writeApiResponse } from './reply.ts'
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from './uws.ts'
import { uws } from './uws.ts'

/** Bytes that may wait for a slow client before it is closed. */
const BUFFER_BYTES_MAX = 1024 * 1024
/** Bytes of a frame from a client: acknowledgements are all it sends. */
const FRAME_BYTES_MAX = 1024
/** What a client is told that sends something else; RFC 6455 calls it unacceptable data. */
const CLOSE_NOT_UNDERSTOOD = 1003
const REFUSALS = { pruned: 'EVENT_PRUNED', not_in_queue: 'EVENT_NOT_IN_QUEUE' } as const
/** Seconds of silence after which a socket is dead; the library pings in time. */
const IDLE_SECONDS = 60

/** What the WebSocket side works with. */
export interface WebSocketContext {
  readonly state: OrganizationState
  readonly queues: EventQueues
  nextRequestId(): string
  onBug(error: unknown): void
}

interface SocketData {
  readonly session: Session
  readonly lastEventId: EventId | undefined
  isAllowed(): boolean
  socket: StreamSocket | undefined
}

/** Adds the route of the stream. */
export function serveWebSocket(app: TemplatedApp, context: WebSocketContext): void {
  app.ws<SocketData>(`${API_BASE}/events/stream`, {
    compression: uws.DISABLED, // Its cost for each client outweighs what it saves on small frames.
    maxPayloadLength: FRAME_BYTES_MAX,
    maxBackpressure: 2 * BUFFER_BYTES_MAX, // Ours closes first, with a reason.
    idleTimeout: IDLE_SECONDS,
    sendPingsAutomatically: true,
    upgrade: (res, req, socketContext) => void upgrade(res, req, socketContext, context),
    open(ws) {
      const data = ws.getUserData()
      const socket = new StreamSocket(ws)
      data.socket = socket
      const { session, lastEventId } = data
      context.queues.attach(session, lastEventId, socket).then(
        (refusal) => {
          if (refusal) socket.close(CLOSE_CODES.gone, `last_event_id: ${refusal.kind}`)
        },
        (error: unknown) => {
          context.onBug(error)
          socket.close(CLOSE_CODES.restart, 'internal error, resume')
        },
      )
    },
    message(ws, message) {
      const id = parseAcknowledgement(Buffer.from(message).toString('utf8'))
      if (id === undefined) ws.end(CLOSE_NOT_UNDERSTOOD, 'only {"last_event_id": …} is understood')
      else context.queues.acknowledge(ws.getUserData().session, id)
    },
    drain: (ws) => ws.getUserData().socket?.onDrain(),
    close(ws) {
      const { session, socket } = ws.getUserData()
      socket?.onClose()
      if (socket) context.queues.detach(session, socket)
    },
  })
}

async function upgrade(
  res: HttpResponse,
  req: HttpRequest,
  socketContext: us_socket_context_t,
  context: WebSocketContext,
): Promise<void> {
  const { state, queues } = context
  const query = req.getQuery() ?? ''
  const authorization = req.getHeader('authorization')
  const key = req.getHeader('sec-websocket-key')
  const protocol = req.getHeader('sec-websocket-protocol')
  const extensions = req.getHeader('sec-websocket-extensions')
  let isAborted = false
  res.onAborted(() => {
    isAborted = true
  })
  try {
    const fields = new Map<string, string>()
    decodeForm(query, fields)
    const user = authenticate(authorization, state)
    const queueId = fields.get('queue_id')
    if (queueId === undefined) throw fail('PARAMETER_MISSING', { name: 'queue_id' })
    const lastEventId = parseEventId(fields.get('last_event_id'))
    const session = await queues.find(queueId as QueueId, user.id)
    const refusal: PollRefusal | undefined = session
      ? await queues.findRefusal(session, lastEventId)
      : { kind: 'unknown' }
    if (!session || refusal?.kind === 'unknown') throw fail('QUEUE_UNKNOWN', { queueId })
    if (refusal) throw fail(REFUSALS[refusal.kind], { id: lastEventId ?? -1 })
    if (isAborted) return
    const isAllowed = () => isAuthentic(authorization, state)
    const data: SocketData = { session, lastEventId, isAllowed, socket: undefined }
    res.cork(() => res.upgrade(data, key, protocol, extensions, socketContext))
  } catch (error) {
    if (!(error instanceof ApiError)) context.onBug(error)
    const failure = error instanceof ApiError ? error : fail('INTERNAL')
    if (isAborted) return
    const request = { requestId: context.nextRequestId(), method: 'GET' }
    const { status, body } = failure
    writeApiResponse(res, request, { status, body: JSON.stringify(body), rate: undefined })
  }
}

/** One WebSocket: what waits for its client is bounded. */
class StreamSocket implements SessionSocket {
  readonly #ws: WebSocket<SocketData>
  #isOpen = true
  #onDrained: (() => void)[] = []

  constructor(ws: WebSocket<SocketData>) {
    this.#ws = ws
  }

  send(frame: string): void {
    if (!this.#isOpen) return
    const waiting = this.#ws.getBufferedAmount()
    if (waiting > 0 && waiting + frame.length > BUFFER_BYTES_MAX) {
      this.close(CLOSE_CODES.slow, 'too slow: resume by last_event_id')
    } else this.#ws.send(frame)
  }

  async drained(): Promise<void> {
    if (!this.#isOpen || this.#ws.getBufferedAmount() === 0) return
    await new Promise<void>((resolve) => this.#onDrained.push(resolve))
  }

  isAllowed(): boolean {
    return this.#isOpen && this.#ws.getUserData().isAllowed()
  }

  close(code: number, reason: string): void {
    if (this.#isOpen) this.#ws.end(code, reason) // Calls `onClose` before it returns.
  }

  onDrain(): void {
    if (this.#onDrained.length === 0) return
    // In a turn of its own: of what is sent within the handler, the library may never tell the draining.
    setImmediate(() => {
      if (this.#isOpen && this.#ws.getBufferedAmount() === 0) this.#wake()
    })
  }

  onClose(): void {
    this.#isOpen = false // From here on the library's object throws at every use.
    this.#wake()
  }

  #wake(): void {
    const onDrained = this.#onDrained
    this.#onDrained = []
    for (const resolve of onDrained) resolve()
  }
}

function isAuthentic(authorization: string, state: OrganizationState): boolean {
  try {
    authenticate(authorization, state)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function parseEventId(text: string | undefined): EventId | undefined {
  if (text === undefined) return undefined
  if (!/^-?[0-9]{1,15}$/.test(text))
    throw fail('PARAMETER_INVALID', { message: 'last_event_id is not an integer' })
  return Number(text) as EventId
}

function parseAcknowledgement(text: string): EventId | undefined {
  try {
    const id = (JSON.parse(text) as { last_event_id?: unknown } | null)?.last_event_id
    return Number.isSafeInteger(id) ? (id as EventId) : undefined
  } catch {
    return undefined
  }
}
