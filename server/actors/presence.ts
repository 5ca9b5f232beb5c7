/**
 * Presence: takes clients' reports, shares them with other processes once a second, and notifies clients of users who
 * become active, idle or offline.
 *
 * All answers come from memory, each user's entry encoded once per change. The shared data may be lost: processes send
 * it to the store again from memory, and every client reports once a minute.
 */

import type { Clock } from '../domain/clock.ts'
import { nowSeconds } from '../domain/clock.ts'
import type { LogEntry } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import {
  hidden,
  isOffline,
  latest,
  type Presence,
  presenceStoredSince,
  type PresenceStatus,
  presenceStatus,
  withReport,
} from '../domain/users/presence.ts'
import type { PresenceNews, PresenceReport, PresenceStore } from '../log/presence-store.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Committer } from './committer.ts'
import { PresenceEntries } from './presence-entries.ts'
import { decidePresenceEvents } from './decide-presence-events.ts'

/** How often reports are shared and sent. */
const EXCHANGE_PERIOD_MS = 1_000
/** How often users are dropped who were last seen long ago. */
const FORGET_PERIOD_MS = 3_600_000
/** The last update in an organization that hides presence. */
const EMPTY_SNAPSHOT = -1
/** The id of updates that the store has not counted yet: later than any. */
const PENDING = Number.POSITIVE_INFINITY

/** The requested entries. */
export interface PresenceFilter {
  /** By email address, in the legacy form. */
  readonly isLegacy: boolean
  /** Entries updated after this id, if it belongs to the current count. */
  readonly sinceId?: number | undefined
  /** Users who reported in this many last days. */
  readonly daysMax?: number | undefined
}

/** The dependencies of presence. */
export interface PresencesOptions {
  readonly state: OrganizationState
  readonly store: PresenceStore
  readonly committer: Committer
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The presence of all recently seen users. */
export class Presences {
  readonly #options: PresencesOptions
  readonly #timers: { stop(): void }[]
  readonly #entries: PresenceEntries
  #unsent = new Map<UserId, PresenceReport>()
  #unnotified = new Set<UserId>()
  #startId = 0
  #lastId = 0
  #exchanging: Promise<void> | undefined

  constructor(options: PresencesOptions) {
    this.#options = options
    this.#entries = new PresenceEntries(options.state)
    this.#timers = [
      options.clock.every(EXCHANGE_PERIOD_MS, () => void this.exchange()),
      options.clock.every(FORGET_PERIOD_MS, () => this.#entries.dropOld(this.#now())),
    ]
  }

  /** The last update in this process; clients send it to get only later ones. */
  get lastId(): number {
    return this.#isDisabled ? EMPTY_SNAPSHOT : this.#lastId
  }

  /** Records a client's report, unless its user hides their presence. */
  report(userId: UserId, status: PresenceStatus): void {
    if (this.#isDisabled) return
    const now = this.#now()
    if (!this.#options.state.settingsOf(userId).presenceEnabled) return this.#hide(userId)
    const before = this.#entries.find(userId)
    const after = withReport(userId, before, status, now)
    if (!before || isOffline(before, now) || presenceStatus(before) !== presenceStatus(after)) {
      this.#unnotified.add(userId)
    }
    const unsent = this.#unsent.get(userId)
    this.#unsent.set(userId, unsent?.isReplacing ? { ...after, isReplacing: true } : after)
    this.#entries.place(after, PENDING)
  }

  find(userId: UserId): Presence | undefined {
    return this.#entries.find(userId)
  }

  /**
   * The requested entries as a JSON object; users whom the viewer does not know have their stand-in address, or none.
   */
  encode({ isLegacy, sinceId, daysMax }: PresenceFilter, viewerId: UserId): string {
    const afterId = sinceId === undefined || !this.#knows(sinceId) ? 0 : sinceId
    const since = daysMax === undefined ? 0 : this.#now() - daysMax * 24 * 3600
    return this.#entries.encode({ isLegacy, afterId, since }, viewerId)
  }

  /** All entries in the legacy form: the text between the braces of a JSON object, with the commas. */
  encodeEveryone(): Buffer[] {
    return this.#entries.encodeEveryone()
  }

  /** The same between a start and an end; the bytes are lent until the next call. */
  encodeEveryoneBetween(start: Buffer, end: Buffer): Buffer {
    return this.#entries.encodeEveryoneBetween(start, end)
  }

  /** Applies an entry that the state has just applied. */
  push({ event }: LogEntry): void {
    if (event.type.startsWith('realm_user/')) this.#entries.dropPieces()
    if (event.type === 'realm/update_dict' && event.changes.settings?.presenceDisabled) this.#dropAll()
    // Users who watched meanwhile saw the user as offline.
    const isBack = event.type === 'realm_user/update' && event.changes.isActive === true
    if (isBack && this.find(event.userId)) this.#unnotified.add(event.userId)
    if (event.type !== 'user_settings/update') return
    if (event.change.name === 'emailAddressVisibility') this.#entries.dropPiece(event.userId)
    if (event.change.name !== 'presenceEnabled') return
    // Bots may change the setting as well, but have no presence.
    if (this.#options.state.getUser(event.userId).botType !== null) return
    if (event.change.value) this.report(event.userId, 'active')
    else this.#hide(event.userId)
  }

  /** Shares the reports, gets those of other processes, and notifies clients; one exchange at a time. */
  exchange(): Promise<void> {
    this.#exchanging ??= this.#exchange().finally(() => {
      this.#exchanging = undefined
    })
    return this.#exchanging
  }

  stop(): void {
    for (const timer of this.#timers) timer.stop()
  }

  get #isDisabled(): boolean {
    return this.#options.state.settings.presenceDisabled
  }

  #now(): number {
    return nowSeconds(this.#options.clock)
  }

  /** Whether an update's id belongs to the current count. */
  #knows(updateId: number): boolean {
    return updateId >= this.#startId && updateId <= this.#lastId
  }

