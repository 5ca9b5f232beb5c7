/** Changes of the organization's own emoji. */

import { findEmojiCode } from '../../../workers/pool/emoji/emoji-table.ts'
import { canAddEmoji } from '../../../packages/rules/accounts.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import {
  type CustomEmoji,
  findCustomEmoji,
  findEmojiNameFault,
  normalizeEmojiName,
} from '../../domain/organization/custom-emoji.ts'
import { EXTRA_EMOJI_NAME } from '../../views/names.ts'
import { checkShare } from '../check-share.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** How adding an emoji can fail. */
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

/** The name of a new emoji, if it is valid. */
export function checkEmojiName(
  { fail }: Pick<Scope<(typeof NAME_FAULTS)[keyof typeof NAME_FAULTS]>, 'fail'>,
  given: string,
): string {
  const name = normalizeEmojiName(given)
  const fault = findEmojiNameFault(name)
  if (fault) throw fail(NAME_FAULTS[fault])
  return name
}

/** Throws unless the caller may add an emoji of that name. */
export function checkNewEmoji(
  scope: Pick<
    Scope<'PERMISSION_MISSING' | 'NEW_EMOJI_NAME_TAKEN' | 'NEW_EMOJI_OVERRIDES' | 'SHARE_SPENT'>,
    'state' | 'caller' | 'fail'
  >,
  name: string,
): void {
  const { state, caller, fail } = scope
  if (!canAddEmoji(caller, state)) throw fail('PERMISSION_MISSING')
  if (findCustomEmoji(state.emoji, name)) throw fail('NEW_EMOJI_NAME_TAKEN')
  const isOverriding = name === EXTRA_EMOJI_NAME || findEmojiCode(name) !== undefined
  if (isOverriding && !isAdministrator(caller)) throw fail('NEW_EMOJI_OVERRIDES')
  checkShare(scope, 'emoji', 1)
}

/** Adds an emoji of a name that `checkEmojiName` answered. */
export function decideNewEmoji(
  scope: Scope<(typeof NEW_EMOJI_ERRORS)[number]>,
  { name, pictureId, isAnimated }: Pick<CustomEmoji, 'name' | 'pictureId' | 'isAnimated'>,
): Decision<void> {
  checkNewEmoji(scope, name)
  const { nextEmojiId: id } = scope.state
  const emoji = { id, name, authorId: scope.caller.id, pictureId, isAnimated, isDeactivated: false }
  return done([{ type: 'realm_emoji/update', emoji }])
}

/** How deactivating an emoji can fail. */
export const DEACTIVATE_EMOJI_ERRORS = ['EMOJI_UNKNOWN', 'EMOJI_OF_OTHERS'] as const

/** Deactivates an emoji: earlier uses still show it, and its name is free again. */
export function decideEmojiDeactivation(
  scope: Scope<(typeof DEACTIVATE_EMOJI_ERRORS)[number]>,
  { name }: Pick<CustomEmoji, 'name'>,
): Decision<void> {
  const { state, caller, fail } = scope
  const emoji = findCustomEmoji(state.emoji, name)
  if (!emoji) throw fail('EMOJI_UNKNOWN', { name })
  if (emoji.authorId !== caller.id && !isAdministrator(caller)) throw fail('EMOJI_OF_OTHERS')
  return done([{ type: 'realm_emoji/update', emoji: { ...emoji, isDeactivated: true } }])
}
