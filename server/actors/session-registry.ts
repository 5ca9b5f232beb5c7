/** The sessions of this process by queue: created from a queue's row when its client comes, dropped when idle. */

import { randomUUID } from 'node:crypto'
import type { Sql } from '../../db/connection/connect.ts'
import { findQueue, storeQueue, touchQueues } from '../../db/log/queues.ts'
import type { Clock } from '../domain/clock.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import { CLOSE_CODES } from './close-codes.ts'
import { type QueueOptions, Session } from './session.ts'
import type { SessionWaits } from './session-waits.ts'
import type { Turns } from './turns.ts'

/** How often the use of queues is stored in the database. */
export const TOUCH_PERIOD_MS = 60_000
/** The extra time before expiry for unstored use, and how long an idle session stays in memory. */
const USE_DELAY_MS_MAX = 2 * TOUCH_PERIOD_MS
/** Queues of one user; clients of this API hold one or two each, a runaway script thousands. */
const QUEUES_PER_USER_MAX = 1_000
/** Bytes of distinct options, which sessions share. */
export const QUEUE_OPTIONS_BYTES_MAX = 8 * 1024 * 1024
/** Bytes of options per character of their JSON: the text, and an object of strings. */
const BYTES_PER_CHARACTER = 4

/** The dependencies of the registry. */
export interface SessionRegistryOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly waits: SessionWaits
  readonly turns: Turns<UserId>
}

/** A queue to create. */
export interface NewQueue {
  readonly userId: UserId
  readonly options: QueueOptions
  /** Its first event follows this one. */
  readonly startId: EventId
  readonly idleTimeoutSeconds: number
}

/** All sessions of this process. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions
  readonly #sessions = new Map<QueueId, Session>()
  readonly #cachedOptions = new Map<string, QueueOptions>()
  #optionsBytes = 0

  constructor(options: SessionRegistryOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Bytes of the shared options. */
  get optionsBytes(): number {
    return this.#optionsBytes
  }

  /** The session of a queue, if this process has one. */
  get(queueId: QueueId): Session | undefined {
    return this.#sessions.get(queueId)
  }

  *ofUser(userId: UserId): Iterable<Session> {
    for (const session of this.#sessions.values()) if (session.userId === userId) yield session
  }

  /** Creates a queue. */
  async register(
    { userId, options, startId, idleTimeoutSeconds }: NewQueue,
    own: (session: Session) => void,
  ): Promise<Session> {
    const id = randomUUID() as string as QueueId
    const nowMs = this.#options.clock.nowMs()
    const session = new Session({
      queueId: id,
      userId,
      options: this.#share(options),
      acknowledgedId: startId,
      idleTimeoutMs: idleTimeoutSeconds * 1000,
      sinceMs: nowMs,
    })
    await storeQueue(
      this.#options.sql,
      { id, userId, options, acknowledgedId: startId, idleTimeoutSeconds, seenAtMs: nowMs },
      QUEUES_PER_USER_MAX,
    )
    own(session)
    this.#sessions.set(id, session)
    return session
  }

  /** The session of a user's queue; undefined if it is unknown, expired or another user's. */
  async find(queueId: QueueId, userId: UserId): Promise<Session | undefined> {
    const { sql, clock, turns } = this.#options
    const nowMs = clock.nowMs()
    const cached = this.#sessions.get(queueId)
    if (cached) {
      if (cached.userId !== userId) return undefined
      if (cached.phase.kind !== 'idle' || nowMs - cached.phase.sinceMs <= cached.idleTimeoutMs) return cached
      this.forget(cached)
    }
    if (!isUuid(queueId)) return undefined
    const stored = await turns.take(userId, () => findQueue<QueueOptions>(sql, queueId))
    if (!stored || stored.userId !== userId) return undefined
    const idleTimeoutMs = stored.idleTimeoutSeconds * 1000
    // Another process may have used it since the last stored use.
    if (nowMs - stored.seenAtMs > idleTimeoutMs + USE_DELAY_MS_MAX) return undefined
    const raced = this.#sessions.get(queueId)
    if (raced) return raced
    const options = this.#share(stored.options)
    const { acknowledgedId } = stored
    const session = new Session({ queueId, userId, options, acknowledgedId, idleTimeoutMs, sinceMs: nowMs })
    this.#sessions.set(queueId, session)
    return session
  }

  /** Ends a session whose queue no longer exists. */
  forget(session: Session): void {
    const { waits } = this.#options
    waits.end(session, CLOSE_CODES.gone)
    this.#sessions.delete(session.queueId)
    waits.used.delete(session)
  }

  /** Stores which queues are in use, and drops idle and deleted sessions. */
  async noteUse(): Promise<void> {
    const { sql, clock, waits } = this.#options
    const nowMs = clock.nowMs()
    for (const session of waits) waits.used.add(session)
    const used = [...waits.used]
    waits.used.clear()
    const notes = used.map(({ queueId, acknowledgedId, phase }) => ({
      id: queueId,
      acknowledgedId,
      seenAtMs: phase.kind === 'idle' ? phase.sinceMs : nowMs,
    }))
    try {
      const there = new Set(await touchQueues(sql, notes))
      for (const session of used) if (!there.has(session.queueId)) this.forget(session)
    } catch (error) {
      for (const session of used) if (this.#sessions.has(session.queueId)) waits.used.add(session)
      throw error
    }
    for (const session of this.#sessions.values()) {
      const { phase, idleTimeoutMs } = session
      if (phase.kind !== 'idle' || waits.used.has(session)) continue
      // Its state is stored: if the client returns, a new session is created.
      if (nowMs - phase.sinceMs > Math.min(idleTimeoutMs, USE_DELAY_MS_MAX)) this.forget(session)
    }
  }

  /** Most queues have one of a few sets of options, so they share an object. */
  #share(options: QueueOptions): QueueOptions {
    const key = JSON.stringify(options)
    const cached = this.#cachedOptions.get(key)
    if (cached) return cached
    this.#optionsBytes += BYTES_PER_CHARACTER * key.length
    if (this.#optionsBytes > QUEUE_OPTIONS_BYTES_MAX) {
      this.#cachedOptions.clear() // They are cached again at the next registration.
      this.#optionsBytes = BYTES_PER_CHARACTER * key.length
    }
    this.#cachedOptions.set(key, options)
    return options
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}
