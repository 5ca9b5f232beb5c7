/**
 * The event queues that clients of this process use: registering, polling, streaming, expiring.
 *
 * A queue lives in the database; what is here is its session, made anew by whichever process the
 * client asks next. So a queue outlives any process.
 */

import type { Sql } from '../../db/connect.ts'
import { removeQueue } from '../../db/queues.ts'
import type { Clock } from '../domain/clock.ts'
import type { LogEntry } from '../domain/events.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import type { Broadcast, QueueSignal } from '../log/broadcast.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type CatchUpContext, collectInTurn, noteSent, replayTo } from './catch-up-session.ts'
import { CLOSE_CODES, closeSocket, STREAMS_PER_USER_MAX } from './close-codes.ts'
import { fanOut } from './fan-out.ts'
import type { HeldReply } from './held-reply.ts'
import { QueueClaims } from './queue-claims.ts'
import { collectRecent } from './replay.ts'
import {
  pollReply,
  type QueueOptions,
  type Session,
  type SessionPhase,
  type SessionSocket,
} from './session.ts'
import { SessionRegistry, TOUCH_PERIOD_MS } from './session-registry.ts'
import { SessionWaits } from './session-waits.ts'
import { placeInTime, Timeline, type TimelineEntry } from './timeline.ts'
import { Turns } from './turns.ts'

/** How often parked polls are looked at for their deadline. */
const DEADLINE_TICK_MS = 250

/** Why a queue cannot be read on from a number; `unknown` where it is no more. */
export interface PollRefusal {
  readonly kind: 'unknown' | 'pruned'
}

/** What the queues work with. */
export interface EventQueuesOptions {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly clock: Clock
  readonly broadcast: Broadcast
  /** Tells this process from others in signals. */
  readonly origin: string
  readonly pollHoldMs: number
  /** Brings the state up to the end of the log. */
  catchUp(): Promise<void>
  /** Makes the log longer, so that heartbeats have a number that was not told before. */
  beat(): Promise<void>
  readonly onError: (error: unknown) => void
  /** Entries held in memory; by default as many as the timeline sees fit. */
  readonly timelineEntriesMax?: number
}

/** The queues as clients use them here. */
export class EventQueues {
  readonly #options: EventQueuesOptions
  readonly #waits: SessionWaits
  readonly #sessions: SessionRegistry
  readonly #claims: QueueClaims
  readonly #catchUp: CatchUpContext
  readonly #timeline: Timeline
  readonly #timers: { stop(): void }[]
  #undelivered: TimelineEntry[] = []
  #isDraining = false
  #isBeating = false

  constructor(options: EventQueuesOptions) {
    const { sql, state, clock } = options
    this.#options = options
    this.#timeline = new Timeline(state.appliedId, options.timelineEntriesMax)
    // Polls are not counted, and a user may have many clients: what they read of the database they read in turn.
    const turns = new Turns<UserId>()
    const nowSeconds = () => Math.floor(clock.nowMs() / 1000)
    this.#catchUp = { sql, state, timeline: this.#timeline, turns, nowSeconds }
    this.#waits = new SessionWaits(clock, options.pollHoldMs)
    this.#sessions = new SessionRegistry({ sql, clock, waits: this.#waits, turns })
    this.#claims = new QueueClaims(options.broadcast, options.origin)
    this.#timers = [
      clock.every(DEADLINE_TICK_MS, () => this.#endOverdue()),
      clock.every(TOUCH_PERIOD_MS, () => void this.noteUse().catch(options.onError)),
    ]
  }

  /** How many sessions this process holds. */
  get size(): number {
    return this.#sessions.size
  }

