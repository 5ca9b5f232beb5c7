/**
 * The fan-out: sends new log entries to the waiting clients.
 *
 * It runs in its own turn. Within an HTTP handler, all replies would share the handler's one cork buffer, which made a
 * thousand parked polls fifteen times slower.
 */

import type { EventId, UserId } from '../domain/ids.ts'
import { Histogram } from '../measures/histogram.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { PollReplies } from './poll-replies.ts'
import { ReplyEvents } from './reply-events.ts'
import { type Session, socketFrames } from './session.ts'
import type { TimelineEntry } from './timeline.ts'

/** The sessions with a parked poll or a stream, by user. */
export class LiveSessions {
  readonly #byUser = new Map<UserId, Session[]>()
  /** Sessions that receive public channels without a subscription. */
  readonly #publicListeners = new Set<Session>()

  add(session: Session): void {
    const sessions = this.#byUser.get(session.userId)
    if (!sessions) this.#byUser.set(session.userId, [session])
    else if (!sessions.includes(session)) sessions.push(session)
    if (session.options.allPublicChannels) this.#publicListeners.add(session)
  }

  remove(session: Session): void {
    const sessions = this.#byUser.get(session.userId)
    const index = sessions?.indexOf(session) ?? -1
    if (sessions && index >= 0) {
      if (sessions.length === 1) this.#byUser.delete(session.userId)
      else sessions.splice(index, 1)
    }
    this.#publicListeners.delete(session)
  }

  /** The number of a user's streams here, without parked polls. */
  countStreams(userId: UserId): number {
    return (this.#byUser.get(userId) ?? []).filter(({ phase }) => phase.kind === 'streaming').length
  }

  /** Calls `visit` for each session that an entry may concern, for some perhaps twice. */
  forEachConcerned(entry: TimelineEntry, visit: (session: Session) => void): void {
    const visitUser = (userId: UserId) => this.#byUser.get(userId)?.forEach(visit)
    if (this.#byUser.size < entry.recipients.size) {
      for (const [userId, sessions] of this.#byUser) {
        if (entry.recipients.has(userId)) sessions.forEach(visit)
      }
    } else entry.recipients.forEach(visitUser)
    if (entry.isPublicMessage) this.#publicListeners.forEach(visit)
  }
}

/** The dependencies of the fan-out. */
export interface FanOutContext {
  readonly state: OrganizationState
  nowSeconds(): number
  /** Ends a session's wait, before its poll is answered. */
  readonly unpark: (session: Session) => void
  /** Called if an entry cannot be encoded for a client; other clients still get theirs. */
  readonly onError: (error: unknown) => void
}

/** The work of the fan-out since the start. */
export class FanOutFigures {
  entries = 0
  /** Replies and frames with events. */
  deliveries = 0
  /** Seconds from the oldest entry of a batch, committed or received, until the batch is written to its clients. */
  readonly delaySeconds = new Histogram()

  note(entries: number, deliveries: number, oldestMs: number): void {
    this.entries += entries
    this.deliveries += deliveries
    if (deliveries > 0) this.delaySeconds.observeSince(oldestMs)
  }
}

/**
 * Sends a batch of entries to the live sessions; each gets its entries in one reply or frame. Returns the number of
 * sessions.
 */
export function fanOut(
  entries: readonly TimelineEntry[],
  live: LiveSessions,
  context: FanOutContext,
): number {
  const lastId = entries.at(-1)?.id as EventId
  const concerned: Session[] = []
  for (const entry of entries) {
    live.forEachConcerned(entry, (session) => {
      if (entry.id <= session.scannedId || session.pending?.at(-1) === entry) return
      if (!session.wants(entry, context.state)) return
      if (session.pending) session.pending.push(entry)
      else {
        session.pending = [entry]
        concerned.push(session)
      }
    })
  }
  const delivery: Delivery = { lastId, nowSeconds: context.nowSeconds(), replies: new PollReplies() }
  for (const session of concerned) {
    const pending = session.pending as TimelineEntry[]
    session.pending = undefined
    try {
      deliver(session, pending, delivery, context)
    } catch (error) {
      context.onError(error)
    }
  }
  return concerned.length
}

/** The shared part of a batch's deliveries. */
interface Delivery {
  readonly lastId: EventId
  readonly nowSeconds: number
  readonly replies: PollReplies
}

function deliver(
  session: Session,
  pending: readonly TimelineEntry[],
  { lastId, nowSeconds, replies }: Delivery,
  { state, unpark }: FanOutContext,
): void {
  const { phase } = session
  if (phase.kind === 'streaming') {
    const events = pending.map((entry) => session.encode(entry, state, nowSeconds))
    session.sentId = (pending.at(-1) as TimelineEntry).id
    session.scannedId = lastId
    for (const frame of socketFrames(phase.socket, events)) phase.socket.send(frame)
  } else if (phase.kind === 'parked') {
    const reply = new ReplyEvents()
    for (const entry of pending) {
      reply.add(entry.id, session.encode(entry, state, nowSeconds))
      if (reply.isFull) break
    }
    session.sentId = reply.lastId as EventId
    session.scannedId = reply.events.length === pending.length ? lastId : session.sentId
    unpark(session)
    phase.reply.end(replies.encode(session.queueId, reply.events))
  } // Otherwise the client disconnected meanwhile; its cursor has not moved.
}
