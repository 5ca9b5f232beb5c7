/**
 * The WebSocket side of the server: an event queue as a stream.
 *
 * `GET /api/v1/events/stream?queue_id=…&last_event_id=…` takes the credentials of any operation, or `ticket=…` for
 * clients that cannot set headers. Each text frame is `{"events":[…]}` with the events that `GET /events` returns, in
 * the same order and with the same ids. The client may acknowledge with `{"last_event_id":…}`. It resumes by
 * reconnecting with its last id. The server answers `{"ping":…}` with `{"pong":…}` and the same number, since scripts
 * in browsers cannot send the protocol's own pings. Wrong credentials and parameters are HTTP errors. A ticket that is not
 * valid and a queue that cannot be resumed are close codes, since browsers hide the answer to an upgrade.
 */

import { CLOSE_CODES } from '../actors/close-codes.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
import { toApiError } from '../api/to-api-error.ts'
import type { EventId } from '../domain/ids.ts'
import { API_BASE } from './http.ts'
import {
  admitStream,
  attachStream,
  BUFFER_BYTES_MAX,
  RESUME_REASON,
  type StreamContext,
  type StreamRefusal,
  type StreamRequest,
} from './stream-request.ts'
import type { App, WebSocket } from './transport/transport.ts'

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
/** Bytes of a frame from a client: it sends only acknowledgements and pings. */
const FRAME_BYTES_MAX = 1024
/** Bytes of a frame up to which its sender gets a reason; beyond them the library cuts the connection. */
const FRAME_BYTES_READ_MAX = 16 * FRAME_BYTES_MAX
/** Frames that a client may send per minute, besides one for each frame it gets: one ping per second. */
const FRAMES_PER_MINUTE = 60
/** Unused frames that it may save up: more than can wait for a slow client. */
const FRAMES_LEFT_MAX = 10_000
const MINUTE_MS = 60_000

/** Close codes of RFC 6455 for misbehaving clients; they may reconnect and behave. */
const VIOLATIONS = {
  notUnderstood: { code: 1003, reason: 'only {"last_event_id": …} and {"ping": …} are understood' },
  tooMany: { code: 1008, reason: 'too many frames' },
  tooLong: { code: 1009, reason: `a frame is too long (limit: ${FRAME_BYTES_MAX} bytes)` },
} as const
/** Close codes for a stream that does not start: get a new ticket, or register again. */
const REFUSALS: Readonly<Record<StreamRefusal['kind'], readonly [code: number, reason: string]>> = {
  ticket_invalid: [CLOSE_CODES.unauthorized, 'the ticket is not valid'],
  unknown: [CLOSE_CODES.gone, 'the queue is no more'],
  pruned: [CLOSE_CODES.gone, 'events after last_event_id were acknowledged'],
}
/** Seconds of silence after which a socket is dead. */
const IDLE_SECONDS = 60

interface SocketData extends StreamRequest {
  socket: StreamSocket | undefined
  /** Undefined until the queue is found. */
  session: Session | undefined
}

/** Adds the route of the stream. */
export function serveWebSocket(app: App, context: StreamContext): void {
  app.ws<SocketData>(`${API_BASE}/events/stream`, {
    frameBytesMax: FRAME_BYTES_READ_MAX,
    bufferedBytesMax: 2 * BUFFER_BYTES_MAX, // Our own limit closes first, with a reason.
    idleSeconds: IDLE_SECONDS,
    admit(res, req) {
      const request = admitStream(res, req, context)
      return request && { ...request, socket: undefined, session: undefined }
    },
    open(ws) {
      const data = ws.getUserData()
      const socket = new StreamSocket(ws)
      data.socket = socket
      attach(data, socket, context).catch((error: unknown) => {
        toApiError(error, context, data.requestId) // Reported there; the client should resume after any failure.
        socket.close(CLOSE_CODES.restart, RESUME_REASON)
      })
    },
    message(ws, message, isBinary) {
      const { socket, session } = ws.getUserData()
      if (!socket?.admitsFrame(message.byteLength)) return
      const frame = isBinary ? undefined : parseFrame(UTF8.decode(message))
      if (!frame) socket.closeForViolation('notUnderstood')
      else if (frame.kind === 'ping') socket.answer(`{"pong":${frame.number}}`)
      else if (session) context.queues.acknowledge(session, frame.id)
    },
    ping: (ws, message) => void ws.getUserData().socket?.admitsFrame(message.byteLength), // The library answers it.
    drain: (ws) => ws.getUserData().socket?.onDrain(),
    close(ws) {
      const { session, socket } = ws.getUserData()
      socket?.onClose()
      if (socket && session) context.queues.detach(session, socket)
    },
  })
}

