/** What a WebSocket and a stream of server-sent events have in common: who opens it, from where on, and how it ends. */

import type { Sql } from '../../db/connect.ts'
import { takeTicket } from '../../db/tickets.ts'
import type { EventQueues, PollRefusal } from '../actors/event-queues.ts'
import type { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import type { Session, SessionSocket } from '../actors/session.ts'
import { authenticate, isAuthentic } from '../api/authenticate.ts'
import { ApiError, fail } from '../api/errors.ts'
import type { RateLimiter, RateLimits, RateStatus } from '../api/rate-limit.ts'
import { readTicket } from '../api/tickets.ts'
import type { Clock } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { decodeForm } from './decode-form.ts'
import { writeApiResponse } from './reply.ts'
import { WireRequest } from './request.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'

/** What streams work with. */
export interface StreamContext {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly queues: EventQueues
  readonly seenUsers: SeenUsersRecorder
  readonly clock: Clock
  readonly limiter: RateLimiter
  readonly limits: RateLimits
  readonly isProxyTrusted: boolean
  nextRequestId(): string
  onBug(error: unknown): void
}

/** What somebody who may ask for a stream asks for. */
export interface StreamRequest {
  readonly userId: UserId
  readonly queueId: QueueId
  readonly lastEventId: EventId | undefined
  /** The ticket it came with, not used up yet; undefined where it came with its key. */
  readonly ticketId: string | undefined
  readonly isAllowed: () => boolean
  readonly rate: RateStatus
}

/** Why a stream does not begin. */
export type StreamRefusal = PollRefusal | { readonly kind: 'ticket_used' }

/** Bytes that may wait for a slow client before it is closed. */
export const BUFFER_BYTES_MAX = 1024 * 1024

/**
 * The request, counted like any other of the same user, or where its credentials are wrong, of the same address.
 * Undefined where it is refused, which is answered here, within the library's own call.
 */
export function admitStream(
  res: HttpResponse,
  req: HttpRequest,
  context: StreamContext,
): StreamRequest | undefined {
  const { limiter, limits } = context
  const request = new WireRequest(res, req, context.isProxyTrusted)
  let rate: RateStatus | undefined
  const count = (key: string, limit: number): RateStatus => {
    rate = limiter.take(key, limit)
    if (rate.retryAfterSeconds === undefined) return rate
    throw fail('RATE_LIMIT_HIT', { retryAfterSeconds: rate.retryAfterSeconds })
  }
  try {
    const fields = new Map<string, string>()
    decodeForm(request.query, fields)
    const { user, ...credentials } = identify(fields.get('ticket'), request.authorization, context)
    context.seenUsers.note(user.id)
    const counted = count(`user:${user.id}`, limits.perUser)
    const queueId = fields.get('queue_id')
    if (queueId === undefined) throw fail('PARAMETER_MISSING', { name: 'queue_id' })
    // A browser that comes back by itself asks for the same address, and says by the header how far it got.
    const lastEventId = parseEventId(req.getHeader('last-event-id') || fields.get('last_event_id'))
    return { userId: user.id, queueId: queueId as QueueId, lastEventId, ...credentials, rate: counted }
  } catch (error) {
    refuseStream(res, countWrong(error), rate, context)
    return undefined
  }

  function countWrong(error: unknown): unknown {
    if (!(error instanceof ApiError) || error.status !== 401) return error
    try {
      count(`address:${request.address}`, limits.perAddress)
      return error
    } catch (refusal) {
      return refusal
    }
  }
}

/** Answers a request for a stream that does not come about, in the form of the API. */
export function refuseStream(
  res: HttpResponse,
  error: unknown,
  rate: RateStatus | undefined,
  context: StreamContext,
): void {
  if (!(error instanceof ApiError)) context.onBug(error)
  const { status, body } = error instanceof ApiError ? error : fail('INTERNAL')
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

/** Who opens a stream: by a ticket where there is one, since browsers may add credentials of their own accord. */
function identify(
  ticketText: string | undefined,
  authorization: string,
  { state, clock }: StreamContext,
): Pick<StreamRequest, 'ticketId' | 'isAllowed'> & { readonly user: User } {
  if (ticketText !== undefined) {
    const { id, user, isAllowed } = readTicket(ticketText, state, clock.nowMs())
    return { user, ticketId: id, isAllowed }
  }
  const user = authenticate(authorization, state)
  return { user, ticketId: undefined, isAllowed: () => isAuthentic(authorization, state) }
}

function parseEventId(text: string | undefined): EventId | undefined {
  if (text === undefined) return undefined
  if (!/^-?[0-9]{1,15}$/.test(text))
    throw fail('PARAMETER_INVALID', { message: 'last_event_id is not an integer' })
  return Number(text) as EventId
}
