/**
 * Who is there: takes the reports of clients, and once a second shares them with the other processes and tells
 * clients of those who come, go idle or return.
 *
 * Everything is answered from memory, each user's entry encoded once for each change. What is shared may be lost:
 * as long as a process remembers, it tells the store again, and every client reports once a minute.
 */

import type { Clock } from '../domain/clock.ts'
import { nowSeconds } from '../domain/clock.ts'
import { standInAddress } from '../domain/email-addresses.ts'
import type { User } from '../domain/entities.ts'
import type { LogEntry, NewEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import {
  hidden,
  isOffline,
  latest,
  PRESENCE_EVENT_USERS_MAX,
  type Presence,
  presenceKeptSince,
  type PresenceStatus,
  presenceStatus,
  withReport,
} from '../domain/presence.ts'
import { isActivePerson } from '../domain/user-access.ts'
import type { PresenceNews, PresenceReport, PresenceStore } from '../log/presence-store.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeLegacyPresence, encodePresence } from '../views/presence-view.ts'
import type { Committer, Decision } from './committer.ts'

/** How often reports are shared and told. */
const EXCHANGE_PERIOD_MS = 1_000
/** How often those are forgotten who were last there long ago. */
const FORGET_PERIOD_MS = 3_600_000
/** The last update in an organization that does not want it known who is there. */
const NOTHING_KNOWN = -1
/** The update of what the store has not counted yet: later than any. */
const PENDING = Number.POSITIVE_INFINITY

/** Ids whose entries are kept together as bytes: the next reply after a change encodes so many anew, and copies the rest. */
const PIECE_LENGTH = 128
const COMMA = Buffer.from(',')

/** What is known of one user, with its encodings and whom they were made of. */
interface Entry {
  readonly presence: Presence
  updateId: number
  user: User | undefined
  email: string
  legacy: string
  slim: string
}

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
  readonly #entries = new Map<UserId, Entry>()
  #unsent = new Map<UserId, PresenceReport>()
  #untold = new Set<UserId>()
  #highestId = 0
  #startId = 0
  #lastId = 0
  #exchanging: Promise<void> | undefined
  /** The entries in the form of old, as bytes, for so many ids at a time; gone once one of them has changed. */
  readonly #pieces = new Map<number, Buffer>()
  /** The last reply with all of them; gone once one has changed. */
  #everyone: { readonly startLength: number; readonly bytes: Buffer } | undefined

  constructor(options: PresencesOptions) {
    this.#options = options
    this.#timers = [
      options.clock.every(EXCHANGE_PERIOD_MS, () => void this.exchange()),
      options.clock.every(FORGET_PERIOD_MS, () => this.#forgetOld()),
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
    const before = this.#entries.get(userId)?.presence
    const after = withReport(userId, before, status, now)
    if (!before || isOffline(before, now) || presenceStatus(before) !== presenceStatus(after)) {
      this.#untold.add(userId)
    }
    const unsent = this.#unsent.get(userId)
    this.#unsent.set(userId, unsent?.isReplacing ? { ...after, isReplacing: true } : after)
    this.#place(after, PENDING)
  }

  find(userId: UserId): Presence | undefined {
    return this.#entries.get(userId)?.presence
  }

  /** The entries that are wanted, as a JSON object: of users the viewer does not know by their stand-in address, if at all. */
  encode({ isLegacy, sinceId, daysMax }: PresenceFilter, viewerId: UserId): string {
    const { state } = this.#options
    const known = state.sight.of(viewerId)
    const afterId = sinceId === undefined || !this.#knows(sinceId) ? 0 : sinceId
    const since = daysMax === undefined ? 0 : this.#now() - daysMax * 24 * 3600
    const texts: string[] = []
    for (const entry of this.#entries.values()) {
      if (entry.updateId <= afterId || entry.presence.idleAt < since || !this.#encode(entry)) continue
      const { userId } = entry.presence
      const isKnown = known?.has(userId) ?? true
      if (!isKnown && state.limitsPresence) continue
      if (isKnown || !isLegacy) texts.push(isLegacy ? entry.legacy : entry.slim)
      else texts.push(encodeLegacyPresence(entry.presence, standInAddress(userId, state.emailHost)))
    }
    return `{${texts.join(',')}}`
  }

  /** All entries in the form of old: what stands between the braces of a JSON object, with the commas. */
  encodeEveryone(): Buffer[] {
    const pieces: Buffer[] = []
    for (let number = 0; number <= pieceOf(this.#highestId); number++) {
      let piece = this.#pieces.get(number)
      if (!piece) this.#pieces.set(number, (piece = this.#encodePiece(number)))
      if (piece.length === 0) continue
      if (pieces.length > 0) pieces.push(COMMA)
      pieces.push(piece)
    }
    return pieces
  }

  /**
   * The same between what comes before and after it. The bytes are lent until the next call: where nobody's entry has
   * changed, that writes its start over them, since to copy all would take longer than all the rest.
   */
  encodeEveryoneBetween(start: Buffer, end: Buffer): Buffer {
    const known = this.#everyone
    if (known?.startLength === start.length) {
      start.copy(known.bytes)
      return known.bytes
    }
    const bytes = Buffer.concat([start, ...this.encodeEveryone(), end])
    this.#everyone = { startLength: start.length, bytes }
    return bytes
  }

  /** Takes an entry that was just applied to the state. */
  push({ event }: LogEntry): void {
    if (event.type.startsWith('realm_user/')) {
      this.#pieces.clear()
      this.#everyone = undefined
    }
    if (event.type === 'realm/update_dict' && event.changes.settings?.presenceDisabled) this.#forgetEveryone()
    // Those who looked on meanwhile were shown nobody.
    const isBack = event.type === 'realm_user/update' && event.changes.isActive === true
    if (isBack && this.#entries.has(event.userId)) this.#untold.add(event.userId)
    if (event.type !== 'user_settings/update') return
    if (event.change.name === 'emailAddressVisibility') this.#forgetPiece(event.userId)
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
    const before = this.#entries.get(userId)?.presence
    if (!before || isOffline(before, now)) return
    const after = hidden(before, now)
    this.#untold.add(userId)
    this.#unsent.set(userId, { ...after, isReplacing: true })
    this.#place(after, PENDING)
  }

  #place(presence: Presence, updateId: number): void {
    const { userId } = presence
    this.#entries.set(userId, { presence, updateId, user: undefined, email: '', legacy: '', slim: '' })
    this.#forgetPiece(userId)
    this.#highestId = Math.max(this.#highestId, userId)
  }

  #forgetPiece(userId: UserId): void {
    this.#pieces.delete(pieceOf(userId))
    this.#everyone = undefined
  }

  #encodePiece(number: number): Buffer {
    const texts: string[] = []
    for (let id = number * PIECE_LENGTH; id < (number + 1) * PIECE_LENGTH; id++) {
      const entry = this.#entries.get(id as UserId)
      if (entry && this.#encode(entry)) texts.push(entry.legacy)
    }
    return Buffer.from(texts.join(','))
  }

  /** Makes an entry's encodings, unless they are there; false for one of whom nobody is told. */
  #encode(entry: Entry): boolean {
    const { state } = this.#options
    const user = state.users.get(entry.presence.userId)
    if (!user || !isActivePerson(user)) return false
    const email = state.apiEmailOf(user)
    if (entry.user === user && entry.email === email) return true
    entry.user = user
    entry.email = email
    entry.legacy = encodeLegacyPresence(entry.presence, email)
    entry.slim = encodePresence(entry.presence, user)
    return true
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
      const known = this.#entries.get(userId)
      const presence = (unsent || isLost) && known ? latest(told, known.presence) : told
      if (isSame(told, presence)) learned.add(userId)
      // What was reported meanwhile is counted by the next exchange.
      if (known && isSame(known.presence, presence)) known.updateId = unsent ? PENDING : updateId
      else this.#place(presence, unsent ? PENDING : updateId)
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

  #forgetOld(): void {
    const keptSince = presenceKeptSince(this.#now())
    for (const [userId, { presence }] of this.#entries) {
      if (presence.idleAt >= keptSince) continue
      this.#entries.delete(userId)
      this.#forgetPiece(userId)
    }
  }

  /** Nobody is to know who is there: what was known goes, here and where it is shared. */
  #forgetEveryone(): void {
    this.#entries.clear()
    this.#unsent.clear()
    this.#untold.clear()
    this.#pieces.clear()
    this.#everyone = undefined
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

/** The number of the piece that holds a user's entry. */
function pieceOf(userId: number): number {
  return Math.floor(userId / PIECE_LENGTH)
}

function isSame(a: Presence, b: Presence): boolean {
  return a.activeAt === b.activeAt && a.idleAt === b.idleAt
}

/** All in one event, and for clients of old each in one of its own. */
function decideTelling(
  state: OrganizationState,
  changed: readonly Presence[],
  toldAt: number,
): Decision<void> {
  const users = state.rights.activeUsers
  const presences = changed.filter(({ userId }) => users.has(userId))
  const reply = () => undefined
  const isTold = !state.settings.presenceDisabled && users.size <= PRESENCE_EVENT_USERS_MAX
  if (presences.length === 0 || !isTold) return { events: [], reply }
  const audience = { kind: 'users', users } as const
  const single = presences.map((presence): NewEvent => {
    return {
      event: { type: 'presence/single', presence, toldAt, clients: 'without_simplified_presence' },
      audience,
    }
  })
  const together: NewEvent = {
    event: { type: 'presence', presences, clients: 'with_simplified_presence' },
    audience,
  }
  return { events: [together, ...single], reply }
}
