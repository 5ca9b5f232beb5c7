/**
 * Users as JSON, a piece for so many ids at a time. What viewers see of them differs by addresses only, and whether
 * those are seen goes by what their owners have set: viewers who see the same share a piece, which is encoded again
 * when one of its users has changed.
 */

import { derived } from '../domain/derived.ts'
import { canSeeEmail, type EmailVisibility } from '../domain/email-addresses.ts'
import type { User } from '../domain/entities.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import type { Profile } from '../domain/profile-fields.ts'
import type { UserSet } from '../domain/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type JsonPiece, CachedPiece } from './json-pieces.ts'
import { viewUser } from './user-view.ts'

/** Ids of one piece: a change of one user encodes so many anew, when they are next asked for. */
const PIECE_LENGTH = 128

/** Some users as they were when they were encoded, and what has been encoded of them. */
interface Piece {
  /** The last event after which they were looked at. */
  asOf: EventId
  readonly people: readonly (User | undefined)[]
  readonly profiles: readonly (Profile | undefined)[]
  /** Whom any of these users lets see their address. */
  readonly visibilities: readonly EmailVisibility[]
  /** By what tells viewers apart, and what they ask for. */
  readonly encoded: Map<string, CachedPiece>
}

/** By the number of the piece; replaced when one of its users changes. */
const piecesOf = derived<OrganizationState, Map<number, Piece>>(() => new Map())

/** Which users, and how they are wanted. */
interface EncodeOptions {
  readonly accounts: 'active' | 'deactivated' | 'all'
  readonly clientGravatar: boolean
  readonly hasProfile: boolean
  /** Whether to leave out those whom the viewer does not know, who else are among the active ones. */
  readonly isIncomplete: boolean
}

/** People and bots but the server's own, by id: objects parted by commas. */
export function encodeUsers(viewer: User, state: OrganizationState, options: EncodeOptions): JsonPiece[] {
  const known = state.sight.of(viewer.id)
  if (known) return encodeKnown(viewer, known, state, options)
  const found: CachedPiece[] = []
  for (let number = 0; number <= Math.floor(state.users.size / PIECE_LENGTH); number++) {
    const piece = findPiece(number, state)
    const key = shareKey(piece, viewer, state, options)
    const encoded =
      (key === undefined ? undefined : piece.encoded.get(key)) ?? encode(piece, viewer, state, options)
    if (key !== undefined) piece.encoded.set(key, encoded)
    if (encoded.bytes.length > 0) found.push(encoded)
  }
  return found
}

/** The same for a viewer who does not know everyone, and so shares no piece. */
function encodeKnown(
  viewer: User,
  known: UserSet,
  state: OrganizationState,
  { accounts, clientGravatar, hasProfile, isIncomplete }: EncodeOptions,
): string[] {
  const users = isIncomplete ? known.toArray().map((id) => state.getUser(id)) : [...state.users.values()]
  const listed = users.filter(
    (user) => !user.isSystem && isListed(known.has(user.id) ? user.isActive : true, accounts),
  )
  const options = { clientGravatar, hasProfile }
  return listed.map((user) => JSON.stringify(viewUser(user, viewer, state, options)))
}

function isListed(isActive: boolean, accounts: EncodeOptions['accounts']): boolean {
  return accounts === 'all' || (accounts === 'active') === isActive
}

/** The piece as the state is now. */
function findPiece(number: number, state: OrganizationState): Piece {
  const ofState = piecesOf(state)
  const first = number * PIECE_LENGTH
  const before = ofState.get(number)
  if (before && (before.asOf === state.appliedId || isCurrent(before, first, state))) {
    before.asOf = state.appliedId
    return before
  }
  const ids = Array.from({ length: PIECE_LENGTH }, (_, offset) => (first + offset) as UserId)
  const people = ids.map((id) => state.users.get(id))
  const listed = people.filter((user) => user !== undefined && !user.isSystem) as User[]
  const piece: Piece = {
    asOf: state.appliedId,
    people,
    profiles: ids.map((id) => state.profiles.get(id)),
    visibilities: [...new Set(listed.map((user) => state.emailVisibilityOf(user)))],
    encoded: new Map(),
  }
  ofState.set(number, piece)
  return piece
}

/** A user who changes is another object, and so is a profile. */
function isCurrent({ people, profiles }: Piece, first: number, state: OrganizationState): boolean {
  for (let offset = 0; offset < PIECE_LENGTH; offset++) {
    const id = (first + offset) as UserId
    if (state.users.get(id) !== people[offset] || state.profiles.get(id) !== profiles[offset]) return false
  }
  return true
}

/** The same for all viewers who see the same; undefined for who sees more, because it is their own. */
function shareKey(
  { people, visibilities }: Piece,
  viewer: User,
  state: OrganizationState,
  { accounts, clientGravatar, hasProfile }: EncodeOptions,
): string | undefined {
  const other = people.find((user) => user !== undefined && user.id !== viewer.id)
  if (!other) return undefined
  const seen = visibilities.filter((visibility) => canSeeEmail(viewer, other, visibility))
  const isOwn = people[viewer.id % PIECE_LENGTH]?.id === viewer.id
  if (isOwn && !seen.includes(state.emailVisibilityOf(viewer))) return undefined
  return `${accounts}/${clientGravatar}/${hasProfile}/${seen.join()}`
}

function encode(
  { people }: Piece,
  viewer: User,
  state: OrganizationState,
  { accounts, clientGravatar, hasProfile }: EncodeOptions,
): CachedPiece {
  const texts: string[] = []
  for (const user of people) {
    if (user === undefined || user.isSystem || !isListed(user.isActive, accounts)) continue
    texts.push(JSON.stringify(viewUser(user, viewer, state, { clientGravatar, hasProfile })))
  }
  return new CachedPiece(Buffer.from(texts.join(',')))
}
