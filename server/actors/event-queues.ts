/**
 * The event queues of this process's clients: registration, polls, streams, expiry.
 *
 * A queue lives in the database, and this process has a session for it. Any process can make a new session for a
 * client. So a queue outlives each process.
 */

import type { Sql } from '../../db/connection/connect.ts'
import { removeQueue } from '../../db/log/queues.ts'
import type { Clock } from '../domain/clock.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import { endsSessions } from '../domain/events/users.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import type { Broadcast, QueueSignal } from '../log/broadcast.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type CatchUpContext, collectInTurn, noteSent, replayTo } from './catch-up-session.ts'
import { CLOSE_CODES, closeSocket, STREAMS_PER_USER_MAX } from './close-codes.ts'
import { fanOut, FanOutFigures } from './fan-out.ts'
import type { HeldReply } from './held-reply.ts'
import { QueueClaims } from './queue-claims.ts'
import { collectRecent } from './replay.ts'
import { pollReply, type QueueKey, type Session, type SessionPhase, type SessionSocket } from './session.ts'
import { type NewQueue, SessionRegistry, TOUCH_PERIOD_MS } from './session-registry.ts'
import { SessionWaits } from './session-waits.ts'
import { placeInTime, Timeline, type TimelineEntry } from './timeline.ts'
import { Turns } from './turns.ts'

/** How often the deadlines of parked polls are checked. */
const DEADLINE_TICK_MS = 250

/** The reason why a queue cannot be read from an id; `unknown` if the queue does not exist. */
export interface PollRefusal {
  readonly kind: 'unknown' | 'pruned'
}

/** The dependencies of the queues. */
export interface EventQueuesOptions {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly clock: Clock
  readonly broadcast: Broadcast
  /** Identifies this process in signals. */
  readonly origin: string
  readonly pollHoldMs: number
  /** Brings the state to the end of the log. */
  catchUp(): Promise<void>
  /** Appends to the log, so that heartbeats have a new id. */
  beat(): Promise<void>
  readonly onError: (error: unknown) => void
  /** Entries in memory; the timeline has a default. */
  readonly timelineEntriesMax?: number
}

/** The queues for clients. */
export class EventQueues {
  readonly #options: EventQueuesOptions
  readonly #waits: SessionWaits
  readonly #sessions: SessionRegistry
  readonly #claims: QueueClaims
  readonly #catchUp: CatchUpContext
  readonly #timeline: Timeline
  readonly #timers: { stop(): void }[]
  readonly fanOutFigures = new FanOutFigures()
  #undelivered: TimelineEntry[] = []
  #isDraining = false
  #isBeating = false

