/** One request at a time per upload: a queue within this process, a database lock between processes. */

import { setTimeout as wait } from 'node:timers/promises'
import type { TusUploadLocks } from '../../../db/files/tus-uploads.ts'
import { fail } from '../../errors/api-error.ts'

/** How long a request waits for others: a dead connection is closed after ten seconds of silence. */
const WAIT_MS_MAX = 15_000
/** Requests that wait for one upload: a client has one, or two if it believes that the first is lost. */
const WAITING_MAX = 16
/** The longest delay between two checks of another process's lock. */
const LOOK_MS_MAX = 200
/** How long a process holds an unused upload: the next piece arrives within a round trip of its client. */
const IDLE_MS_MAX = 300
/** How long a process trusts its lock: the database frees it when it loses the connection. */
const RELIED_MS_MAX = 5_000

/** The lock between processes, while this process holds it. */
interface Held {
  readonly sinceMs: number
  readonly letGo: () => Promise<void>
}

/** An upload in this process. */
interface Place {
  onWanted: () => void
  readonly waiting: { readonly onWanted: () => void; readonly start: () => void }[]
  held: Held | undefined
  /** Runs while the turn is free. */
  idleTimer: NodeJS.Timeout | undefined
}

/** Ends a turn. */
export type EndTurn = () => void

/** The turns of this process. */
export class UploadTurns {
  readonly #locks: TusUploadLocks
  readonly #onError: (error: unknown) => void
  readonly #places = new Map<string, Place>()

  constructor(locks: TusUploadLocks, onError: (error: unknown) => void) {
    this.#locks = locks
    this.#onError = onError
  }

  /**
   * Waits for the turn of an upload. Calls `onWanted` when another request waits for it, so that this one ends soon.
   */
  async take(key: string, onWanted: () => void = () => {}): Promise<EndTurn> {
    const deadlineMs = performance.now() + WAIT_MS_MAX
    const place = await this.#enter(key, onWanted)
    try {
      if (place.held && performance.now() - place.held.sinceMs > RELIED_MS_MAX) await this.#letGo(place)
      place.held ??= await this.#lock(key, deadlineMs)
      return () => this.#leave(key, place)
    } catch (error) {
      this.#leave(key, place)
      throw error
    }
  }

  /** Frees the locks of uploads whose turn is free. */
  async close(): Promise<void> {
    const idle = [...this.#places].filter(([, place]) => place.idleTimer)
    await Promise.all(idle.map(([key, place]) => this.#remove(key, place)))
  }

  async #enter(key: string, onWanted: () => void): Promise<Place> {
    const place = this.#places.get(key)
    if (!place) {
      const fresh: Place = { onWanted, waiting: [], held: undefined, idleTimer: undefined }
      this.#places.set(key, fresh)
      return fresh
    }
    if (place.idleTimer) {
      clearTimeout(place.idleTimer)
      place.idleTimer = undefined
      place.onWanted = onWanted
      return place
    }
    if (place.waiting.length >= WAITING_MAX) throw fail('RESUMABLE_UPLOAD_LOCKED')
    place.onWanted()
    await new Promise<void>((resolve, reject) => {
      const waiter = {
        onWanted,
        start() {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        place.waiting.splice(place.waiting.indexOf(waiter), 1)
        reject(fail('RESUMABLE_UPLOAD_LOCKED'))
      }, WAIT_MS_MAX)
      place.waiting.push(waiter)
    })
    return place
  }

  async #lock(key: string, deadlineMs: number): Promise<Held> {
    for (let lookMs = 5; ; lookMs = Math.min(2 * lookMs, LOOK_MS_MAX)) {
      const sinceMs = performance.now()
      const letGo = await this.#locks.tryLock(key)
      if (letGo) return { sinceMs, letGo }
      if (sinceMs > deadlineMs) throw fail('RESUMABLE_UPLOAD_LOCKED')
      await wait(lookMs)
    }
  }

  #leave(key: string, place: Place): void {
    const next = place.waiting.shift()
    if (next) {
      place.onWanted = next.onWanted
      next.start()
      if (place.waiting.length > 0) next.onWanted()
    } else if (place.held) place.idleTimer = setTimeout(() => void this.#remove(key, place), IDLE_MS_MAX)
    else this.#places.delete(key)
  }

  async #remove(key: string, place: Place): Promise<void> {
    clearTimeout(place.idleTimer)
    this.#places.delete(key)
    await this.#letGo(place)
  }

  async #letGo(place: Place): Promise<void> {
    const { held } = place
    place.held = undefined
    await held?.letGo().catch(this.#onError)
  }
}
