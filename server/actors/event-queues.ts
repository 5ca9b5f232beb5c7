/**
 * The event queues that clients of this process use: registering, polling, streaming, expiring.
 *
 * A queue lives in the database; what is here is its session, made anew by whichever process the
 * client asks next. So a queue outlives any process.
 */

import { randomUUID } from 'node:crypto'
import type { Sql } from '../../db/connect.ts'
import { findQueue, removeQueue, storeQueue, touchQueues } from '../../db/queues.ts'
import type { Clock } from '../domain/clock.ts'
import type { LogEntry } from '../domain/events.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import type { Broadcast, QueueSignal } from '../log/broadcast.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { fanOut, LiveSessions } from './fan-out.ts'
import { HeldReply } from './held-reply.ts'
import { collectMissed, collectRecent, type Missed } from './replay.ts'
import {
  heartbeat,
  pollReply,
  type QueueOptions,
  Session,
  type SessionPhase,
  type SessionSocket,
  socketFrames,
} from './session.ts'
import { placeInTime, Timeline, type TimelineEntry } from './timeline.ts'
import { Turns } from './turns.ts'

/** How often parked polls are looked at for their deadline. */
const DEADLINE_TICK_MS = 250
/** How often the use of queues is noted in the database. */
const TOUCH_PERIOD_MS = 60_000
/** What expiry allows for notes on their way, and how long a session is kept here without use. */
const USE_DELAY_MS_MAX = 2 * TOUCH_PERIOD_MS
/** Queues of one user; the API family's clients hold one or two each, a runaway script thousands. */
const QUEUES_PER_USER_MAX = 1_000

/** Streams of one user in a process: for each of them up to a mebibyte may wait for its client. */
export const STREAMS_PER_USER_MAX = 100

/** WebSocket close codes of this API; a client may come back after each but `gone`. */
export const CLOSE_CODES = {
  /** Another poll or socket took the queue over. */
  taken: 4001,
  /** The queue is no more: register again. */
  gone: 4002,
  /** The socket did not keep up: resume by `last_event_id`. */
  slow: 4003,
  /** The API key is no longer valid, or the ticket was used: come back with another. */
  unauthorized: 4004,
  /** The user has too many streams: the client's own mistake. */
  crowded: 1008,
  /** The server restarts: resume at once. */
  restart: 1012,
} as const

const CLOSE_REASONS: Readonly<Record<number, string>> = {
  [CLOSE_CODES.taken]: 'the queue is used elsewhere',
  [CLOSE_CODES.gone]: 'the queue is no more',
  [CLOSE_CODES.unauthorized]: 'the API key is no longer valid',
  [CLOSE_CODES.crowded]: `a user has at most ${STREAMS_PER_USER_MAX} streams`,
  [CLOSE_CODES.restart]: 'the server restarts',
}

function refuse(socket: SessionSocket, code: number): void {
  socket.close(code, CLOSE_REASONS[code] as string)
}

/** Why a queue cannot be read on from a number; `unknown` where it is no more. */
export interface PollRefusal {
  readonly kind: 'unknown' | 'pruned' | 'not_in_queue'
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
  readonly onError: (error: unknown) => void
  /** Entries held in memory; by default as many as the timeline sees fit. */
  readonly timelineEntriesMax?: number
}

/** All sessions of this process. */
export class EventQueues {
  readonly #options: EventQueuesOptions
  readonly #timeline: Timeline
  readonly #live = new LiveSessions()
  readonly #sessions = new Map<QueueId, Session>()
  /** Parked and streaming sessions in the order of their deadlines: all wait equally long. */
  readonly #waiting = new Set<Session>()
  readonly #used = new Set<Session>()
  readonly #knownOptions = new Map<string, QueueOptions>()
  /** Polls are not counted, and a user may have many clients: what they read of the database they read in turn. */
  readonly #turns = new Turns()
  readonly #timers: { stop(): void }[]
  #undelivered: TimelineEntry[] = []
  #isDraining = false
  /** Counts the times at which signals may have been lost: claims made before count no more. */
  #claimCount = 0

  constructor(options: EventQueuesOptions) {
    this.#options = options
    this.#timeline = new Timeline(options.state.appliedId, options.timelineEntriesMax)
    this.#timers = [
      options.clock.every(DEADLINE_TICK_MS, () => this.#endOverduePolls()),
      options.clock.every(TOUCH_PERIOD_MS, () => void this.noteUse().catch(options.onError)),
    ]
  }

  /** How many sessions this process holds. */
  get size(): number {
    return this.#sessions.size
  }

