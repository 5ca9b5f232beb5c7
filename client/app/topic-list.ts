/** The topics of channels, the newest first: loaded when a text names a channel. */

import { signal } from '@preact/signals'
import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { App } from './app.ts'

/** After this time, they are loaded again. */
const FRESH_MS = 60_000

export class TopicList {
  readonly #api: ParleyClient
  readonly #topics = signal<ReadonlyMap<number, readonly string[]>>(new Map())
  readonly #loadedMs = new Map<number, number>()

  constructor({ api }: App) {
    this.#api = api
  }

  /** The loaded topics; views that ask are drawn again when they come. */
  of(channelId: number): readonly string[] {
    return this.#topics.value.get(channelId) ?? NONE
  }

  /** Loads the topics, unless they are fresh. A failure leaves the list as it is. */
  async load(channelId: number): Promise<void> {
    const nowMs = Date.now()
    if (nowMs - (this.#loadedMs.get(channelId) ?? 0) < FRESH_MS) return
    this.#loadedMs.set(channelId, nowMs)
    try {
      const { topics } = await this.#api.call('GET /users/me/{stream_id}/topics', {
        stream_id: channelId,
        allow_empty_topic_name: true,
      })
      this.#topics.value = new Map(this.#topics.peek()).set(
        channelId,
        topics.map(({ name }) => name),
      )
    } catch {
      this.#loadedMs.delete(channelId)
    }
  }
}

const NONE: readonly string[] = []
