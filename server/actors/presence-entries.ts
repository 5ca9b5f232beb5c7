/** The presence of users: one entry each, encoded once per change, as objects and as bytes for many users at a time. */

import { standInAddress } from '../domain/users/email-addresses.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { type Presence, presenceStoredSince } from '../domain/users/presence.ts'
import { isActivePerson } from '../domain/users/user-access.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeLegacyPresence, encodePresence } from '../views/presence-view.ts'

/**
 * Ids whose entries share one piece of bytes: after a change, the next reply encodes this many again and copies the
 * rest.
 */
const PIECE_LENGTH = 128
const COMMA = Buffer.from(',')

/** A user's presence with its encodings, and the user that they were made from. */
interface Entry {
  readonly presence: Presence
  updateId: number
  user: User | undefined
  email: string
  legacy: string
  slim: string
}

/** The requested entries. */
export interface EntryFilter {
  /** By email address, in the legacy form. */
  readonly isLegacy: boolean
  /** Entries updated after this id. */
  readonly afterId: number
  /** Users who reported since. */
  readonly since: number
}

/** The entries of all recently seen users. */
export class PresenceEntries {
  readonly #state: OrganizationState
  readonly #entries = new Map<UserId, Entry>()
  #highestId = 0
  /** The entries in the legacy form, as bytes for neighbouring ids; dropped when one of them changes. */
  readonly #pieces = new Map<number, Buffer>()
  /** The last reply with all entries; dropped when one changes. */
  #everyone: { readonly startLength: number; readonly bytes: Buffer } | undefined

  constructor(state: OrganizationState) {
    this.#state = state
  }

  find(userId: UserId): Presence | undefined {
    return this.#entries.get(userId)?.presence
  }

  [Symbol.iterator](): IterableIterator<[UserId, { readonly presence: Presence; updateId: number }]> {
    return this.#entries.entries()
  }

  /** Sets a user's presence and the id of its update. */
  place(presence: Presence, updateId: number): void {
    const { userId } = presence
    this.#entries.set(userId, { presence, updateId, user: undefined, email: '', legacy: '', slim: '' })
    this.dropPiece(userId)
    this.#highestId = Math.max(this.#highestId, userId)
  }

  /** The presence is unchanged, but a later update has repeated it. */
  count(userId: UserId, updateId: number): void {
    const entry = this.#entries.get(userId)
    if (entry) entry.updateId = updateId
  }

  /** Drops users who were last seen long ago. */
  dropOld(now: number): void {
    const visibleSince = presenceStoredSince(now)
    for (const [userId, { presence }] of this.#entries) {
      if (presence.idleAt >= visibleSince) continue
      this.#entries.delete(userId)
      this.dropPiece(userId)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.dropPieces()
  }

  /** Drops the bytes that contain a user's entry. */
  dropPiece(userId: UserId): void {
    this.#pieces.delete(pieceOf(userId))
    this.#everyone = undefined
  }

  dropPieces(): void {
    this.#pieces.clear()
    this.#everyone = undefined
  }

  /**
   * The requested entries as a JSON object; users whom the viewer does not know have their stand-in address, or none.
   */
  encode({ isLegacy, afterId, since }: EntryFilter, viewerId: UserId): string {
    const known = this.#state.userVisibility.of(viewerId)
    const texts: string[] = []
    for (const entry of this.#entries.values()) {
      if (entry.updateId <= afterId || entry.presence.idleAt < since || !this.#encode(entry)) continue
      const { userId } = entry.presence
      const isKnown = known?.has(userId) ?? true
      if (!isKnown && this.#state.limitsPresence) continue
      if (isKnown || !isLegacy) texts.push(isLegacy ? entry.legacy : entry.slim)
      else texts.push(encodeLegacyPresence(entry.presence, standInAddress(userId, this.#state.emailHost)))
    }
    return `{${texts.join(',')}}`
  }

  /** All entries in the legacy form: the text between the braces of a JSON object, with the commas. */
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
   * The same between a start and an end. The bytes are lent until the next call: if no entry has changed, that call
   * writes its start over them, since copying everything would take longer than the rest.
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

  #encodePiece(number: number): Buffer {
    const texts: string[] = []
    for (let id = number * PIECE_LENGTH; id < (number + 1) * PIECE_LENGTH; id++) {
      const entry = this.#entries.get(id as UserId)
      if (entry && this.#encode(entry)) texts.push(entry.legacy)
    }
    return Buffer.from(texts.join(','))
  }

  /** Makes an entry's encodings, unless they exist; false for a user without a visible presence. */
  #encode(entry: Entry): boolean {
    const user = this.#state.users.get(entry.presence.userId)
    if (!user || !isActivePerson(user)) return false
    const email = this.#state.apiEmailOf(user)
    if (entry.user === user && entry.email === email) return true
    entry.user = user
    entry.email = email
    entry.legacy = encodeLegacyPresence(entry.presence, email)
    entry.slim = encodePresence(entry.presence, user)
    return true
  }
}

/** The number of the piece with a user's entry. */
function pieceOf(userId: number): number {
  return Math.floor(userId / PIECE_LENGTH)
}