  /** Takes an entry that was just applied to the state. */
  push(entry: LogEntry): void {
    const placed = placeInTime(entry, this.#options.state)
    this.#timeline.push(placed)
    const { event } = entry
    if (event.type === 'realm_user/update' && event.changes.isActive === false) this.#forgetUser(event.userId)
    if (event.type === 'api_keys_changed') this.#recheckUser(event.userId)
    if (placed.wireType === undefined) return
    if (this.#undelivered.push(placed) > 1) return
    setImmediate(() => {
      const entries = this.#undelivered
      this.#undelivered = []
      fanOut(entries, this.#live, {
        state: this.#options.state,
        nowSeconds: () => this.#nowSeconds(),
        unpark: (session) => this.#setIdle(session),
        onError: this.#options.onError,
      })
    })
  }

  /** Makes a queue whose first event is the one after `startId`. */
  async register(
    userId: UserId,
    options: QueueOptions,
    startId: EventId,
    idleTimeoutSeconds: number,
  ): Promise<Session> {
    const id = randomUUID() as string as QueueId
    const nowMs = this.#options.clock.nowMs()
    const session = new Session(id, userId, this.#share(options), startId, idleTimeoutSeconds * 1000, nowMs)
    await storeQueue(
      this.#options.sql,
      { id, userId, options, acknowledgedId: startId, idleTimeoutSeconds, seenAtMs: nowMs },
      QUEUES_PER_USER_MAX,
    )
    session.claim = this.#claimCount // Nobody else knows of it.
    this.#sessions.set(id, session)
    return session
  }

  /** The session of a user's queue; undefined for an unknown, expired or somebody else's one. */
  async find(queueId: QueueId, userId: UserId): Promise<Session | undefined> {
    const nowMs = this.#options.clock.nowMs()
    const known = this.#sessions.get(queueId)
    if (known) {
      if (known.userId !== userId) return undefined
      if (known.phase.kind !== 'idle' || nowMs - known.phase.sinceMs <= known.idleTimeoutMs) return known
      this.#forget(known)
    }
    if (!isUuid(queueId)) return undefined
    const stored = await this.#turns.take(userId, () => findQueue<QueueOptions>(this.#options.sql, queueId))
    if (!stored || stored.userId !== userId) return undefined
    const idleTimeoutMs = stored.idleTimeoutSeconds * 1000
    // Another process may have used it since it last noted so.
    if (nowMs - stored.seenAtMs > idleTimeoutMs + USE_DELAY_MS_MAX) return undefined
    const raced = this.#sessions.get(queueId)
    if (raced) return raced
    const options = this.#share(stored.options)
    const session = new Session(queueId, userId, options, stored.acknowledgedId, idleTimeoutMs, nowMs)
    this.#sessions.set(queueId, session)
    return session
  }

  /** Whether a queue cannot be read on from a number, and why. */
  async findRefusal(session: Session, lastEventId: EventId | undefined): Promise<PollRefusal | undefined> {
    const cursor = cursorOf(session, lastEventId)
    // Another process may have told the client more than this one has applied yet.
    if (cursor > this.#timeline.lastId) await this.#options.catchUp()
    if (this.#sessions.get(session.queueId) !== session) return { kind: 'unknown' } // Deleted meanwhile.
    if (!this.#options.state.getUser(session.userId).isActive) return { kind: 'unknown' }
    if (cursor > this.#timeline.lastId) return { kind: 'not_in_queue' }
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
      const recent = collectRecent(this.#replay, session, afterId)
      const missed = recent ?? (await this.#collectMissed(session, afterId, isWanted))
      if (!recent && !isWanted()) return pollReply(session.queueId, [])
      if (!missed) return await this.#giveUp(session)
      this.#sent(session, missed)
      if (missed.events.length > 0 || !isBlocking || this.#isDraining) {
        return pollReply(session.queueId, missed.events)
      }
      return this.#park(session)
    } finally {
      if (session.phase === phase) this.#setIdle(session)
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
      refuse(socket, CLOSE_CODES.unauthorized)
      return undefined
    }
    const { phase, afterId } = this.#take(session, lastEventId, socket)
    try {
      if (!(await this.#replayTo(session, socket, phase, afterId))) return undefined
      if (this.#live.countStreams(session.userId) >= STREAMS_PER_USER_MAX) {
        refuse(socket, CLOSE_CODES.crowded)
        return undefined
      }
      const deadlineMs = this.#options.clock.nowMs() + this.#options.pollHoldMs
      session.phase = { kind: 'streaming', deadlineMs, socket }
      this.#live.add(session)
      this.#waiting.add(session)
      if (this.#isDraining) this.#end(session, CLOSE_CODES.restart)
      return undefined
    } finally {
      if (session.phase === phase) this.#setIdle(session)
    }
  }

  /** The socket is gone; the queue waits for its client to come back. */
  detach(session: Session, socket: SessionSocket): void {
    const { phase } = session
    if ((phase.kind === 'streaming' || phase.kind === 'replaying') && phase.socket === socket) {
      this.#setIdle(session)
    }
  }

  /** The client of a stream has everything up to a number. */
  acknowledge(session: Session, id: EventId): void {
    if (id > session.acknowledgedId && id <= session.sentId) session.acknowledgedId = id
    this.#used.add(session)
  }

  /** Deletes a queue everywhere. */
  async remove(session: Session): Promise<void> {
    await removeQueue(this.#options.sql, session.queueId)
    this.#forget(session)
    this.#signal(session, 'deleted')
  }

  /** Heeds what another process did with a queue. */
  onSignal({ queueId, kind, origin, cursor }: QueueSignal): void {
    if (origin === this.#options.origin) return
    const session = this.#sessions.get(queueId)
    if (!session) return
    if (kind === 'deleted') this.#forget(session)
    else {
      session.claim = -1
      // The signal of an earlier poll may come after the client has come here with what that one told it.
      const isEarlier = session.phase.kind === 'parked' && cursor < session.acknowledgedId
      if (!isEarlier) this.#end(session, CLOSE_CODES.taken)
    }
  }

  /** Signals may have been lost: who uses which queue is told anew. */
  onGap(): void {
    this.#claimCount++
  }

  /** Writes down which queues are in use, and drops the sessions of those that are not or are gone. */
  async noteUse(): Promise<void> {
    const nowMs = this.#options.clock.nowMs()
    for (const session of this.#waiting) this.#used.add(session)
    const used = [...this.#used]
    this.#used.clear()
    const notes = used.map(({ queueId, acknowledgedId, phase }) => ({
      id: queueId,
      acknowledgedId,
      seenAtMs: phase.kind === 'idle' ? phase.sinceMs : nowMs,
    }))
    try {
      const there = new Set(await touchQueues(this.#options.sql, notes))
      for (const session of used) if (!there.has(session.queueId)) this.#forget(session)
    } catch (error) {
      for (const session of used) if (this.#sessions.has(session.queueId)) this.#used.add(session)
      throw error
    }
    for (const session of this.#sessions.values()) {
      const { phase, idleTimeoutMs } = session
      if (phase.kind !== 'idle' || this.#used.has(session)) continue
      // What it knows is noted: if the client comes back, the session is made anew.
      if (nowMs - phase.sinceMs > Math.min(idleTimeoutMs, USE_DELAY_MS_MAX)) this.#forget(session)
    }
  }

  /** Ends every wait, so that clients go to another process. */
  async drain(): Promise<void> {
    this.#isDraining = true
    for (const session of this.#waiting) this.#end(session, CLOSE_CODES.restart)
    await this.noteUse().catch(this.#options.onError) // The rest must still be closed.
  }

  close(): void {
    for (const timer of this.#timers) timer.stop()
  }

  /** Ends whatever else uses a queue, here and elsewhere, and moves its cursor to where the client is. */
  #take(session: Session, lastEventId: EventId | undefined, socket: SessionSocket | undefined) {
    this.#end(session, CLOSE_CODES.taken)
    session.acknowledgedId = cursorOf(session, lastEventId)
    // While no other process has said so of itself, saying it once is enough.
    if (session.claim !== this.#claimCount) this.#signal(session, 'taken')
    session.claim = this.#claimCount
    const phase: SessionPhase = { kind: 'replaying', socket }
    session.phase = phase
    const afterId = session.acknowledgedId === session.sentId ? session.scannedId : session.acknowledgedId
    return { phase, afterId }
  }

  /** Holds a poll until there is something to tell. */
  #park(session: Session): HeldReply {
    const reply = new HeldReply(() => {
      if (session.phase === phase) this.#end(session, CLOSE_CODES.taken)
    })
    const deadlineMs = this.#options.clock.nowMs() + this.#options.pollHoldMs
    const phase: SessionPhase = { kind: 'parked', deadlineMs, reply }
    session.phase = phase
    this.#live.add(session)
    this.#waiting.add(session)
    return reply
  }

  /** Sends a socket what its client has missed; false where the socket is no longer the queue's. */
  async #replayTo(
    session: Session,
    socket: SessionSocket,
    phase: SessionPhase,
    startId: EventId,
  ): Promise<boolean> {
    const isWanted = () => session.phase === phase
    for (let afterId = startId; ; afterId = session.scannedId) {
      const recent = collectRecent(this.#replay, session, afterId)
      const missed = recent ?? (await this.#collectMissed(session, afterId, isWanted))
      if (!isWanted()) return false
      if (!missed) {
        await this.#giveUp(session)
        return false
      }
      this.#sent(session, missed)
      // The last look is one without a wait, so that nothing comes between it and going live.
      if (missed.events.length === 0 && recent) return true
      for (const frame of socketFrames(socket, missed.events)) {
        await socket.drained() // A client takes a large backlog at its own pace.
        if (!isWanted()) return false
        socket.send(frame)
      }
    }
  }

  /** Reads what a session has missed from the log, when it is its user's turn. */
  #collectMissed(session: Session, afterId: EventId, isWanted: () => boolean): Promise<Missed | undefined> {
    return this.#turns.take(session.userId, () => collectMissed(this.#replay, session, afterId, isWanted))
  }

  get #replay() {
    const { sql, state } = this.#options
    return { sql, state, timeline: this.#timeline, nowSeconds: () => this.#nowSeconds() }
  }

  #sent(session: Session, { lastId, scannedId }: Missed): void {
    if (lastId !== undefined) session.sentId = lastId
    session.scannedId = scannedId
  }

  /** The log no longer holds what the queue has missed: its client must register again. */
  async #giveUp(session: Session): Promise<PollRefusal> {
    await this.remove(session)
    return { kind: 'unknown' }
  }

  /** Ends the wait of a session: a poll with an empty list, a socket with a reason. */
  #end(session: Session, closeCode: number): void {
    const { phase } = session
    if (phase.kind === 'idle') return
    this.#setIdle(session)
    if (phase.kind === 'parked') phase.reply.end(pollReply(session.queueId, []))
    else phase.socket?.close(closeCode, CLOSE_REASONS[closeCode] ?? '')
  }

  #setIdle(session: Session): void {
    session.phase = { kind: 'idle', sinceMs: this.#options.clock.nowMs() }
    this.#live.remove(session)
    this.#waiting.delete(session)
    this.#used.add(session)
  }

  #forget(session: Session): void {
    this.#end(session, CLOSE_CODES.gone)
    this.#sessions.delete(session.queueId)
    this.#used.delete(session)
  }

  /** The queues of a deactivated user end at once, in every process; their rows go with the event's own commit. */
  #forgetUser(userId: UserId): void {
    for (const session of this.#sessions.values()) if (session.userId === userId) this.#forget(session)
  }

  /** Ends what a user's old API keys have opened: polls come back and are authenticated anew. */
  #recheckUser(userId: UserId): void {
    for (const session of this.#sessions.values()) {
      if (session.userId !== userId) continue
      const { phase } = session
      if (phase.kind === 'parked') this.#end(session, CLOSE_CODES.taken)
      else if (phase.kind !== 'idle' && phase.socket?.isAllowed() === false) {
        this.#end(session, CLOSE_CODES.unauthorized)
      }
    }
  }

  #signal(session: Session, kind: QueueSignal['kind']): void {
    const { queueId, acknowledgedId: cursor } = session
    this.#options.broadcast.signal({ queueId, kind, origin: this.#options.origin, cursor })
  }

  #endOverduePolls(): void {
    const nowMs = this.#options.clock.nowMs()
    for (const session of this.#waiting) {
      const { phase } = session
      if (phase.kind === 'idle' || phase.kind === 'replaying' || phase.deadlineMs > nowMs) return
      // Everything up to the end of the timeline is delivered, but for what this turn's fan-out will.
      const id = (this.#undelivered[0] ? this.#undelivered[0].id - 1 : this.#timeline.lastId) as EventId
      session.scannedId = Math.max(session.scannedId, id) as EventId
      session.sentId = session.scannedId
      this.#waiting.delete(session)
      if (phase.kind === 'parked') {
        this.#setIdle(session)
        phase.reply.end(pollReply(session.queueId, [heartbeat(session.sentId)]))
      } else {
        session.phase = { ...phase, deadlineMs: nowMs + this.#options.pollHoldMs }
        this.#waiting.add(session)
        for (const frame of socketFrames(phase.socket, [heartbeat(session.sentId)])) phase.socket.send(frame)
      }
    }
  }

  /** Most queues are registered with the same few options: one object serves them. */
  #share(options: QueueOptions): QueueOptions {
    const key = JSON.stringify(options)
    const known = this.#knownOptions.get(key)
    if (known) return known
    if (this.#knownOptions.size >= 1_000) this.#knownOptions.clear() // Unbounded narrows must not stay for ever.
    this.#knownOptions.set(key, options)
    return options
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.clock.nowMs() / 1000)
  }
}

/** Where a client is: after the event it names, or where it last said so. */
function cursorOf(session: Session, lastEventId: EventId | undefined): EventId {
  return lastEventId === undefined || lastEventId < 0 ? session.acknowledgedId : lastEventId
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}
