/** Users for clients. */

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { derived } from '../domain/messages/derived.ts'
import { EMAIL_VISIBILITIES, standInAddress } from '../domain/users/email-addresses.ts'
import { ROLES, type User } from '../domain/entities.ts'
import type { UserChange } from '../domain/events/users.ts'
import type { UserId } from '../domain/ids.ts'
import { drawnPictureOf } from '../domain/files/drawn-pictures.ts'
import { drawnPath } from './drawn-picture-path.ts'
import { avatarPath } from '../domain/files/pictures.ts'
import { VISITOR_ID } from '../domain/users/visitor.ts'
import { showsGravatar } from '../state/picture-source.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { PROFILE, viewProfile } from './profile-field-view.ts'
import {
  BOOLEAN,
  INTEGER,
  oneOf,
  oneOfIntegers,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'

const USER_FIELDS = {
  user_id: INTEGER,
  delivery_email: orNull(STRING),
  email: STRING,
  full_name: STRING,
  date_joined: STRING,
  is_active: BOOLEAN,
  is_owner: BOOLEAN,
  is_admin: BOOLEAN,
  is_guest: BOOLEAN,
  is_bot: BOOLEAN,
  bot_type: orNull(INTEGER),
  bot_owner_id: orNull(INTEGER),
  role: oneOfIntegers(...Object.values(ROLES)),
  timezone: STRING,
  avatar_url: orNull(STRING),
  avatar_version: INTEGER,
  is_imported_stub: BOOLEAN,
}

/** Schema of `viewUser`, with the profile if it was requested; bots have none. */
export const USER = record(USER_FIELDS, { profile_data: PROFILE, is_system_bot: BOOLEAN })

/** Schema of `viewAvatar`. */
export const AVATAR_FIELDS = {
  avatar_url: STRING,
  avatar_url_medium: STRING,
  avatar_source: oneOf('G', 'U', 'J'),
}

const { email: _, ...CONCEALED_FIELDS } = USER_FIELDS
/** Schema of `viewUnknownUser` as a change of a user who was known before. */
export const CONCEALED_USER = record(
  { ...CONCEALED_FIELDS, ...AVATAR_FIELDS, new_email: STRING },
  { profile_data: PROFILE, is_system_bot: BOOLEAN },
)

/**
 * The avatar that a user uploaded, else that of their source. A gravatar is the one of the email address that all may
 * see: a hash of the real address would confirm guesses.
 */
export function avatarUrl(user: User, state: OrganizationState, size: 'small' | 'medium' = 'small'): string {
  const version = `version=${user.avatarVersion}`
  const pictureId = state.avatars.get(user.id)
  if (pictureId !== undefined) return `${avatarPath(pictureId, size)}?${version}`
  if (!showsGravatar(user.id, state)) return drawnAvatarUrl(user, state, size)
  const address = hash('md5', state.apiEmailOf(user).trim().toLowerCase())
  return `https://secure.gravatar.com/avatar/${address}?d=identicon&${version}`
}

/** Texts of a user that take longer than all else of the user: a signature, and a formatted date. */
interface UserTexts {
  readonly dateJoined: string
  /** The address of the small drawn picture. */
  readonly drawnUrl: string
}

/** Users whose texts are cached, some 400 bytes each: more than send within minutes. A changed user is a new object. */
const USER_TEXTS_MAX = 2_000
/** By the secret that signs the addresses. */
const userTextsOf = derived<Buffer, LRUCache<User, UserTexts>>(() => new LRUCache({ max: USER_TEXTS_MAX }))

function textsOf(user: User, { pictureSecret }: OrganizationState): UserTexts {
  const cached = userTextsOf(pictureSecret)
  let texts = cached.get(user)
  if (!texts) {
    texts = { dateJoined: viewJoinedAt(user.joinedAt), drawnUrl: makeDrawnUrl(user, 'small', pictureSecret) }
    cached.set(user, texts)
  }
  return texts
}

function drawnAvatarUrl(user: User, state: OrganizationState, size: 'small' | 'medium'): string {
  return size === 'small' ? textsOf(user, state).drawnUrl : makeDrawnUrl(user, size, state.pictureSecret)
}

function makeDrawnUrl(user: User, size: 'small' | 'medium', secret: Buffer): string {
  return `${drawnPath(drawnPictureOf(user), size, secret)}?version=${user.avatarVersion}`
}

/**
 * The avatar for all viewers; a client that computes it from the email address may ask to omit it. Visitors get a drawn
 * one instead of a gravatar, whose address would confirm guesses of the email address.
 */
export function sharedAvatarUrl(
  user: User,
  state: OrganizationState,
  { clientGravatar }: { readonly clientGravatar: boolean },
  viewerId?: UserId,
): string | null {
  if (viewerId === VISITOR_ID && showsGravatar(user.id, state)) return drawnAvatarUrl(user, state, 'small')
  const isPublic = state.emailVisibilityOf(user) === EMAIL_VISIBILITIES.everyone
  return clientGravatar && isPublic && showsGravatar(user.id, state) ? null : avatarUrl(user, state)
}

/** The form in which a client wants a user. */
interface UserViewOptions {
  readonly clientGravatar: boolean
  /** Whether to add the profile of a person; bots have none. */
  readonly hasProfile: boolean
}

/** The name of all users whom a viewer does not know. */
export const UNKNOWN_USER_NAME = 'Unknown user'

/** The avatar of all unknown users. */
export const UNKNOWN_AVATAR_URL = '/static/images/unknown-user-avatar.png'
export const UNKNOWN_AVATAR = {
  avatar_url: UNKNOWN_AVATAR_URL,
  avatar_url_medium: UNKNOWN_AVATAR_URL,
  avatar_source: 'J',
} as const

/** A user whom the viewer does not know: shows that the id exists, and nothing else about the user. */
export function viewUnknownUser(
  userId: UserId,
  state: OrganizationState,
  hasProfile: boolean,
): ValueOf<typeof USER> {
  return {
    user_id: userId,
    delivery_email: null,
    email: standInAddress(userId, state.emailHost),
    full_name: UNKNOWN_USER_NAME,
    date_joined: '1970-01-01T00:00:00+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: ROLES.member,
    timezone: '',
    avatar_url: UNKNOWN_AVATAR_URL,
    avatar_version: 1,
    is_imported_stub: false,
    ...(hasProfile ? { profile_data: {} } : {}),
  }
}

/** The user object of `GET /users/{user_id}`, as `viewer` may see it. */
export function viewUser(
  user: User,
  viewer: User,
  state: OrganizationState,
  { clientGravatar, hasProfile }: UserViewOptions,
): ValueOf<typeof USER> {
  if (!state.userVisibility.knows(viewer.id, user.id)) return viewUnknownUser(user.id, state, hasProfile)
  const isEmailSeen = state.canSeeEmail(viewer, user)
  return {
    user_id: user.id,
    delivery_email: isEmailSeen ? user.email : null,
    email: state.apiEmailOf(user),
    full_name: user.fullName,
    date_joined: textsOf(user, state).dateJoined,
    is_active: user.isActive,
    is_owner: user.role === ROLES.owner,
    is_admin: user.role <= ROLES.administrator,
    is_guest: user.role === ROLES.guest,
    is_bot: user.botType !== null,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    timezone: user.timezone,
    avatar_url:
      clientGravatar && isEmailSeen && showsGravatar(user.id, state) ? null : avatarUrl(user, state),
    avatar_version: user.avatarVersion,
    is_imported_stub: false,
    ...(user.isSystem ? { is_system_bot: true } : {}),
    ...(hasProfile && user.botType === null
      ? { profile_data: viewProfile(state.profiles.get(user.id)) }
      : {}),
  }
}

/** A user's avatar with all of its fields. */
export function viewAvatar(user: User, state: OrganizationState) {
  return {
    avatar_url: avatarUrl(user, state),
    avatar_url_medium: avatarUrl(user, state, 'medium'),
    avatar_source: sourceOf(user, state),
  }
}

/** Uploaded, of Gravatar, or drawn here: the letters of the API family. */
function sourceOf({ id }: User, state: OrganizationState): 'U' | 'G' | 'J' {
  if (state.avatars.has(id)) return 'U'
  return showsGravatar(id, state) ? 'G' : 'J'
}

/** `viewUserChange`. */
export const USER_CHANGE = record(
  { user_id: INTEGER },
  {
    is_active: BOOLEAN,
    role: INTEGER,
    full_name: STRING,
    bot_owner_id: orNull(INTEGER),
    date_joined: STRING,
    email: STRING,
    timezone: STRING,
  },
)

/** The properties of an account that a change names. */
export function viewUserChange(
  user: User,
  { isActive, role, fullName, timezone, botOwnerId, joinedAt }: UserChange,
  state: OrganizationState,
): ValueOf<typeof USER_CHANGE> {
  return {
    user_id: user.id,
    ...(isActive === undefined ? {} : { is_active: isActive }),
    ...(role === undefined ? {} : { role }),
    ...(fullName === undefined ? {} : { full_name: fullName }),
    ...(botOwnerId === undefined ? {} : { bot_owner_id: botOwnerId }),
    ...(joinedAt === undefined ? {} : { date_joined: viewJoinedAt(joinedAt) }),
    ...(timezone === undefined ? {} : { email: state.apiEmailOf(user), timezone }),
  }
}

/** A time in UNIX seconds as ISO 8601. */
function viewJoinedAt(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}+00:00`
}
