/** Changing what a user says of how they are. */

import { EMOJI_CODE_LENGTH_MAX, EMOJI_NAME_LENGTH_MAX, type Emoji } from '../../domain/emoji.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { STATUS_TEXT_LENGTH_MAX } from '../../domain/limits.ts'
import type { UserStatus } from '../../domain/user-status.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { checkEmoji, EMOJI_ERRORS, resolveEmoji } from '../../decisions/emoji/choose-emoji.ts'
import type { Fail } from '../../errors/api-error.ts'
import type { Names } from '../../views/names.ts'
import { optional, text, type ValuesOf } from '../params.ts'

/** What a status is set by; what is left out stays. */
export const statusParams = {
  status_text: optional(
    text({ lengthMax: STATUS_TEXT_LENGTH_MAX, trim: true }),
    'The text; empty to take it away.',
  ),
  emoji_name: optional(
    text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
    'The name of the emoji; empty to take it away.',
  ),
  emoji_code: optional(
    text({ lengthMax: EMOJI_CODE_LENGTH_MAX }),
    'Its code: the code points in hex, joined by dashes, the id of a custom emoji, or the name of the extra one. By its name if left out.',
  ),
  reaction_type: optional(
    text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
    'What the code is of: `unicode_emoji`, `realm_emoji` or `service_extra_emoji`. By its name if left out.',
  ),
}

/** What can be wrong with a status. */
export const STATUS_ERRORS = [...EMOJI_ERRORS, 'EMOJI_NAME_MISSING', 'STATUS_UNCHANGED'] as const

/** What a call wants to change of a user's status. */
export function readStatus(
  params: ValuesOf<typeof statusParams>,
  userId: UserId,
  { neutralReactionType }: Names,
  { emoji: custom, userStatuses }: OrganizationState,
  fail: Fail<(typeof STATUS_ERRORS)[number]>,
): Partial<UserStatus> {
  const { status_text, emoji_name: name, emoji_code: code, reaction_type } = params
  if (name === undefined && (code !== undefined || reaction_type !== undefined)) {
    throw fail('EMOJI_NAME_MISSING')
  }
  const textChange = status_text === undefined ? {} : { text: status_text }
  if (name === undefined) return textChange
  if (name === '') return { ...textChange, emoji: null }
  const type = reaction_type === undefined ? undefined : neutralReactionType(reaction_type)
  const emoji = resolveEmoji({ name, code, type }, [], custom, fail)
  // Clients send the emoji that is there along with a new text, though its name may mean another by now.
  const isKept =
    emoji.reactionType === 'unicode_emoji' && isSame(emoji, userStatuses.get(userId)?.emoji ?? null)
  if (!isKept) checkEmoji(emoji, custom, fail)
  return { ...textChange, emoji }
}

/** Tells everyone what of a status becomes another; nothing where all is as before. */
export function changeUserStatus(
  state: OrganizationState,
  userId: UserId,
  wanted: Partial<UserStatus>,
): NewEvent[] {
  const { text = '', emoji = null } = state.userStatuses.get(userId) ?? {}
  const changes = {
    ...(wanted.text === undefined || wanted.text === text ? {} : { text: wanted.text }),
    ...(wanted.emoji === undefined || isSame(wanted.emoji, emoji) ? {} : { emoji: wanted.emoji }),
  }
  if (Object.keys(changes).length === 0) return []
  const audience = { kind: 'users', users: state.rights.activeUsers } as const
  return [{ event: { type: 'user_status', userId, changes }, audience }]
}

function isSame(a: Emoji | null, b: Emoji | null): boolean {
  return a?.emojiName === b?.emojiName && a?.emojiCode === b?.emojiCode && a?.reactionType === b?.reactionType
}
