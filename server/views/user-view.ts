/** Users as clients see them. */

import { createHash } from 'node:crypto'
import { ROLES, type User } from '../domain/entities.ts'

/** A gravatar address; a client that can make it from the email itself asks to be spared it. */
export function avatarUrl(user: User, isLeftToClient: boolean): string | null {
  if (isLeftToClient) return null
  const hash = createHash('md5').update(user.email.trim().toLowerCase()).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${user.avatarVersion}`
}

/** The user object of `GET /users/{user_id}`. */
export function viewUser(user: User, { clientGravatar }: { clientGravatar: boolean }) {
  return {
    user_id: user.id,
    delivery_email: user.email,
    email: user.email,
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
    avatar_url: avatarUrl(user, clientGravatar),
    avatar_version: user.avatarVersion,
    is_imported_stub: false,
    ...(user.isSystem ? { is_system_bot: true } : {}),
  }
}
