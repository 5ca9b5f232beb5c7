/** Marks messages as read, some at a time, once they were on the screen. */

import { ApiError, type ParleyClient } from '../../packages/client/src/index.ts'

/** Scrolling past many messages makes few requests. */
const GATHER_MS = 400
/** Ids in one request; the server takes more, but a reply should come soon. */
const BATCH_MAX = 500

export class ReadMarker {
  readonly #api: ParleyClient
  readonly #waiting = new Set<number>()
  /** Sent ones, until their event arrives: they are not sent twice. */
  readonly #sent = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isPaused = false
  /** Requests under way. */
  #sending: Promise<unknown> = Promise.resolve()

  constructor(api: ParleyClient) {
    this.#api = api
  }

  /**
   * Before a person marks messages as unread: those on the screen stay so until another view is shown. Resolves when the server
   * has all that were seen before, also by requests that were under way: the newer request could overtake them.
   */
  async pause(): Promise<void> {
    this.#isPaused = true
    await this.flush()
    await this.#sending
  }

  resume(): void {
    // Messages that were marked as unread may be read again.
    if (this.#isPaused) this.#sent.clear()
    this.#isPaused = false
  }

  /** Notes messages that a person has seen. */
  note(ids: readonly number[]): void {
    if (this.#isPaused) return
    for (const id of ids) if (!this.#sent.has(id)) this.#waiting.add(id)
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS)
  }

  /** Messages that are gone: the server would refuse them, and all others with them. */
  forget(ids: readonly number[]): void {
    for (const id of ids) {
      this.#waiting.delete(id)
      this.#sent.delete(id)
    }
  }

  /** Sends what waits; a failed request is tried with the next ones. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ids = [...this.#waiting].slice(0, BATCH_MAX)
    if (ids.length === 0) return
    for (const id of ids) {
      this.#waiting.delete(id)
      this.#sent.add(id)
    }
    const done = this.#api.call('POST /messages/flags', { messages: ids, op: 'add', flag: 'read' })
    const settled = done.catch((error: unknown) => {
      const left = ids.filter((id) => this.#sent.delete(id))
      // The server will never take refused ones.
      if (error instanceof ApiError && error.retryAfterSeconds === undefined) return
      for (const id of left) this.#waiting.add(id)
    })
    this.#sending = Promise.all([this.#sending, settled])
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => void this.flush(), GATHER_MS)
    await settled
  }
}
