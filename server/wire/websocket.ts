/**
 * The WebSocket side of the server: an event queue as a stream.
 *
 * `GET /api/v1/events/stream?queue_id=…&last_event_id=…` with the credentials of any operation. Each
 * text frame is `{"events":[…]}` with the events that `GET /events` would answer, in the same order
 * and with the same ids. The client may acknowledge by `{"last_event_id":…}`; it resumes by
 * connecting again with the last id it has. Wrong credentials and parameters are HTTP errors; a queue
 * that cannot be read on from there is a close code, since a browser sees no answer to an upgrade.
 */

import { authenticate } from '../api/authenticate.ts'
import { ApiError, fail } from '../api/errors.ts'
import { CLOSE_CODES, type EventQueues, type PollRefusal } from '../actors/event-queues.ts'
import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
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
/** What the client of a queue that cannot be read on is told; it has to register again. */
const REFUSAL_REASONS: Readonly<Record<PollRefusal['kind'], string>> = {
  unknown: 'the queue is no more',
  pruned: 'events after last_event_id were acknowledged',
  not_in_queue: 'last_event_id was not in this queue',
}
/** Seconds of silence after which a socket is dead; the library pings in time. */
const IDLE_SECONDS = 60

/** What the WebSocket side works with. */
export interface WebSocketContext {
  readonly state: OrganizationState
  readonly queues: EventQueues
  readonly seenUsers: SeenUsersRecorder
  nextRequestId(): string
  onBug(error: unknown): void
}

interface SocketData {
  readonly userId: UserId
  readonly queueId: QueueId
  readonly lastEventId: EventId | undefined
  isAllowed(): boolean
  socket: StreamSocket | undefined
  /** Undefined until the queue was found. */
  session: Session | undefined
}

/** Adds the route of the stream. */
export function serveWebSocket(app: TemplatedApp, context: WebSocketContext): void {
  app.ws<SocketData>(`${API_BASE}/events/stream`, {
    compression: uws.DISABLED, // Its cost for each client outweighs what it saves on small frames.
    maxPayloadLength: FRAME_BYTES_MAX,
    maxBackpressure: 2 * BUFFER_BYTES_MAX, // Ours closes first, with a reason.
    idleTimeout: IDLE_SECONDS,
    sendPingsAutomatically: true,
    upgrade: (res, req, socketContext) => upgrade(res, req, socketContext, context),
    open(ws) {
      const data = ws.getUserData()
      const socket = new StreamSocket(ws)
      data.socket = socket
      attach(data, socket, context.queues).then(
        (refusal) => {
          if (refusal) socket.close(CLOSE_CODES.gone, REFUSAL_REASONS[refusal.kind])
        },
        (error: unknown) => {
          context.onBug(error)
          socket.close(CLOSE_CODES.restart, 'internal error, resume')
        },
      )
    },
    message(ws, message) {
      const id = parseAcknowledgement(Buffer.from(message).toString('utf8'))
      const { session } = ws.getUserData()
      if (id === undefined) ws.end(CLOSE_NOT_UNDERSTOOD, 'only {"last_event_id": …} is understood')
      else if (session) context.queues.acknowledge(session, id)
    },
    drain: (ws) => ws.getUserData().socket?.onDrain(),
    close(ws) {
      const { session, socket } = ws.getUserData()
      socket?.onClose()
      if (socket && session) context.queues.detach(session, socket)
    },
  })
}

/**
 * Takes the connection over, within the library's own call: an upgrade from a later turn goes through
 * `res.cork`, which may go on with the memory of the response after it became that of the socket, and
 * then close it.
 */
function upgrade(
  res: HttpResponse,
  req: HttpRequest,
  socketContext: us_socket_context_t,
  context: WebSocketContext,
): void {
  const { state } = context
  const authorization = req.getHeader('authorization')
  try {
    const fields = new Map<string, string>()
    decodeForm(req.getQuery() ?? '', fields)
    const user = authenticate(authorization, state)
    context.seenUsers.note(user.id)
    const queueId = fields.get('queue_id')
    if (queueId === undefined) throw fail('PARAMETER_MISSING', { name: 'queue_id' })
    const data: SocketData = {
      userId: user.id,
      queueId: queueId as QueueId,
      lastEventId: parseEventId(fields.get('last_event_id')),
      isAllowed: () => isAuthentic(authorization, state),
      socket: undefined,
      session: undefined,
    }
    res.upgrade(
      data,
      req.getHeader('sec-websocket-key'),
      req.getHeader('sec-websocket-protocol'),
      req.getHeader('sec-websocket-extensions'),
      socketContext,
    )
  } catch (error) {
    if (!(error instanceof ApiError)) context.onBug(error)
    const { status, body } = error instanceof ApiError ? error : fail('INTERNAL')
    const request = { requestId: context.nextRequestId(), method: 'GET' }
    writeApiResponse(res, request, { status, body: JSON.stringify(body), rate: undefined })
  }
}

/** Streams the queue to the socket, or tells why not. */
async function attach(
  data: SocketData,
  socket: StreamSocket,
  queues: EventQueues,
): Promise<PollRefusal | undefined> {
  const session = await queues.find(data.queueId, data.userId)
  if (!session) return { kind: 'unknown' }
  if (!socket.isOpen) return undefined
  data.session = session
  return await queues.attach(session, data.lastEventId, socket)
}

/** One WebSocket: what waits for its client is bounded. */
class StreamSocket implements SessionSocket {
  readonly #ws: WebSocket<SocketData>
  /** From its closing on the library's object throws at every use. */
  isOpen = true
  #onDrained: (() => void)[] = []

  constructor(ws: WebSocket<SocketData>) {
    this.#ws = ws
  }

  send(frame: string): void {
    if (!this.isOpen) return
    const waiting = this.#ws.getBufferedAmount()
    if (waiting > 0 && waiting + frame.length > BUFFER_BYTES_MAX) {
      this.close(CLOSE_CODES.slow, 'too slow: resume by last_event_id')
    } else this.#ws.send(frame)
  }

  async drained(): Promise<void> {
    if (!this.isOpen || this.#ws.getBufferedAmount() === 0) return
    await new Promise<void>((resolve) => this.#onDrained.push(resolve))
  }

  isAllowed(): boolean {
    return this.isOpen && this.#ws.getUserData().isAllowed()
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.#ws.end(code, reason) // Calls `onClose` before it returns.
  }

  onDrain(): void {
    if (this.#onDrained.length === 0) return
    // In a turn of its own: of what is sent within the handler, the library may never tell the draining.
    setImmediate(() => {
      if (this.isOpen && this.#ws.getBufferedAmount() === 0) this.#wake()
    })
  }

  onClose(): void {
    this.isOpen = false
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
