/** Users as clients see them. */

import { hash } from 'node:crypto'
import { EMAIL_VISIBILITIES } from '../domain/email-addresses.ts'
import { ROLES, type User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { viewProfile } from './profile-field-view.ts'

/** A gravatar address, of the email address that all may see: a hash of the real one would tell who guesses it. */
export function avatarUrl(user: User, state: OrganizationState): string {
  const address = hash('md5', state.apiEmailOf(user).trim().toLowerCase())
  return `https://secure.gravatar.com/avatar/${address}?d=identicon&version=${user.avatarVersion}`
}

/** The avatar for every viewer alike; a client that can make the address from the email itself asks to be spared it. */
export function sharedAvatarUrl(
  user: User,
  state: OrganizationState,
  { clientGravatar }: { readonly clientGravatar: boolean },
): string | null {
  const isPublic = state.emailVisibilityOf(user) === EMAIL_VISIBILITIES.everyone
  return clientGravatar && isPublic ? null : avatarUrl(user, state)
}

/** How a user is wanted told. */
interface UserViewOptions {
  readonly clientGravatar: boolean
  /** Whether a person is told with their profile; bots have none. */
  readonly hasProfile: boolean
}

/** The user object of `GET /users/{user_id}`, as `viewer` may see it. */
export function viewUser(
  user: User,
  viewer: User,
  state: OrganizationState,
  { clientGravatar, hasProfile }: UserViewOptions,
) {
  const isEmailSeen = state.canSeeEmail(viewer, user)
  return {
    user_id: user.id,
    delivery_email: isEmailSeen ? user.email : null,
    email: state.apiEmailOf(user),
    full_name: user.fullName,
    date_joined: new Date(user.joinedAt * 1000).toISOString().replace('.000Z', '+00:00'),
    is_active: user.isActive,
    is_owner: user.role === ROLES.owner,
    is_admin: user.role <= ROLES.administrator,
    is_guest: user.role === ROLES.guest,
    is_bot: user.botType !== null,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    timezone: user.timezone,
    avatar_url: clientGravatar && isEmailSeen ? null : avatarUrl(user, state),
    avatar_version: user.avatarVersion,
    is_imported_stub: false,
    ...(user.isSystem ? { is_system_bot: true } : {}),
    ...(hasProfile && user.botType === null
      ? { profile_data: viewProfile(state.profiles.get(user.id)) }
      : {}),
  }
}

/** A user's avatar after it changed. */
export function viewAvatarChange(user: User, state: OrganizationState) {
  const url = avatarUrl(user, state)
  return {
    user_id: user.id,
    avatar_url: url,
    avatar_url_medium: url,
    avatar_source: 'G',
    avatar_version: user.avatarVersion,
  }
}