  constructor(options: EventQueuesOptions) {
    const { sql, state, clock } = options
    this.#options = options
    this.#timeline = new Timeline(state.appliedId, options.timelineEntriesMax)
    // Polls are not counted, and a user may have many clients: their database reads take turns.
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

  /** The number of sessions in this process. */
  get size(): number {
    return this.#sessions.size
  }

  /** The clients that wait: parked polls and streams. */
  countWaiting(): { polls: number; streams: number } {
    let polls = 0
    let streams = 0
    for (const { phase } of this.#waits) {
      if (phase.kind === 'parked') polls++
      else streams++
    }
    return { polls, streams }
  }

  /** The approximate bytes of recent events, and of the queues' options. */
  get bytes(): { timeline: number; queueOptions: number } {
    return { timeline: this.#timeline.bytes, queueOptions: this.#sessions.optionsBytes }
  }

  /** Applies an entry that the state has just applied. */
  push(entry: LogEntry): void {
    const placed = placeInTime(entry, this.#options.state)
    const nowMs = performance.now()
    this.#timeline.push(placed, nowMs)
    const { event } = entry
    if (event.type === 'realm_user/update' && event.changes.isActive === false)
      this.#endQueuesOf(event.userId)
    const rechecked = userOfCredentials(event)
    if (rechecked !== undefined) this.recheckUser(rechecked)
    if (event.type === 'named_keys_ended') this.#endQueuesOfKeys(event.userId, event.keyIds)
    if (placed.wireType === undefined) return
    if (this.#undelivered.push(placed) > 1) return
    setImmediate(() => {
      const entries = this.#undelivered
      this.#undelivered = []
      const deliveries = fanOut(entries, this.#waits.live, {
        state: this.#options.state,
        nowSeconds: () => this.#catchUp.nowSeconds(),
        unpark: (session) => this.#waits.setIdle(session),
        onError: this.#options.onError,
      })
      this.fanOutFigures.note(entries.length, deliveries, nowMs)
    })
  }

  /** Creates a queue. */
  register(queue: NewQueue): Promise<Session> {
    return this.#sessions.register(queue, (session) => this.#claims.own(session))
  }

  /**
   * The session of a user's queue; undefined if it is unknown, expired or another user's. A named key finds the queues
   * that it has registered, and nothing else finds those.
   */
  async find(queueId: QueueId, userId: UserId, key?: QueueKey): Promise<Session | undefined> {
    const session = await this.#sessions.find(queueId, userId)
    return session?.options.key?.id === key?.id ? session : undefined
  }

  /** Returns the reason if a queue cannot be read from an id. */
  async findRefusal(session: Session, lastEventId: EventId | undefined): Promise<PollRefusal | undefined> {
    const cursor = cursorOf(session, lastEventId)
    // Another process may have sent the client more than this one has applied.
    if (cursor > this.#timeline.lastId) await this.#options.catchUp()
    if (this.#sessions.get(session.queueId) !== session) return { kind: 'unknown' } // Deleted meanwhile.
    if (!this.#options.state.getUser(session.userId).isActive) return { kind: 'unknown' }
    // The id is beyond the log's end, so it comes from a lost history of the log. The same id will later mean another
    // event.
    if (cursor > this.#timeline.lastId) return this.#giveUp(session)
    return cursor < session.acknowledgedId ? { kind: 'pruned' } : undefined
  }

  /** Answers a poll with the available events, or holds it until there are events or its time is over. */
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

  /** Streams the queue to a socket from an id on, until the socket closes. */
  async attach(
    session: Session,
    lastEventId: EventId | undefined,
    socket: SessionSocket,
  ): Promise<PollRefusal | undefined> {
    const refusal = await this.findRefusal(session, lastEventId)
    if (refusal) return refusal
    // It may have closed or lost its key before it became the session's socket.
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

  /** The socket is closed; the queue waits for its client. */
  detach(session: Session, socket: SessionSocket): void {
    const { phase } = session
    if ((phase.kind === 'streaming' || phase.kind === 'replaying') && phase.socket === socket) {
      this.#waits.setIdle(session)
    }
  }

  /** The client of a stream has received everything up to an id. */
  acknowledge(session: Session, id: EventId): void {
    if (id > session.acknowledgedId && id <= session.sentId) session.acknowledgedId = id
    this.#waits.used.add(session)
  }

  /** Deletes a queue in all processes. */
  async remove(session: Session): Promise<void> {
    await removeQueue(this.#options.sql, session.queueId)
    this.#sessions.forget(session)
    this.#claims.signalDeleted(session)
  }

  /** Applies another process's signal about a queue. */
  onSignal(signal: QueueSignal): void {
    if (!this.#claims.isFromAnother(signal)) return
    const session = this.#sessions.get(signal.queueId)
    if (!session) return
    if (signal.kind === 'deleted') this.#sessions.forget(session)
    else if (this.#claims.yield(session, signal)) this.#waits.end(session, CLOSE_CODES.taken)
  }

  /** Signals may be lost: all processes announce their queues again. */
  onGap(): void {
    this.#claims.onGap()
  }

  /** Stores which queues are in use, and drops idle and deleted sessions. */
  noteUse(): Promise<void> {
    return this.#sessions.noteUse()
  }

  /** Ends every wait, so that clients go to another process. */
  async drain(): Promise<void> {
    this.#isDraining = true
    for (const session of this.#waits) this.#waits.end(session, CLOSE_CODES.restart)
    await this.noteUse().catch(this.#options.onError) // The rest must still be closed.
  }

  /** Ends every wait because the queues no longer exist: clients register again. */
  abandon(): void {
    this.#isDraining = true
    for (const session of this.#waits) this.#waits.end(session, CLOSE_CODES.gone)
  }

  close(): void {
    for (const timer of this.#timers) timer.stop()
  }

  /** Ends all other uses of a queue in all processes, and moves its cursor to the client's position. */
  #take(session: Session, lastEventId: EventId | undefined, socket: SessionSocket | undefined) {
    this.#waits.end(session, CLOSE_CODES.taken)
    session.acknowledgedId = cursorOf(session, lastEventId)
    this.#claims.take(session)
    const phase: SessionPhase = { kind: 'replaying', socket }
    session.phase = phase
    const afterId = session.acknowledgedId === session.sentId ? session.scannedId : session.acknowledgedId
    return { phase, afterId }
  }

  /** The log no longer has the queue's missed events: its client must register again. */
  async #giveUp(session: Session): Promise<PollRefusal> {
    await this.remove(session)
    return { kind: 'unknown' }
  }

  /** Ends the queues of a deactivated user at once, in every process; the event's commit deletes their rows. */
  #endQueuesOf(userId: UserId): void {
    for (const session of this.#sessions.ofUser(userId)) this.#sessions.forget(session)
  }

  /** Ends the queues that named keys have registered, like those of a deactivated user. */
  #endQueuesOfKeys(userId: UserId, keyIds: readonly string[]): void {
    for (const session of this.#sessions.ofUser(userId))
      if (session.options.key && keyIds.includes(session.options.key.id)) this.#sessions.forget(session)
  }

  /** Ends streams and polls that are not allowed any more, as with a user's old credentials: polls return and are authenticated again. */
  recheckUser(userId: UserId): void {
    for (const session of this.#sessions.ofUser(userId)) {
      const { phase } = session
      if (phase.kind === 'parked') this.#waits.end(session, CLOSE_CODES.taken)
      else if (phase.kind !== 'idle' && phase.socket?.isAllowed() === false) {
        this.#waits.end(session, CLOSE_CODES.unauthorized)
      }
    }
  }

  #endOverdue(hasLater = true): void {
    // Everything in the timeline is delivered, except the entries that this turn's fan-out will deliver.
    const id = this.#undelivered[0] ? this.#undelivered[0].id - 1 : this.#timeline.lastId
    const isLaterNeeded = this.#waits.endOverdue(id as EventId, hasLater)
    if (isLaterNeeded && !this.#isBeating) void this.#beat()
  }

  /** Appends to the log for clients that have its end already; if that fails, they get nothing. */
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

/** The user whose API keys or log-in sessions an event may end. */
function userOfCredentials(event: LogEvent): UserId | undefined {
  switch (event.type) {
    case 'api_keys_changed':
    case 'named_keys_ended':
    case 'login_sessions_changed':
      return event.userId
    case 'realm_user/update':
      return endsSessions(event.changes) ? event.userId : undefined
    default:
      return undefined
  }
}

/** A client's position: the id that it sends, or its last acknowledgement. */
function cursorOf(session: Session, lastEventId: EventId | undefined): EventId {
  return lastEventId === undefined || lastEventId < 0 ? session.acknowledgedId : lastEventId
}
