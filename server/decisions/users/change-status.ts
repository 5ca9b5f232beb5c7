/** Changing users' statuses. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { Emoji } from '../../domain/text/emoji.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import type { UserStatus } from '../../domain/users/user-status.ts'
import { type Decision, done } from '../decision.ts'
import { checkEmoji, EMOJI_ERRORS, type GivenEmoji, resolveEmoji } from '../emoji/choose-emoji.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { changeSettings } from './update-settings.ts'
import { findTargetUser } from './find-users.ts'

/** Changes of a status; undefined keeps the present value. */
export interface StatusChange {
  /** Empty removes it. */
  readonly text: string | undefined
  /** An empty name removes it. */
  readonly emoji: GivenEmoji
}

/** A status for the caller. */
export interface OwnStatusRequest extends StatusChange {
  /** The opposite of the setting `presenceEnabled`, which it changes. */
  readonly isAway: boolean | undefined
}

/** A status for another user. */
export interface StatusRequest extends StatusChange {
  readonly userId: UserId
}

/** How changing one's own status can fail. */
export const OWN_STATUS_ERRORS = [...EMOJI_ERRORS, 'EMOJI_NAME_MISSING', 'STATUS_UNCHANGED'] as const
type StatusScope = Scope<(typeof OWN_STATUS_ERRORS)[number]>

/** Changes the caller's status. */
export function decideOwnStatus(scope: StatusScope, { isAway, ...change }: OwnStatusRequest): Decision<void> {
  const { caller, fail } = scope
  const changes = readStatus(scope, caller.id, change)
  if (isAway === undefined && Object.keys(changes).length === 0) throw fail('STATUS_UNCHANGED')
  const settings = isAway === undefined ? [] : [{ name: 'presenceEnabled', value: !isAway } as const]
  return done([...changeSettings(scope, caller, settings), ...changeUserStatus(scope, caller.id, changes)])
}

/** How changing another user's status can fail. */
export const STATUS_ERRORS = [
  'USER_UNKNOWN',
  'USER_DEACTIVATED',
  'PERMISSION_MISSING',
  ...OWN_STATUS_ERRORS,
] as const

/** Changes another user's status for an administrator. */
export function decideStatus(
  scope: Scope<(typeof STATUS_ERRORS)[number]>,
  { userId, ...change }: StatusRequest,
): Decision<void> {
  const { caller, fail } = scope
  const target = findTargetUser(scope, userId)
  if (!isAdministrator(caller)) throw fail('PERMISSION_MISSING')
  if (!target.isActive) throw fail('USER_DEACTIVATED')
  const changes = readStatus(scope, target.id, change)
  if (Object.keys(changes).length === 0) throw fail('STATUS_UNCHANGED')
  return done(changeUserStatus(scope, target.id, changes))
}

/** The fields that are set, checked. */
function readStatus(
  scope: StatusScope,
  userId: UserId,
  { text, emoji: given }: StatusChange,
): Partial<UserStatus> {
  const { state, fail } = scope
  const { name, code, type } = given
  if (name === undefined && (code !== undefined || type !== undefined)) throw fail('EMOJI_NAME_MISSING')
  const textChange = text === undefined ? {} : { text }
  if (name === undefined) return textChange
  if (name === '') return { ...textChange, emoji: null }
  const emoji = resolveEmoji(scope, given, [])
  // Clients send the present emoji with a new text, though its name may mean another emoji now.
  const isAsBefore =
    emoji.reactionType === 'unicode_emoji' && isSame(emoji, state.userStatuses.get(userId)?.emoji ?? null)
  if (!isAsBefore) checkEmoji(scope, emoji)
  return { ...textChange, emoji }
}

/** Changes the fields of a status that differ from the present one. */
function changeUserStatus(
  scope: Pick<ServerScope, 'state'>,
  userId: UserId,
  wanted: Partial<UserStatus>,
): Fact[] {
  const { text = '', emoji = null } = scope.state.userStatuses.get(userId) ?? {}
  const changes = {
    ...(wanted.text === undefined || wanted.text === text ? {} : { text: wanted.text }),
    ...(wanted.emoji === undefined || isSame(wanted.emoji, emoji) ? {} : { emoji: wanted.emoji }),
  }
  if (Object.keys(changes).length === 0) return []
  return [{ type: 'user_status', userId, changes }]
}

function isSame(a: Emoji | null, b: Emoji | null): boolean {
  return a?.emojiName === b?.emojiName && a?.emojiCode === b?.emojiCode && a?.reactionType === b?.reactionType
}
