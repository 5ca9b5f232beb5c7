/** Changes of the organization's own emoji. */

import { findEmojiCode } from '../../../workers/pool/emoji/emoji-table.ts'
import { isAdministrator } from '../../domain/channel-access.ts'
import {
  type CustomEmoji,
  findCustomEmoji,
  findEmojiNameFault,
  normalizeEmojiName,
} from '../../domain/custom-emoji.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { checkShare } from '../check-share.ts'
import type { Fail } from '../../errors/api-error.ts'
import { EXTRA_EMOJI_NAME } from '../../views/names.ts'

/** What can be wrong with an emoji that somebody wants to add. */
export const NEW_EMOJI_ERRORS = [
  'NEW_EMOJI_NAME_EMPTY',
  'NEW_EMOJI_NAME_CHARACTER',
  'NEW_EMOJI_NAME_END',
  'PERMISSION_MISSING',
  'NEW_EMOJI_NAME_TAKEN',
  'NEW_EMOJI_OVERRIDES',
  'SHARE_SPENT',
] as const

const NAME_FAULTS = {
  empty: 'NEW_EMOJI_NAME_EMPTY',
  character: 'NEW_EMOJI_NAME_CHARACTER',
  end: 'NEW_EMOJI_NAME_END',
} as const

/** The name that a new emoji gets. */
export function readNewEmojiName(
  given: string,
  fail: Fail<(typeof NAME_FAULTS)[keyof typeof NAME_FAULTS]>,
): string {
  const name = normalizeEmojiName(given)
  const fault = findEmojiNameFault(name)
  if (fault) throw fail(NAME_FAULTS[fault])
  return name
}

/** Throws unless the user may add an emoji of that name. */
export function checkNewEmoji(
  state: OrganizationState,
  user: User,
  name: string,
  fail: Fail<'PERMISSION_MISSING' | 'NEW_EMOJI_NAME_TAKEN' | 'NEW_EMOJI_OVERRIDES' | 'SHARE_SPENT'>,
): void {
  const { emoji, permissions, rights } = state
  if (user.role === ROLES.guest || !rights.holds(user, permissions.canAddCustomEmoji)) {
    throw fail('PERMISSION_MISSING')
  }
  if (findCustomEmoji(emoji, name)) throw fail('NEW_EMOJI_NAME_TAKEN')
  const isOverriding = name === EXTRA_EMOJI_NAME || findEmojiCode(name) !== undefined
  if (isOverriding && !isAdministrator(user)) throw fail('NEW_EMOJI_OVERRIDES')
  checkShare({ state, caller: user, fail }, 'emoji', 1)
}

/** Tells everyone of an emoji as it is from now on. */
export function tellEmoji({ rights }: OrganizationState, emoji: CustomEmoji): NewEvent {
  return {
    event: { type: 'realm_emoji/update', emoji },
    audience: { kind: 'users', users: rights.activeUsers },
  }
}
