/** The common part of WebSockets and streams of server-sent events: authentication, position, and end. */

import type { Sql } from '../../db/connect.ts'
import { takeTicket } from '../../db/tickets.ts'
import type { EventQueues, PollRefusal } from '../actors/event-queues.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
import { toResponse } from '../api/admit.ts'
import { isAuthentic } from '../api/authenticate.ts'
import { type Door, STREAM_POLICY, type Visit } from '../api/door.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import type { RateStatus } from '../api/rate-limit.ts'
import { toApiError } from '../api/to-api-error.ts'
import type { User } from '../domain/entities.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { decodeQuery } from './decode-form.ts'
import { writeApiResponse } from './reply.ts'
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

/** An admitted request for a stream. */
export interface StreamRequest {
  readonly requestId: string
  readonly userId: UserId
  readonly queueId: QueueId
  readonly lastEventId: EventId | undefined
  /** The unused ticket of the request; undefined for a request with an API key. */
  readonly ticketId: string | undefined
  readonly isAllowed: () => boolean
  readonly rate: RateStatus | undefined
}

/** The reason why a stream does not start. */
export type StreamRefusal = PollRefusal | { readonly kind: 'ticket_used' }

/** Bytes that may wait for a slow client before it is disconnected. */
export const BUFFER_BYTES_MAX = 1024 * 1024
/** The reason when a stream ends because the server failed. */
export const RESUME_REASON = 'the server failed, resume'

/**
 * Admits the request. It counts against its user's rate limit or, with wrong credentials, its address's. Returns
 * undefined if it is refused; the refusal is written within the library's own call.
 */
export function admitStream(
  res: HttpResponse,
  req: HttpRequest,
  context: StreamContext,
): StreamRequest | undefined {
  const request = new WireRequest(res, req, context, {
    opensStream: true,
  })
  const visit = context.door.receive(request)
  try {
    if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    const credentials = enter(visit, fields.get('ticket'), request.authorization, context)
    const queueId = fields.get('queue_id')
    if (queueId === undefined) throw fail('PARAMETER_MISSING', { name: 'queue_id' })
    // A browser reconnects to the same address, and sends its position in the header.
    const lastEventId = parseEventId(req.getHeader('last-event-id') || fields.get('last_event_id'))
    const userId = (visit.user as User).id
    const { requestId } = request
    return { requestId, userId, queueId: queueId as QueueId, lastEventId, ...credentials, rate: visit.rate }
  } catch (error) {
    refuseStream(res, error, { requestId: request.requestId, rate: visit.rate }, context)
    return undefined
  }
}

/** Refuses a stream in the form of the API. */
export function refuseStream(
  res: HttpResponse,
  error: unknown,
  { requestId, rate }: Pick<StreamRequest, 'requestId' | 'rate'>,
  context: StreamContext,
): void {
  const { isTlsOnly } = context.door
  const response = toResponse(toApiError(error, context, requestId), rate)
  writeApiResponse(res, { requestId, method: 'GET', isTlsOnly }, response)
}

/** Streams the queue to a socket until either ends, or returns a refusal; calls `onFound` with the session before. */
export async function attachStream(
  { userId, queueId, lastEventId, ticketId }: StreamRequest,
  socket: SessionSocket & { readonly isOpen: boolean },
  onFound: (session: Session) => void,
  { sql, queues }: StreamContext,
): Promise<StreamRefusal | undefined> {
  if (ticketId !== undefined && !(await takeTicket(sql, ticketId))) return { kind: 'ticket_used' }
  const session = await queues.find(queueId, userId)
  if (!socket.isOpen) return undefined
  if (!session) return { kind: 'unknown' }
  onFound(session)
  return queues.attach(session, lastEventId, socket)
}

/** Admits a stream, by its ticket if it has one. */
function enter(
  visit: Visit,
  ticketText: string | undefined,
  authorization: string,
  { state }: StreamContext,
): Pick<StreamRequest, 'ticketId' | 'isAllowed'> {
  if (ticketText === undefined) {
    visit.enter(STREAM_POLICY)
    if (visit.session) return { ticketId: undefined, isAllowed: () => visit.isInSession() }
    return { ticketId: undefined, isAllowed: () => isAuthentic(authorization, state) }
  }
  const { id, isAllowed } = visit.enterByTicket(ticketText)
  return { ticketId: id, isAllowed }
}

function parseEventId(text: string | undefined): EventId | undefined {
  if (text === undefined) return undefined
  if (!/^-?[0-9]{1,15}$/.test(text))
    throw fail('PARAMETER_INVALID', { message: 'last_event_id is not an integer' })
  return Number(text) as EventId
}
