/** Changes a user's avatar. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** A new avatar. */
export interface AvatarRequest {
  /** Null for the one that is made from the email address. */
  readonly pictureId: PictureId | null
}

/** How changing an avatar can fail. */
export const AVATAR_ERRORS = ['AVATAR_CHANGES_DISABLED'] as const
type AvatarScope = Scope<(typeof AVATAR_ERRORS)[number]>

/** Changes the caller's avatar. */
export function decideOwnAvatar(scope: AvatarScope, { pictureId }: AvatarRequest): Decision<void> {
  const { state, caller } = scope
  checkAvatarChanges(scope)
  if (pictureId === null && !state.avatars.has(caller.id)) return done([])
  const avatar = { pictureId, version: caller.avatarVersion + 1 }
  return done([{ type: 'realm_user/avatar', userId: caller.id, avatar }])
}

/** Throws if only administrators may change avatars, and the caller is none. */
export function checkAvatarChanges({
  state: { settings },
  caller,
  fail,
}: Pick<AvatarScope, 'state' | 'caller' | 'fail'>): void {
  if (settings.avatarChangesDisabled && !isAdministrator(caller)) throw fail('AVATAR_CHANGES_DISABLED')
}
