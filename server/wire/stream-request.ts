/** What a WebSocket and a stream of server-sent events have in common: who opens it, from where on, and how it ends. */

import type { Sql } from '../../db/connect.ts'
import { takeTicket } from '../../db/tickets.ts'
import type { EventQueues, PollRefusal } from '../actors/event-queues.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
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
import type { HttpRequest, HttpResponse } from './uws.ts'

/** What streams work with. */
export interface StreamContext {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly queues: EventQueues
  readonly door: Door
  readonly isProxyTrusted: boolean
  nextRequestId(): string
  onBug(error: unknown): void
  onError(error: unknown): void
  /** Streams that are not answered yet. */
  readonly opening: Set<OpeningStream>
}

/** A stream of server-sent events that is not answered yet. */
export interface OpeningStream {
  /** Milliseconds of the process's own clock. */
  readonly sinceMs: number
  refuse(error: ApiError): void
}

/** What somebody who may ask for a stream asks for. */
export interface StreamRequest {
  readonly userId: UserId
  readonly queueId: QueueId
  readonly lastEventId: EventId | undefined
  /** The ticket it came with, not used up yet; undefined where it came with its key. */
  readonly ticketId: string | undefined
  readonly isAllowed: () => boolean
  readonly rate: RateStatus | undefined
}

/** Why a stream does not begin. */
export type StreamRefusal = PollRefusal | { readonly kind: 'ticket_used' }

/** Bytes that may wait for a slow client before it is closed. */
export const BUFFER_BYTES_MAX = 1024 * 1024
/** Why a stream ends by a failure of the server's. */
export const RESUME_REASON = 'the server failed, resume'

/**
 * The request, counted like any other of the same user, or where its credentials are wrong, of the same address.
 * Undefined where it is refused, which is answered here, within the library's own call.
 */
export function admitStream(
  res: HttpResponse,
  req: HttpRequest,
  context: StreamContext,
): StreamRequest | undefined {
  const request = new WireRequest(res, req, context.isProxyTrusted, { opensStream: true })
  const visit = context.door.receive(request)
  try {
    if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    const credentials = enter(visit, fields.get('ticket'), request.authorization, context)
    const queueId = fields.get('queue_id')
    if (queueId === undefined) throw fail('PARAMETER_MISSING', { name: 'queue_id' })
    // A browser that comes back by itself asks for the same address, and says by the header how far it got.
    const lastEventId = parseEventId(req.getHeader('last-event-id') || fields.get('last_event_id'))
    const userId = (visit.user as User).id
    return { userId, queueId: queueId as QueueId, lastEventId, ...credentials, rate: visit.rate }
  } catch (error) {
    refuseStream(res, error, visit.rate, context)
    return undefined
  }
}

/** Answers a request for a stream that does not come about, in the form of the API. */
export function refuseStream(
  res: HttpResponse,
  error: unknown,
  rate: RateStatus | undefined,
  context: StreamContext,
): void {
  const { status, body } = toApiError(error, context)
  const request = { requestId: context.nextRequestId(), method: 'GET' }
  writeApiResponse(res, request, { status, body: JSON.stringify(body), rate })
}

/** Streams the queue to a socket until either ends, or tells why not; `onFound` is given the session before that. */
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

/** Lets a stream in, by a ticket where there is one. */
function enter(
  visit: Visit,
  ticketText: string | undefined,
  authorization: string,
  { state }: StreamContext,
): Pick<StreamRequest, 'ticketId' | 'isAllowed'> {
  if (ticketText === undefined) {
    visit.enter(STREAM_POLICY)
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
