/** Users who are typing, by place, until they stop, send or fall silent. */

import { topicKey } from '../../../packages/rules/topics.ts'
import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { Event } from '../../../packages/client/src/wire-types.ts'

/** The server's default, if the registration lacks `server_typing_started_expiry_period_milliseconds`. */
const EXPIRY_MS = 45_000

interface Typist {
  readonly userId: number
  readonly key: string
  readonly untilMs: number
}

/** The place of a typist; each has one key. */
export const typingKeys = {
  topic: (channelId: number, topic: string) => `channel ${channelId} ${topicKey(topic)}`,
  /** All people of the conversation, with the current user. */
  direct: (userIds: readonly number[]) => `direct ${userIds.toSorted((a, b) => a - b).join()}`,
}

export class Typing {
  /** Changes whenever somebody begins or ends. */
  readonly typists: ReadonlySignal<readonly Typist[]>
  readonly #typists = signal<readonly Typist[]>([])
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.typists = this.#typists
  }

  /** The users who type at a place. */
  at(key: string): readonly number[] {
    const nowMs = this.#nowMs()
    return this.#typists.value
      .filter((one) => one.key === key && one.untilMs > nowMs)
      .map(({ userId }) => userId)
  }

  apply(event: Event, expiryMs = EXPIRY_MS): void {
    if (event.type === 'message') this.#end(event.message.sender_id)
    if (event.type !== 'typing') return
    const { user_id: userId } = event.sender
    this.#end(userId)
    if (event.op === 'stop') return
    const key =
      event.message_type === 'stream'
        ? typingKeys.topic(event.stream_id ?? 0, event.topic ?? '')
        : typingKeys.direct((event.recipients ?? []).map(({ user_id }) => user_id))
    this.#typists.value = [...this.#typists.peek(), { userId, key, untilMs: this.#nowMs() + expiryMs }]
  }

  /** Removes silent typists; returns the time of the next expiry, for a timer of the caller. */
  expire(): number | undefined {
    const nowMs = this.#nowMs()
    const left = this.#typists.peek().filter(({ untilMs }) => untilMs > nowMs)
    if (left.length < this.#typists.peek().length) this.#typists.value = left
    return left.length === 0 ? undefined : Math.min(...left.map(({ untilMs }) => untilMs))
  }

  #end(userId: number): void {
    const left = this.#typists.peek().filter((one) => one.userId !== userId)
    if (left.length < this.#typists.peek().length) this.#typists.value = left
  }
}
