/**
 * Who is there: takes the reports of clients, and once a second shares them with the other processes and tells
 * clients of those who come, go idle or return.
 *
 * Everything is answered from memory, each user's entry encoded once for each change. What is shared may be lost:
 * as long as a process remembers, it tells the store again, and every client reports once a minute.
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
  presenceKeptSince,
  type PresenceStatus,
  presenceStatus,
  withReport,
} from '../domain/presence.ts'
import type { PresenceNews, PresenceReport, PresenceStore } from '../log/presence-store.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Committer } from './committer.ts'
import { PresenceEntries } from './presence-entries.ts'
import { decideTelling } from './tell-presence.ts'

/** How often reports are shared and told. */
const EXCHANGE_PERIOD_MS = 1_000
/** How often those are forgotten who were last there long ago. */
const FORGET_PERIOD_MS = 3_600_000
/** The last update in an organization that does not want it known who is there. */
const NOTHING_KNOWN = -1
/** The update of what the store has not counted yet: later than any. */
const PENDING = Number.POSITIVE_INFINITY

/** Which entries are wanted. */
export interface PresenceFilter {
  /** By email address, in the form of old. */
  readonly isLegacy: boolean
  /** Those updated after it, where it is one of this count. */
  readonly sinceId?: number | undefined
  /** Those who reported in the last so many days. */
  readonly daysMax?: number | undefined
}

/** What it works with. */
export interface PresencesOptions {
  readonly state: OrganizationState
  readonly store: PresenceStore
  readonly committer: Committer
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Everyone who was there lately. */
export class Presences {
  readonly #options: PresencesOptions
  readonly #timers: { stop(): void }[]
  readonly #entries: PresenceEntries
  #unsent = new Map<UserId, PresenceReport>()
  #untold = new Set<UserId>()
  #startId = 0
  #lastId = 0
  #exchanging: Promise<void> | undefined

  constructor(options: PresencesOptions) {
    this.#options = options
    this.#entries = new PresenceEntries(options.state)
    this.#timers = [
      options.clock.every(EXCHANGE_PERIOD_MS, () => void this.exchange()),
      options.clock.every(FORGET_PERIOD_MS, () => this.#entries.forgetOld(this.#now())),
    ]
  }

  /** The last update that is known here; what a client names to be told of the later ones. */
  get lastId(): number {
    return this.#isDisabled ? NOTHING_KNOWN : this.#lastId
  }

