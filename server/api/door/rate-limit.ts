/**
 * Rate limits: requests per minute, for each user and each anonymous address.
 *
 * Each process counts its own requests exactly. With Redis, the processes add up their counts several times a second.
 * So a client that uses several processes may pass its limit by the requests between two exchanges, and no request
 * waits for Redis.
 */

import type { Clock } from '../../domain/clock.ts'
import type { RedisClient } from '../../log/connect-redis.ts'

const WINDOW_MS = 60_000
/** How often counts are exchanged: a client at its limit gains little in so short a time. */
const EXCHANGE_PERIOD_MS = 250
/** Keys in memory; an attack from more addresses resets the counts rather than exhausts the memory. */
const KEYS_MAX = 100_000
/** A key and its counts, twice if it has changed. */
const BYTES_PER_KEY = 250
export const RATE_COUNTS_BYTES_MAX = KEYS_MAX * BYTES_PER_KEY

/** The values of a reply's rate limit headers. */
export interface RateStatus {
  readonly limit: number
  readonly remaining: number
  /** The end of the window, in UNIX seconds. */
  readonly resetAt: number
  /** Seconds until a refused request may be retried; undefined if it was admitted. */
  readonly retryAfterSeconds: number | undefined
}

interface Count {
  /** This process's count since the last exchange. */
  own: number
  /** The count of all processes, as of the last exchange. */
  shared: number
}

/** Counts requests by key. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #redis: RedisClient | undefined
  readonly #prefix: string
  readonly #timer: { stop(): void } | undefined
  #windowStartMs = 0
  #counts = new Map<string, Count>()
  #changed = new Set<string>()
  #exchanging: Promise<void> | undefined

  constructor(clock: Clock, redis: RedisClient | undefined, prefix: string) {
    this.#clock = clock
    this.#redis = redis
    this.#prefix = prefix
    if (redis) this.#timer = clock.every(EXCHANGE_PERIOD_MS, () => void this.exchange())
  }

  /** The approximate bytes of the counts. */
  get bytes(): number {
    return this.#counts.size * BYTES_PER_KEY
  }

  /** Counts one request against a limit. */
  take(key: string, limit: number): RateStatus {
    const nowMs = this.#clock.nowMs()
    if (nowMs - this.#windowStartMs >= WINDOW_MS || nowMs < this.#windowStartMs) {
      this.#windowStartMs = nowMs - (nowMs % WINDOW_MS) // The same windows in every process.
      this.#counts = new Map()
      this.#changed = new Set()
    }
    let count = this.#counts.get(key)
    if (!count) {
      if (this.#counts.size >= KEYS_MAX) this.#counts.clear()
      count = { own: 0, shared: 0 }
      this.#counts.set(key, count)
    }
    const windowEndMs = this.#windowStartMs + WINDOW_MS
    const used = count.own + count.shared
    const isRefused = used >= limit
    if (!isRefused) {
      count.own++
      if (this.#redis) this.#changed.add(key)
    }
    return {
      limit,
      remaining: Math.max(0, limit - used - 1),
      resetAt: Math.ceil(windowEndMs / 1000),
      retryAfterSeconds: isRefused ? (windowEndMs - nowMs) / 1000 : undefined,
    }
  }

  /** Takes back one request of this window, which turned out to be harmless. */
  giveBack(key: string): void {
    const count = this.#counts.get(key)
    if (!count) return // Another window has begun.
    count.own-- // Below zero it takes back one that the others know already.
    if (this.#redis) this.#changed.add(key)
  }

  /** Whether a request would be refused now; counts nothing. */
  isSpent(key: string, limit: number): boolean {
    const sinceMs = this.#clock.nowMs() - this.#windowStartMs
    const count = sinceMs >= 0 && sinceMs < WINDOW_MS ? this.#counts.get(key) : undefined
    return count !== undefined && count.own + count.shared >= limit
  }

  /** Adds this process's counts to those of all processes, and loads the others' counts. */
  exchange(): Promise<void> {
    // One at a time: counts that are being sent to a slow Redis must not be sent again.
    this.#exchanging ??= this.#exchange().finally(() => {
      this.#exchanging = undefined
    })
    return this.#exchanging
  }

  async #exchange(): Promise<void> {
    const redis = this.#redis
    if (!redis || this.#changed.size === 0 || redis.status !== 'ready') return
    const counts = this.#counts
    const keys = [...this.#changed]
    this.#changed.clear()
    const pipeline = redis.pipeline()
    for (const key of keys) {
      // The part in braces keeps all keys on one node of a cluster, which takes no other pipelines.
      const name = `${this.#prefix}:{rate}:${this.#windowStartMs}:${key}`
      pipeline.incrby(name, counts.get(key)?.own ?? 0)
      pipeline.pexpire(name, 2 * WINDOW_MS)
    }
    const sent = keys.map((key) => counts.get(key)?.own ?? 0)
    try {
      const replies = await pipeline.exec()
      for (const [index, key] of keys.entries()) {
        const count = counts.get(key)
        const [error, total] = replies?.[index * 2] ?? []
        if (!count || error || typeof total !== 'number') continue
        count.own -= sent[index] as number
        count.shared = total
      }
    } catch {
      for (const key of keys) this.#changed.add(key) // Redis is unavailable: the next exchange sends them.
    }
  }

  close(): void {
    this.#timer?.stop()
  }
}
