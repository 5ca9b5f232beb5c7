/** The common part of WebSockets and streams of server-sent events: authentication, position, and end. */

import type { Sql } from '../../db/connection/connect.ts'
import type { EventQueues, PollRefusal } from '../actors/event-queues.ts'
import type { QueueKey, Session, SessionSocket } from '../actors/session.ts'
import { toResponse } from '../api/admit.ts'
import { nowSeconds } from '../domain/clock.ts'
import { isAuthentic } from '../api/door/authenticate.ts'
import type { Door } from '../api/door/door.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { STREAM_POLICY } from '../api/door/policies.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import type { RateStatus } from '../api/door/rate-limit.ts'
import { redeemTicket, STREAM_TICKET } from '../api/door/tickets.ts'
import { toApiError } from '../api/to-api-error.ts'
import type { User } from '../domain/entities.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { decodeQuery } from './decode-form.ts'
import { type After, writeApiResponse } from './reply.ts'
import { WireRequest } from './request.ts'
import type { HttpRequest, HttpResponse } from './transport/transport.ts'

/** The dependencies of streams. */
export interface StreamContext {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly queues: EventQueues
  readonly door: Door
  readonly isProxyTrusted: boolean
  readonly nextRequestId: () => string
  onBug(error: unknown, requestId?: string): void
  onError(error: unknown, requestId?: string): void
  /** Streams that are not answered yet. */
  readonly opening: Set<OpeningStream>
}

/** A stream of server-sent events that is not answered yet. */
export interface OpeningStream {
  /** In milliseconds of the process's clock. */
  readonly sinceMs: number
  refuse(error: ApiError): void
}

/** The user of a stream. */
export interface StreamHolder {
  readonly userId: UserId
  /** The named key of the request; undefined for others. */
  readonly key?: QueueKey | undefined
  /** Whether the credentials of the request are still valid. */
  readonly isAllowed: () => boolean
}

/** A request for a stream: an admitted one, or one with a ticket that is still to be looked up. */
export interface StreamRequest {
  readonly requestId: string
  readonly queueId: QueueId
  readonly lastEventId: EventId | undefined
  /** Undefined until the ticket is looked up. */
  holder: StreamHolder | undefined
  /** Looks the ticket up; undefined for a request without one, and once it is done. */
  redeem: (() => Promise<StreamHolder | undefined>) | undefined
  rate: RateStatus | undefined
}

/** The reason why a stream does not start. */
export type StreamRefusal = PollRefusal | { readonly kind: 'ticket_invalid' }

/** Bytes that may wait for a slow client before it is disconnected. */
export const BUFFER_BYTES_MAX = 1024 * 1024
/** The reason when a stream ends because the server failed. */
export const RESUME_REASON = 'the server failed, resume'

/**
 * Admits the request. It counts against its user's rate limit or, with wrong credentials, its address's. Returns
 * undefined if it is refused; the refusal is written within the library's own call. A ticket is looked up later, since an
 * upgrade cannot wait (`transport/uws.ts`).
 */
export function admitStream(
  res: HttpResponse,
  req: HttpRequest,
  context: StreamContext,
): StreamRequest | undefined {
  const request = new WireRequest(res, req, context, {
    opensStream: true,
  })
  const exchange = context.door.receive(request)
  try {
    if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    const ticket = fields.get('ticket')
    if (ticket === undefined) exchange.enter(STREAM_POLICY)
    else exchange.admitTicket(ticket)
    const queueId = fields.get('queue_id')
    if (queueId === undefined) throw fail('PARAMETER_MISSING', { name: 'queue_id' })
    // A browser reconnects to the same address, and sends its position in the header.
    const lastEventId = parseEventId(req.getHeader('last-event-id') || fields.get('last_event_id'))
    const { requestId, authorization } = request
    const stream: StreamRequest = {
      requestId,
      queueId: queueId as QueueId,
      lastEventId,
      rate: exchange.limits.rate,
      holder: ticket === undefined ? holderOf(exchange, authorization, context) : undefined,
      redeem: undefined,
    }
    if (ticket !== undefined)
      stream.redeem = () =>
        redeem(exchange, ticket, context).finally(() => (stream.rate = exchange.limits.rate))
    return stream
  } catch (error) {
    const after = request.isAmbiguous ? 'cut' : 'next'
    refuseStream(res, error, { requestId: request.requestId, rate: exchange.limits.rate, after }, context)
    return undefined
  }
}

/** Refuses a stream in the form of the API. */
export function refuseStream(
  res: HttpResponse,
  error: unknown,
  { requestId, rate, after }: Pick<StreamRequest, 'requestId' | 'rate'> & { readonly after?: After },
  context: StreamContext,
): void {
  const { isTlsOnly } = context.door
  const response = toResponse(toApiError(error, context, requestId), rate)
  writeApiResponse(
    res,
    { requestId, method: 'GET', after: after ?? 'next', isUnread: true, isTlsOnly },
    response,
  )
}

/** Streams the queue to a socket until either ends, or returns a refusal; calls `onFound` with the session before. */
export async function attachStream(
  request: StreamRequest,
  socket: SessionSocket & { readonly isOpen: boolean },
  onFound: (session: Session) => void,
  { queues }: StreamContext,
): Promise<StreamRefusal | undefined> {
  if (request.redeem) {
    request.holder = await request.redeem()
    request.redeem = undefined
  }
  const { holder, queueId, lastEventId } = request
  if (!holder) return { kind: 'ticket_invalid' }
  const session = await queues.find(queueId, holder.userId, holder.key)
  if (!socket.isOpen) return undefined
  if (!session) return { kind: 'unknown' }
  onFound(session)
  return queues.attach(session, lastEventId, socket)
}

/** The user of an API key or a session, who was admitted. */
function holderOf(exchange: Exchange, authorization: string, { state, door }: StreamContext): StreamHolder {
  const userId = (exchange.user as User).id
  const { clock } = door.context
  const isValid = exchange.session
    ? () => exchange.isInSession()
    : () => isAuthentic(authorization, state, nowSeconds(clock))
  return { userId, key: exchange.key, isAllowed: () => isValid() && exchange.hasFactor() }
}

/** Uses the ticket, and admits its user; undefined for every defect. */
async function redeem(
  exchange: Exchange,
  text: string,
  { sql, state, door }: StreamContext,
): Promise<StreamHolder | undefined> {
  const ticket = await redeemTicket({ sql, state, clock: door.context.clock }, text, STREAM_TICKET)
  if (!ticket) {
    exchange.countWrongTicket()
    return undefined
  }
  exchange.enterByTicket(ticket)
  // The time for a second factor may have ended since the ticket was made, or ends while the stream is open.
  const isAllowed = () => ticket.isAllowed() && exchange.hasFactor()
  return isAllowed() ? { userId: ticket.user.id, isAllowed } : undefined
}

function parseEventId(text: string | undefined): EventId | undefined {
  if (text === undefined) return undefined
  if (!/^-?[0-9]{1,15}$/.test(text))
    throw fail('PARAMETER_INVALID', { message: 'last_event_id is not an integer' })
  return Number(text) as EventId
}