  /** A client of a user reports; of one who does not want to be seen nothing is noted. */
  report(userId: UserId, status: PresenceStatus): void {
    if (this.#isDisabled) return
    const now = this.#now()
    if (!this.#options.state.settingsOf(userId).presenceEnabled) return this.#hide(userId)
    const before = this.#entries.find(userId)
    const after = withReport(userId, before, status, now)
    if (!before || isOffline(before, now) || presenceStatus(before) !== presenceStatus(after)) {
      this.#untold.add(userId)
    }
    const unsent = this.#unsent.get(userId)
    this.#unsent.set(userId, unsent?.isReplacing ? { ...after, isReplacing: true } : after)
    this.#entries.place(after, PENDING)
  }

  find(userId: UserId): Presence | undefined {
    return this.#entries.find(userId)
  }

  /** The entries that are wanted, as a JSON object: of users the viewer does not know by their stand-in address, if at all. */
  encode({ isLegacy, sinceId, daysMax }: PresenceFilter, viewerId: UserId): string {
    const afterId = sinceId === undefined || !this.#knows(sinceId) ? 0 : sinceId
    const since = daysMax === undefined ? 0 : this.#now() - daysMax * 24 * 3600
    return this.#entries.encode({ isLegacy, afterId, since }, viewerId)
  }

  /** All entries in the form of old: what stands between the braces of a JSON object, with the commas. */
  encodeEveryone(): Buffer[] {
    return this.#entries.encodeEveryone()
  }

  /** The same between what comes before and after it; the bytes are lent until the next call. */
  encodeEveryoneBetween(start: Buffer, end: Buffer): Buffer {
    return this.#entries.encodeEveryoneBetween(start, end)
  }

  /** Takes an entry that was just applied to the state. */
  push({ event }: LogEntry): void {
    if (event.type.startsWith('realm_user/')) this.#entries.forgetPieces()
    if (event.type === 'realm/update_dict' && event.changes.settings?.presenceDisabled) this.#forgetEveryone()
    // Those who looked on meanwhile were shown nobody.
    const isBack = event.type === 'realm_user/update' && event.changes.isActive === true
    if (isBack && this.find(event.userId)) this.#untold.add(event.userId)
    if (event.type !== 'user_settings/update') return
    if (event.change.name === 'emailAddressVisibility') this.#entries.forgetPiece(event.userId)
    if (event.change.name !== 'presenceEnabled') return
    // Bots may set it as well, and are never there.
    if (this.#options.state.getUser(event.userId).botType !== null) return
    if (event.change.value) this.report(event.userId, 'active')
    else this.#hide(event.userId)
  }

  /** Shares what was reported, learns what others have, and tells clients; one at a time. */
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

  /** Whether an update's number is of the present count. */
  #knows(updateId: number): boolean {
    return updateId >= this.#startId && updateId <= this.#lastId
  }

  /** To others the user has just left. */
  #hide(userId: UserId): void {
    const now = this.#now()
    const before = this.#entries.find(userId)
    if (!before || isOffline(before, now)) return
    const after = hidden(before, now)
    this.#untold.add(userId)
    this.#unsent.set(userId, { ...after, isReplacing: true })
    this.#entries.place(after, PENDING)
  }

  async #exchange(): Promise<void> {
    const { store, clock, onError } = this.#options
    const sent = this.#unsent
    const untold = this.#untold
    this.#unsent = new Map()
    this.#untold = new Set()
    try {
      const news = await store.exchange([...sent.values()], this.#lastId, clock.nowMs())
      if (news) this.#learn(news)
      else this.#takeBack(sent)
    } catch (error) {
      this.#takeBack(sent)
      onError(error)
    }
    await this.#tell(untold).catch(onError)
  }

  /** What could not be sent is sent the next time, unless there is something newer. */
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
    if (this.#isDisabled) return // It was reported before, and is about to be forgotten there.
    const keptSince = presenceKeptSince(this.#now())
    const learned = new Set<UserId>()
    for (const { updateId, ...told } of updates) {
      const { userId } = told
      const unsent = this.#unsent.get(userId)
      if (unsent?.isReplacing || told.idleAt < keptSince) continue
      const known = this.find(userId)
      const presence = (unsent || isLost) && known ? latest(told, known) : told
      if (isSame(told, presence)) learned.add(userId)
      // What was reported meanwhile is counted by the next exchange.
      if (known && isSame(known, presence)) this.#entries.count(userId, unsent ? PENDING : updateId)
      else this.#entries.place(presence, unsent ? PENDING : updateId)
    }
    if (isLost) this.#tellStore(learned)
  }

  /** The store has forgotten what it knew: tells it all that is known here. */
  #tellStore(learned: ReadonlySet<UserId>): void {
    for (const [userId, entry] of this.#entries) {
      if (learned.has(userId) || this.#unsent.has(userId)) continue
      this.#unsent.set(userId, entry.presence)
      entry.updateId = PENDING
    }
  }

  /** Nobody is to know who is there: what was known goes, here and where it is shared. */
  #forgetEveryone(): void {
    this.#entries.clear()
    this.#unsent.clear()
    this.#untold.clear()
    this.#options.store.forget(Number.MAX_SAFE_INTEGER).catch(this.#options.onError)
  }

  async #tell(userIds: ReadonlySet<UserId>): Promise<void> {
    const { committer, clock } = this.#options
    const changed = [...userIds].map((userId) => this.find(userId)).filter((one) => one !== undefined)
    if (changed.length === 0) return
    const toldAt = clock.nowMs() / 1000
    await committer.submit({ kind: 'structure', decide: (state) => decideTelling(state, changed, toldAt) })
  }
}

function isSame(a: Presence, b: Presence): boolean {
  return a.activeAt === b.activeAt && a.idleAt === b.idleAt
}
