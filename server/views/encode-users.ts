/**
 * Encodes users as JSON, in pieces of neighbouring ids. Viewers see the same fields except email addresses, which their
 * owners may hide. So viewers with the same access share a piece. A piece is encoded again when one of its users
 * changes.
 */

import { derived } from '../domain/messages/derived.ts'
import { canSeeEmail, type EmailVisibility } from '../domain/users/email-addresses.ts'
import type { User } from '../domain/entities.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import type { Profile } from '../domain/organization/profile-fields.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type JsonPiece, CachedPiece } from './json-pieces.ts'
import { viewUser } from './user-view.ts'

/** Ids in one piece: after a change of one user, this many are encoded again when next requested. */
const PIECE_LENGTH = 128

/** The users of a piece when it was encoded, and its encodings. */
interface Piece {
  /** The last event at which it was checked. */
  asOf: EventId
  readonly people: readonly (User | undefined)[]
  readonly profiles: readonly (Profile | undefined)[]
  /** The visibilities that these users have set for their addresses. */
  readonly visibilities: readonly EmailVisibility[]
  /** By the viewer's access and the requested form. */
  readonly encoded: Map<string, CachedPiece>
}

/** By the number of the piece; replaced when one of its users changes. */
const piecesOf = derived<OrganizationState, Map<number, Piece>>(() => new Map())

/** The users to encode, and their form. */
interface EncodeOptions {
  readonly accounts: 'active' | 'deactivated' | 'all'
  readonly clientGravatar: boolean
  readonly hasProfile: boolean
  /** Whether to omit users whom the viewer does not know; otherwise they count as active. */
  readonly isIncomplete: boolean
}

/** People and bots except the server's own, by id: objects separated by commas. */
export function encodeUsers(viewer: User, state: OrganizationState, options: EncodeOptions): JsonPiece[] {
  const known = state.userVisibility.of(viewer.id)
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

/** The same for a viewer who does not know all users, and so shares no piece. */
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

/** The piece for the current state. */
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

/** A changed user or profile is a new object. */
function isCurrent({ people, profiles }: Piece, first: number, state: OrganizationState): boolean {
  for (let offset = 0; offset < PIECE_LENGTH; offset++) {
    const id = (first + offset) as UserId
    if (state.users.get(id) !== people[offset] || state.profiles.get(id) !== profiles[offset]) return false
  }
  return true
}

/** The key that viewers with the same access share; undefined for a viewer who sees more of their own account. */
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
