/** Changing how a user is shown. */

import { isAdministrator } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { PictureId } from '../../domain/pictures.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { tellBotChange } from '../bots/tell-bots.ts'

/** Shows a user with another avatar, or with null with the one that follows the address. */
export function changeAvatar(state: OrganizationState, user: User, pictureId: PictureId | null): NewEvent[] {
  if (pictureId === null && !state.avatars.has(user.id)) return []
  const avatar = { pictureId, version: user.avatarVersion + 1 }
  return [
    {
      event: { type: 'realm_user/avatar', userId: user.id, avatar },
      audience: { kind: 'users', users: state.rights.activeUsers },
    },
    ...tellBotChange(state, user, { hasNewAvatar: true }),
  ]
}

/** Throws where the organization keeps avatars as they are, and the user is no administrator. */
export function checkAvatarChanges(
  { settings }: OrganizationState,
  user: User,
  fail: Fail<'AVATAR_CHANGES_DISABLED'>,
): void {
  if (settings.avatarChangesDisabled && !isAdministrator(user)) throw fail('AVATAR_CHANGES_DISABLED')
}