  /** The user appears to have just left. */
  #hide(userId: UserId): void {
    const now = this.#now()
    const before = this.#entries.find(userId)
    if (!before || isOffline(before, now)) return
    const after = hidden(before, now)
    this.#unnotified.add(userId)
    this.#unsent.set(userId, { ...after, isReplacing: true })
    this.#entries.place(after, PENDING)
  }

  async #exchange(): Promise<void> {
    const { store, clock, onError } = this.#options
    const sent = this.#unsent
    const unnotified = this.#unnotified
    this.#unsent = new Map()
    this.#unnotified = new Set()
    try {
      const news = await store.exchange([...sent.values()], this.#lastId, clock.nowMs())
      if (news) this.#learn(news)
      else this.#takeBack(sent)
    } catch (error) {
      this.#takeBack(sent)
      onError(error)
    }
    await this.#notify(unnotified).catch(onError)
  }

  /** Reports that could not be sent are sent next time, unless there are newer ones. */
  #takeBack(sent: ReadonlyMap<UserId, PresenceReport>): void {
    for (const [userId, report] of sent) {
      const newer = this.#unsent.get(userId)
      if (!newer) this.#unsent.set(userId, report)
      else if (report.isReplacing) this.#unsent.set(userId, { ...newer, isReplacing: true })
    }
  }

  #learn({ startId, lastId, updates }: PresenceNews): void {
    const isLost = this.#startId !== 0 && this.#startId !== startId
    this.#startId = startId
    this.#lastId = lastId
    if (this.#isDisabled) return // It was reported before, and the store is about to drop it.
    const visibleSince = presenceStoredSince(this.#now())
    const learned = new Set<UserId>()
    for (const { updateId, ...reported } of updates) {
      const { userId } = reported
      const unsent = this.#unsent.get(userId)
      if (unsent?.isReplacing || reported.idleAt < visibleSince) continue
      const known = this.find(userId)
      const presence = (unsent || isLost) && known ? latest(reported, known) : reported
      if (isSame(reported, presence)) learned.add(userId)
      // A report since then is counted by the next exchange.
      if (known && isSame(known, presence)) this.#entries.count(userId, unsent ? PENDING : updateId)
      else this.#entries.place(presence, unsent ? PENDING : updateId)
    }
    if (isLost) this.#restoreStore(learned)
  }

  /** The store has lost its data: sends it all presences of this process. */
  #restoreStore(learned: ReadonlySet<UserId>): void {
    for (const [userId, entry] of this.#entries) {
      if (learned.has(userId) || this.#unsent.has(userId)) continue
      this.#unsent.set(userId, entry.presence)
      entry.updateId = PENDING
    }
  }

  /** Presence becomes hidden: drops all of it, here and in the store. */
  #dropAll(): void {
    this.#entries.clear()
    this.#unsent.clear()
    this.#unnotified.clear()
    this.#options.store.forget(Number.MAX_SAFE_INTEGER).catch(this.#options.onError)
  }

  async #notify(userIds: ReadonlySet<UserId>): Promise<void> {
    const { committer, clock } = this.#options
    const changed = [...userIds].map((userId) => this.find(userId)).filter((one) => one !== undefined)
    if (changed.length === 0) return
    const toldAt = clock.nowMs() / 1000
    await committer.submit({
      kind: 'structure',
      decide: (state) => decidePresenceEvents(state, changed, toldAt),
    })
  }
}

function isSame(a: Presence, b: Presence): boolean {
  return a.activeAt === b.activeAt && a.idleAt === b.idleAt
}