/** Streams the queue to the socket, or closes it with the reason. */
async function attach(data: SocketData, socket: StreamSocket, context: StreamContext): Promise<void> {
  const onFound = (session: Session) => {
    data.session = session
  }
  const refusal = await attachStream(data, socket, onFound, context)
  if (refusal) socket.close(...REFUSALS[refusal.kind])
}

/** One WebSocket: its output buffer is bounded, and so is its input. */
class StreamSocket implements SessionSocket {
  readonly #ws: WebSocket<SocketData>
  /** After the close, every use of the library's object throws. */
  isOpen = true
  #onDrained: (() => void)[] = []
  #framesLeft = FRAMES_PER_MINUTE
  #minuteStartMs = performance.now()

  constructor(ws: WebSocket<SocketData>) {
    this.#ws = ws
  }

  frame(events: readonly string[]): string {
    return `{"events":[${events.join(',')}]}`
  }

  send(frame: string): void {
    this.#framesLeft = Math.min(this.#framesLeft + 1, FRAMES_LEFT_MAX)
    this.answer(frame)
  }

  /** Sends an answer to the client's own frame, which earns it no further frame. */
  answer(frame: string): void {
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

  /** Whether a frame of its client may be handled; closes the socket if there are too many, or one is too long. */
  admitsFrame(bytes: number): boolean {
    if (!this.isOpen) return false
    const nowMs = performance.now()
    if (nowMs - this.#minuteStartMs > MINUTE_MS) {
      this.#minuteStartMs = nowMs
      this.#framesLeft = Math.max(this.#framesLeft, FRAMES_PER_MINUTE)
    }
    this.#framesLeft--
    if (bytes > FRAME_BYTES_MAX) this.closeForViolation('tooLong')
    else if (this.#framesLeft < 0) this.closeForViolation('tooMany')
    return this.isOpen
  }

  /** Closes it because its client broke a rule. */
  closeForViolation(violation: keyof typeof VIOLATIONS): void {
    this.close(VIOLATIONS[violation].code, VIOLATIONS[violation].reason)
  }

  isAllowed(): boolean {
    return this.isOpen && this.#ws.getUserData().holder?.isAllowed() === true
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.#ws.end(code, reason) // Calls `onClose` before it returns.
  }

  onDrain(): void {
    if (this.#onDrained.length === 0) return
    // In a later turn: if everything is sent within the handler, the library may not call `drain`.
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

/** A frame from a client. */
type ClientFrame =
  | { readonly kind: 'acknowledgement'; readonly id: EventId }
  | { readonly kind: 'ping'; readonly number: number }

function parseFrame(text: string): ClientFrame | undefined {
  try {
    const frame = JSON.parse(text) as { last_event_id?: unknown; ping?: unknown } | null
    const { last_event_id: id, ping } = frame ?? {}
    if (Number.isSafeInteger(id)) return { kind: 'acknowledgement', id: id as EventId }
    return Number.isSafeInteger(ping) ? { kind: 'ping', number: ping as number } : undefined
  } catch {
    return undefined // It is not JSON.
  }
}
