/** Shows others that the user is typing: at the start, from time to time, and at the end. */

import { TYPING_SUBSCRIBERS_MAX } from '../../packages/rules/limits.ts'
import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { App } from './app.ts'
import type { State } from '../store/apply.ts'
import { channelsById } from '../store/derived/channels.ts'
import { usersById } from '../store/derived/users.ts'
import { type DraftPlace, draftKey } from '../store/drafts/draft-entry.ts'

/** The server's defaults, if the registration lacks them. */
const START_WAIT_MS = 10_000
const STOP_WAIT_MS = 5_000

export class TypingNotifier {
  readonly #api: ParleyClient
  readonly #state: () => State | undefined
  #current: { readonly place: DraftPlace; readonly startedMs: number } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ api, live }: App) {
    this.#api = api
    this.#state = () => live.state.peek()
  }

  /** The user has typed at a place. */
  note(place: DraftPlace): void {
    const state = this.#state()
    if (!state || !this.#isWanted(state, place)) return
    const isElsewhere = this.#current && draftKey(this.#current.place) !== draftKey(place)
    if (isElsewhere) this.stop()
    const nowMs = Date.now()
    const waitMs = state.server_typing_started_wait_period_milliseconds ?? START_WAIT_MS
    if (!this.#current || nowMs - this.#current.startedMs >= waitMs) {
      this.#current = { place, startedMs: nowMs }
      this.#send('start', place)
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.stop(),
      state.server_typing_stopped_wait_period_milliseconds ?? STOP_WAIT_MS,
    )
  }

  /** The user has sent, emptied or left the text. */
  stop(): void {
    clearTimeout(this.#timer)
    const [current, state] = [this.#current, this.#state()]
    this.#current = undefined
    // The server refuses it for an archived channel, and where the user cannot write any more.
    if (current && state && this.#isWanted(state, current.place)) this.#send('stop', current.place)
  }

  #isWanted(state: State, place: DraftPlace): boolean {
    const settings = state.user_settings
    if (place.type === 'direct')
      return (
        place.userIds.length > 0 &&
        place.userIds.every((id) => usersById(state).get(id)?.is_active !== false) &&
        settings?.send_private_typing_notifications !== false
      )
    const channel = channelsById(state).get(place.channelId)?.channel
    return (
      place.topic !== undefined &&
      settings?.send_stream_typing_notifications !== false &&
      channel !== undefined &&
      !channel.is_archived &&
      (channel.subscriber_count ?? 0) <= TYPING_SUBSCRIBERS_MAX
    )
  }

  #send(op: 'start' | 'stop', place: DraftPlace): void {
    const sent =
      place.type === 'direct'
        ? this.#api.call('POST /typing', { type: 'direct', op, to: place.userIds })
        : this.#api.call('POST /typing', {
            type: 'channel',
            op,
            stream_id: place.channelId,
            topic: place.topic ?? '',
          })
    // Nobody misses a notification that does not arrive.
    sent.catch(() => undefined)
  }
}
