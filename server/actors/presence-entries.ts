/**
 * What is known of who is there, for each user one entry, encoded once for each change: as objects by themselves, and
 * as bytes for many at a time.
 */

import { standInAddress } from '../domain/email-addresses.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { type Presence, presenceKeptSince } from '../domain/presence.ts'
import { isActivePerson } from '../domain/user-access.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeLegacyPresence, encodePresence } from '../views/presence-view.ts'

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
export interface EntryFilter {
  /** By email address, in the form of old. */
  readonly isLegacy: boolean
  /** Those updated after it. */
  readonly afterId: number
  /** Those who reported since. */
  readonly since: number
}

/** The entries of everyone who was there lately. */
export class PresenceEntries {
  readonly #state: OrganizationState
  readonly #entries = new Map<UserId, Entry>()
  #highestId = 0
  /** The entries in the form of old, as bytes, for so many ids at a time; gone once one of them has changed. */
  readonly #pieces = new Map<number, Buffer>()
  /** The last reply with all of them; gone once one has changed. */
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

  /** What is known of a user from now on, and by which update. */
  place(presence: Presence, updateId: number): void {
    const { userId } = presence
    this.#entries.set(userId, { presence, updateId, user: undefined, email: '', legacy: '', slim: '' })
    this.forgetPiece(userId)
    this.#highestId = Math.max(this.#highestId, userId)
  }

  /** What is known stays; a later update has said it again. */
  count(userId: UserId, updateId: number): void {
    const entry = this.#entries.get(userId)
    if (entry) entry.updateId = updateId
  }

  /** Forgets those who were last there long ago. */
  forgetOld(now: number): void {
    const keptSince = presenceKeptSince(now)
    for (const [userId, { presence }] of this.#entries) {
      if (presence.idleAt >= keptSince) continue
      this.#entries.delete(userId)
      this.forgetPiece(userId)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.forgetPieces()
  }

  /** The bytes with a user's entry are no longer right. */
  forgetPiece(userId: UserId): void {
    this.#pieces.delete(pieceOf(userId))
    this.#everyone = undefined
  }

  forgetPieces(): void {
    this.#pieces.clear()
    this.#everyone = undefined
  }

  /** The entries that are wanted, as a JSON object: of users the viewer does not know by their stand-in address, if at all. */
  encode({ isLegacy, afterId, since }: EntryFilter, viewerId: UserId): string {
    const known = this.#state.sight.of(viewerId)
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

/** The number of the piece that holds a user's entry. */
function pieceOf(userId: number): number {
  return Math.floor(userId / PIECE_LENGTH)
}
