/** The sessions of this process by queue: made anew from a queue's row when its client comes, dropped without use. */

import { randomUUID } from 'node:crypto'
import type { Sql } from '../../db/connect.ts'
import { findQueue, storeQueue, touchQueues } from '../../db/queues.ts'
import type { Clock } from '../domain/clock.ts'
import type { EventId, QueueId, UserId } from '../domain/ids.ts'
import { CLOSE_CODES } from './close-codes.ts'
import { type QueueOptions, Session } from './session.ts'
import type { SessionWaits } from './session-waits.ts'
import type { Turns } from './turns.ts'

/** How often the use of queues is noted in the database. */
export const TOUCH_PERIOD_MS = 60_000
/** What expiry allows for notes on their way, and how long a session is kept here without use. */
const USE_DELAY_MS_MAX = 2 * TOUCH_PERIOD_MS
/** Queues of one user; the API family's clients hold one or two each, a runaway script thousands. */
const QUEUES_PER_USER_MAX = 1_000
/** Bytes of the different options that are held once for all sessions. */
export const QUEUE_OPTIONS_BYTES_MAX = 8 * 1024 * 1024
/** What options take for each character of their JSON: that itself, and an object of strings. */
const BYTES_PER_CHARACTER = 4

/** What the registry works with. */
export interface SessionRegistryOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly waits: SessionWaits
  readonly turns: Turns<UserId>
}

/** All sessions of this process. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions
  readonly #sessions = new Map<QueueId, Session>()
  readonly #knownOptions = new Map<string, QueueOptions>()
  #optionsBytes = 0

  constructor(options: SessionRegistryOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#sessions.size
  }

  /** The session of a queue, where this process holds one. */
  get(queueId: QueueId): Session | undefined {
    return this.#sessions.get(queueId)
  }

  *ofUser(userId: UserId): Iterable<Session> {
    for (const session of this.#sessions.values()) if (session.userId === userId) yield session
  }

  /** Makes a queue whose first event is the one after `startId`. */
  async register(
    userId: UserId,
    options: QueueOptions,
    startId: EventId,
    idleTimeoutSeconds: number,
    own: (session: Session) => void,
  ): Promise<Session> {
    const id = randomUUID() as string as QueueId
    const nowMs = this.#options.clock.nowMs()
    const session = new Session(id, userId, this.#share(options), startId, idleTimeoutSeconds * 1000, nowMs)
    await storeQueue(
      this.#options.sql,
      { id, userId, options, acknowledgedId: startId, idleTimeoutSeconds, seenAtMs: nowMs },
      QUEUES_PER_USER_MAX,
    )
    own(session)
    this.#sessions.set(id, session)
    return session
  }

  /** The session of a user's queue; undefined for an unknown, expired or somebody else's one. */
  async find(queueId: QueueId, userId: UserId): Promise<Session | undefined> {
    const { sql, clock, turns } = this.#options
    const nowMs = clock.nowMs()
    const known = this.#sessions.get(queueId)
    if (known) {
      if (known.userId !== userId) return undefined
      if (known.phase.kind !== 'idle' || nowMs - known.phase.sinceMs <= known.idleTimeoutMs) return known
      this.forget(known)
    }
    if (!isUuid(queueId)) return undefined
    const stored = await turns.take(userId, () => findQueue<QueueOptions>(sql, queueId))
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

  /** Ends a session whose queue is no more. */
  forget(session: Session): void {
    const { waits } = this.#options
    waits.end(session, CLOSE_CODES.gone)
    this.#sessions.delete(session.queueId)
    waits.used.delete(session)
  }

  /** Writes down which queues are in use, and drops the sessions of those that are not or are gone. */
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
      // What it knows is noted: if the client comes back, the session is made anew.
      if (nowMs - phase.sinceMs > Math.min(idleTimeoutMs, USE_DELAY_MS_MAX)) this.forget(session)
    }
  }

  /** Most queues are registered with the same few options: one object serves them. */
  #share(options: QueueOptions): QueueOptions {
    const key = JSON.stringify(options)
    const known = this.#knownOptions.get(key)
    if (known) return known
    this.#optionsBytes += BYTES_PER_CHARACTER * key.length
    if (this.#optionsBytes > QUEUE_OPTIONS_BYTES_MAX) {
      this.#knownOptions.clear() // They come again with the next that want them.
      this.#optionsBytes = BYTES_PER_CHARACTER * key.length
    }
    this.#knownOptions.set(key, options)
    return options
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}
