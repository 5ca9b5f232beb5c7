/** Notes who was seen on which day: at once in memory, and once a minute in the log. */

import type { Clock } from '../domain/clock.ts'
import type { Fact } from '../domain/event-traits.ts'
import type { UserId } from '../domain/ids.ts'
import { dayOf } from '../domain/weekly-traffic.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Committer } from './committer.ts'
import { type Decision, done } from '../decisions/decision.ts'

/** How long a user may be seen and not recorded; a shorter time would commit more often and tell no more. */
const RECORD_PERIOD_MS = 60_000
/** Users in one event: what the log holds and other processes are told stays of a bounded size. */
const USERS_PER_EVENT_MAX = 5_000

/** What a recorder works with. */
export interface SeenUsersRecorderOptions {
  readonly state: OrganizationState
  readonly committer: Committer
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Records each user once a day, whatever number of requests they make and of processes they make them to. */
export class SeenUsersRecorder {
  readonly #options: SeenUsersRecorderOptions
  readonly #timer: { stop(): void }
  /** The day on which each was seen, of those whose day the state does not know yet. */
  #unrecorded = new Map<UserId, number>()

  constructor(options: SeenUsersRecorderOptions) {
    this.#options = options
    this.#timer = options.clock.every(RECORD_PERIOD_MS, () => void this.record())
  }

  /** A user is there now. Costs two look-ups, since every request comes by here. */
  note(userId: UserId): void {
    const { state, clock } = this.#options
    const day = dayOf(clock.nowMs() / 1000)
    if (isNews(state, userId, day)) this.#unrecorded.set(userId, day)
  }

  /** Writes what was noted; what could not be written is noted again by the next request of each. */
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

/** Only what the state does not know: another process may have seen the same users. */
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