  /** Takes an entry that was just applied to the state. */
  push(entry: LogEntry): void {
    const placed = placeInTime(entry, this.#options.state)
    this.#timeline.push(placed, performance.now())
    const { event } = entry
    if (event.type === 'realm_user/update' && event.changes.isActive === false) this.#forgetUser(event.userId)
    if (event.type === 'api_keys_changed') this.#recheckUser(event.userId)
    if (placed.wireType === undefined) return
    if (this.#undelivered.push(placed) > 1) return
    setImmediate(() => {
      const entries = this.#undelivered
      this.#undelivered = []
      fanOut(entries, this.#waits.live, {
        state: this.#options.state,
        nowSeconds: () => this.#catchUp.nowSeconds(),
        unpark: (session) => this.#waits.setIdle(session),
        onError: this.#options.onError,
      })
    })
  }

  /** Makes a queue whose first event is the one after `startId`. */
  register(
    userId: UserId,
    options: QueueOptions,
    startId: EventId,
    idleTimeoutSeconds: number,
  ): Promise<Session> {
    const own = (session: Session) => this.#claims.own(session)
    return this.#sessions.register(userId, options, startId, idleTimeoutSeconds, own)
  }

  /** The session of a user's queue; undefined for an unknown, expired or somebody else's one. */
  find(queueId: QueueId, userId: UserId): Promise<Session | undefined> {
    return this.#sessions.find(queueId, userId)
  }

  /** Whether a queue cannot be read on from a number, and why. */
  async findRefusal(session: Session, lastEventId: EventId | undefined): Promise<PollRefusal | undefined> {
    const cursor = cursorOf(session, lastEventId)
    // Another process may have told the client more than this one has applied yet.
    if (cursor > this.#timeline.lastId) await this.#options.catchUp()
    if (this.#sessions.get(session.queueId) !== session) return { kind: 'unknown' } // Deleted meanwhile.
    if (!this.#options.state.getUser(session.userId).isActive) return { kind: 'unknown' }
    // Beyond the log's end: it was told by a history of the log that is lost. Once the log gets there, it is another's.
    if (cursor > this.#timeline.lastId) return this.#giveUp(session)
    return cursor < session.acknowledgedId ? { kind: 'pruned' } : undefined
  }

  /** Answers a poll with what there is, or holds it until there is something or its time is over. */
  async poll(
    session: Session,
    lastEventId: EventId | undefined,
    isBlocking: boolean,
    isGone: () => boolean,
  ): Promise<string | HeldReply | PollRefusal> {
    const refusal = await this.findRefusal(session, lastEventId)
    if (refusal) return refusal
    const { phase, afterId } = this.#take(session, lastEventId, undefined)
    try {
      const isWanted = () => session.phase === phase && !isGone()
      const recent = collectRecent(this.#catchUp, session, afterId)
      const missed = recent ?? (await collectInTurn(this.#catchUp, session, afterId, isWanted))
      if (!recent && !isWanted()) return pollReply(session.queueId, [])
      if (!missed) return await this.#giveUp(session)
      noteSent(session, missed)
      if (missed.events.length > 0 || !isBlocking || this.#isDraining) {
        return pollReply(session.queueId, missed.events)
      }
      return this.#waits.park(session)
    } finally {
      if (session.phase === phase) this.#waits.setIdle(session)
    }
  }

  /** Streams the queue to a WebSocket from a number on, until the socket closes. */
  async attach(
    session: Session,
    lastEventId: EventId | undefined,
    socket: SessionSocket,
  ): Promise<PollRefusal | undefined> {
    const refusal = await this.findRefusal(session, lastEventId)
    if (refusal) return refusal
    // It may have closed, or lost its key, while it was not the session's yet.
    if (!socket.isAllowed()) {
      closeSocket(socket, CLOSE_CODES.unauthorized)
      return undefined
    }
    const { phase, afterId } = this.#take(session, lastEventId, socket)
    try {
      const outcome = await replayTo(this.#catchUp, { session, socket, phase, startId: afterId })
      if (outcome === 'lost') await this.#giveUp(session)
      if (outcome !== 'caught_up') return undefined
      if (this.#waits.live.countStreams(session.userId) >= STREAMS_PER_USER_MAX) {
        closeSocket(socket, CLOSE_CODES.crowded)
        return undefined
      }
      this.#waits.stream(session, socket)
      if (this.#isDraining) this.#waits.end(session, CLOSE_CODES.restart)
      return undefined
    } finally {
      if (session.phase === phase) this.#waits.setIdle(session)
    }
  }

  /** The socket is gone; the queue waits for its client to come back. */
  detach(session: Session, socket: SessionSocket): void {
    const { phase } = session
    if ((phase.kind === 'streaming' || phase.kind === 'replaying') && phase.socket === socket) {
      this.#waits.setIdle(session)
    }
  }

  /** The client of a stream has everything up to a number. */
  acknowledge(session: Session, id: EventId): void {
    if (id > session.acknowledgedId && id <= session.sentId) session.acknowledgedId = id
    this.#waits.used.add(session)
  }

  /** Deletes a queue everywhere. */
  async remove(session: Session): Promise<void> {
    await removeQueue(this.#options.sql, session.queueId)
    this.#sessions.forget(session)
    this.#claims.tellDeleted(session)
  }

  /** Heeds what another process did with a queue. */
  onSignal(signal: QueueSignal): void {
    if (!this.#claims.isFromAnother(signal)) return
    const session = this.#sessions.get(signal.queueId)
    if (!session) return
    if (signal.kind === 'deleted') this.#sessions.forget(session)
    else if (this.#claims.yield(session, signal)) this.#waits.end(session, CLOSE_CODES.taken)
  }

  /** Signals may have been lost: who uses which queue is told anew. */
  onGap(): void {
    this.#claims.onGap()
  }

  /** Writes down which queues are in use, and drops the sessions of those that are not or are gone. */
  noteUse(): Promise<void> {
    return this.#sessions.noteUse()
  }

  /** Ends every wait, so that clients go to another process. */
  async drain(): Promise<void> {
    this.#isDraining = true
    for (const session of this.#waits) this.#waits.end(session, CLOSE_CODES.restart)
    await this.noteUse().catch(this.#options.onError) // The rest must still be closed.
  }

  /** Ends every wait because the queues are no more: clients register again. */
  abandon(): void {
    this.#isDraining = true
    for (const session of this.#waits) this.#waits.end(session, CLOSE_CODES.gone)
  }

  close(): void {
    for (const timer of this.#timers) timer.stop()
  }

  /** Ends whatever else uses a queue, here and elsewhere, and moves its cursor to where the client is. */
  #take(session: Session, lastEventId: EventId | undefined, socket: SessionSocket | undefined) {
    this.#waits.end(session, CLOSE_CODES.taken)
    session.acknowledgedId = cursorOf(session, lastEventId)
    this.#claims.take(session)
    const phase: SessionPhase = { kind: 'replaying', socket }
    session.phase = phase
    const afterId = session.acknowledgedId === session.sentId ? session.scannedId : session.acknowledgedId
    return { phase, afterId }
  }

  /** The log does not hold what the queue has missed: its client must register again. */
  async #giveUp(session: Session): Promise<PollRefusal> {
    await this.remove(session)
    return { kind: 'unknown' }
  }

  /** The queues of a deactivated user end at once, in every process; their rows go with the event's own commit. */
  #forgetUser(userId: UserId): void {
    for (const session of this.#sessions.ofUser(userId)) this.#sessions.forget(session)
  }

  /** Ends what a user's old API keys have opened: polls come back and are authenticated anew. */
  #recheckUser(userId: UserId): void {
    for (const session of this.#sessions.ofUser(userId)) {
      const { phase } = session
      if (phase.kind === 'parked') this.#waits.end(session, CLOSE_CODES.taken)
      else if (phase.kind !== 'idle' && phase.socket?.isAllowed() === false) {
        this.#waits.end(session, CLOSE_CODES.unauthorized)
      }
    }
  }

  #endOverdue(hasLater = true): void {
    // Everything up to the end of the timeline is delivered, but for what this turn's fan-out will.
    const id = this.#undelivered[0] ? this.#undelivered[0].id - 1 : this.#timeline.lastId
    const isLaterNeeded = this.#waits.endOverdue(id as EventId, hasLater)
    if (isLaterNeeded && !this.#isBeating) void this.#beat()
  }

  /** Has the log grow by one, for those who were told its end before; where it can't, they are told nothing. */
  async #beat(): Promise<void> {
    this.#isBeating = true
    let isBeaten = false
    try {
      await this.#options.beat()
      isBeaten = true
    } catch (error) {
      this.#options.onError(error)
    }
    this.#isBeating = false
    this.#endOverdue(isBeaten)
  }
}

/** Where a client is: after the event it names, or where it last said so. */
function cursorOf(session: Session, lastEventId: EventId | undefined): EventId {
  return lastEventId === undefined || lastEventId < 0 ? session.acknowledgedId : lastEventId
}
