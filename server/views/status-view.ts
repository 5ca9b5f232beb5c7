/** Users' statuses for clients. */

import type { UserId } from '../domain/ids.ts'
import type { UserStatus } from '../domain/users/user-status.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { BOOLEAN, oneOf, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { SHOWN_REACTION_TYPES, shownReactionType } from './names.ts'

/** Schema of `viewStatus` and `viewStatusChange`. */
export const USER_STATUS_FIELDS = {
  away: BOOLEAN,
  status_text: STRING,
  emoji_name: STRING,
  emoji_code: STRING,
  reaction_type: oneOf(...SHOWN_REACTION_TYPES),
}
export const USER_STATUS = record({}, USER_STATUS_FIELDS)

/** A user's status, without empty fields. */
export function viewStatus(
  userId: UserId,
  state: OrganizationState,
  isOriginal: boolean | undefined,
): ValueOf<typeof USER_STATUS> {
  const { text = '', emoji = null } = state.userStatuses.get(userId) ?? {}
  return {
    ...(state.settingsOf(userId).presenceEnabled ? {} : { away: true }),
    ...(text === '' ? {} : { status_text: text }),
    ...(emoji === null ? {} : viewEmoji(emoji, isOriginal)),
  }
}

/** The statuses of all users whom a viewer knows, by id. */
export function viewStatuses(
  viewerId: UserId,
  state: OrganizationState,
  isOriginal: boolean | undefined,
): Readonly<Record<string, ValueOf<typeof USER_STATUS>>> {
  const userIds = new Set([...state.userStatuses.keys(), ...state.userSettings.keys()])
  const views = [...userIds]
    .filter((userId) => state.userVisibility.knows(viewerId, userId))
    .map((userId) => [userId, viewStatus(userId, state, isOriginal)] as const)
  return Object.fromEntries(views.filter(([, view]) => Object.keys(view).length > 0))
}

/** The changed fields of a status; removed ones are empty. */
export function viewStatusChange(
  { isAway, text, emoji }: Partial<UserStatus> & { readonly isAway?: boolean },
  isOriginal: boolean | undefined,
): ValueOf<typeof USER_STATUS> {
  return {
    ...(isAway === undefined ? {} : { away: isAway }),
    ...(text === undefined ? {} : { status_text: text }),
    ...(emoji === undefined ? {} : viewEmoji(emoji, isOriginal)),
  }
}

function viewEmoji(emoji: UserStatus['emoji'], isOriginal: boolean | undefined) {
  return {
    emoji_name: emoji?.emojiName ?? '',
    emoji_code: emoji?.emojiCode ?? '',
    reaction_type: shownReactionType(emoji?.reactionType ?? 'unicode_emoji', isOriginal),
  }
}
