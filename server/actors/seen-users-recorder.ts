/** Records the days on which users were seen: at once in memory, and once a minute in the log. */

import type { Clock } from '../domain/clock.ts'
import type { Fact } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { dayOf } from '../domain/messages/weekly-traffic.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Committer } from './committer.ts'
import { type Decision, done } from '../decisions/decision.ts'

/** The longest delay of a record; a shorter one would only commit more often. */
const RECORD_PERIOD_MS = 60_000
/** Users in one event: it bounds log entries and what other processes receive. */
const USERS_PER_EVENT_MAX = 5_000

/** The dependencies of a recorder. */
export interface SeenUsersRecorderOptions {
  readonly state: OrganizationState
  readonly committer: Committer
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Records each user once a day, over all requests and processes. */
export class SeenUsersRecorder {
  readonly #options: SeenUsersRecorderOptions
  readonly #timer: { stop(): void }
  /** The days on which users were seen, unless the state has them. */
  #unrecorded = new Map<UserId, number>()

  constructor(options: SeenUsersRecorderOptions) {
    this.#options = options
    this.#timer = options.clock.every(RECORD_PERIOD_MS, () => void this.record())
  }

  /** Records that a user is active. Every request calls this, so it costs two look-ups. */
  note(userId: UserId): void {
    const { state, clock } = this.#options
    const day = dayOf(clock.nowMs() / 1000)
    if (isNews(state, userId, day)) this.#unrecorded.set(userId, day)
  }

  /** Commits the records; those that fail are recorded again by each user's next request. */
  async record(): Promise<void> {
    const seen = this.#unrecorded
    if (seen.size === 0) return
    this.#unrecorded = new Map()
    const { committer, onError } = this.#options
    try {
      await committer.submit({ kind: 'structure', decide: (state) => decideSeen(state, seen) })
    } catch (error) {
      onError(error)
    }
  }

  stop(): void {
    this.#timer.stop()
  }
}

function isNews(state: OrganizationState, userId: UserId, day: number): boolean {
  const known = state.seenUsers.dayOf(userId)
  return known === undefined || known < day
}

/** Only users whom the state lacks: another process may have recorded the same. */
function decideSeen(state: OrganizationState, seen: ReadonlyMap<UserId, number>): Decision<void> {
  const news = [...seen].filter(([userId, day]) => isNews(state, userId, day))
  const days = Map.groupBy(news, ([, day]) => day)
  const facts: Fact[] = []
  for (const day of [...days.keys()].sort((a, b) => a - b)) {
    const userIds = (days.get(day) ?? []).map(([userId]) => userId).sort((a, b) => a - b)
    for (let start = 0; start < userIds.length; start += USERS_PER_EVENT_MAX) {
      const some = userIds.slice(start, start + USERS_PER_EVENT_MAX)
      facts.push({ type: 'users_seen', day, userIds: some })
    }
  }
  return done(facts)
}
