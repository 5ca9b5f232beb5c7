/** The emoji that a call means: by name alone, or by code. */

import { findEmojiCode, isNameOfEmoji } from '../../../workers/pool/emoji/emoji-table.ts'
import { type CustomEmoji, findCustomEmoji } from '../../domain/organization/custom-emoji.ts'
import { type Emoji, isEmojiCode } from '../../domain/text/emoji.ts'
import { REACTION_TYPES, type ReactionType } from '../../domain/entities.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import { EXTRA_EMOJI_NAME } from '../../views/names.ts'
import type { Scope } from '../scope.ts'

type EmojiScope<Names extends ErrorName> = Pick<Scope<Names>, 'state' | 'fail'>

/** An emoji, as the request has it. */
export interface GivenEmoji {
  readonly name: string | undefined
  readonly code: string | undefined
  /** By its neutral name, if it is one. */
  readonly type: string | undefined
}

/** How an emoji can be refused. */
export const EMOJI_ERRORS = [
  'EMOJI_UNKNOWN',
  'EMOJI_NAME_INVALID',
  'EMOJI_CODE_INVALID',
  'EMOJI_TYPE_INVALID',
  'CUSTOM_EMOJI_UNKNOWN',
  'CUSTOM_EMOJI_NAME_WRONG',
  'CUSTOM_EMOJI_DEACTIVATED',
] as const

/** The emoji of a request. Missing parts come from a present reaction, or from the name. */
export function resolveEmoji(
  { state, fail }: EmojiScope<'EMOJI_TYPE_INVALID' | 'EMOJI_UNKNOWN'>,
  { name = '', ...given }: GivenEmoji,
  present: readonly Emoji[],
): Emoji {
  const named = findEmoji(name, state.emoji)
  const type = REACTION_TYPES.find((one) => one === (given.type ?? named?.reactionType ?? 'unicode_emoji'))
  if (!type) throw fail('EMOJI_TYPE_INVALID')
  const code =
    given.code ??
    present.find((one) => one.emojiName === name && one.reactionType === type)?.emojiCode ??
    named?.emojiCode
  if (code === undefined) throw fail('EMOJI_UNKNOWN', { name })
  return { emojiName: name, emojiCode: code, reactionType: type }
}

/** The emoji that a name means by itself: the organization's own goes before all others. */
export function findEmoji(
  name: string,
  custom: readonly CustomEmoji[],
): { emojiCode: string; reactionType: ReactionType } | undefined {
  const own = findCustomEmoji(custom, name)
  if (own) return { emojiCode: String(own.id), reactionType: 'realm_emoji' }
  if (name === EXTRA_EMOJI_NAME) return { emojiCode: name, reactionType: 'service_extra_emoji' }
  const emojiCode = findEmojiCode(name)
  return emojiCode === undefined ? undefined : { emojiCode, reactionType: 'unicode_emoji' }
}

/** Throws unless there is such an emoji. */
export function checkEmoji(
  { state, fail }: EmojiScope<(typeof EMOJI_ERRORS)[number]>,
  { emojiName, emojiCode, reactionType }: Emoji,
): void {
  switch (reactionType) {
    case 'realm_emoji': {
      const own = state.emoji.find(({ id }) => String(id) === emojiCode)
      if (!own) throw fail('CUSTOM_EMOJI_UNKNOWN')
      if (own.name !== emojiName) throw fail('CUSTOM_EMOJI_NAME_WRONG')
      if (own.isDeactivated) throw fail('CUSTOM_EMOJI_DEACTIVATED')
      return
    }
    case 'service_extra_emoji':
      if (emojiCode !== EXTRA_EMOJI_NAME) throw fail('EMOJI_CODE_INVALID')
      if (emojiName !== EXTRA_EMOJI_NAME) throw fail('EMOJI_NAME_INVALID')
      return
    case 'unicode_emoji':
      if (!isEmojiCode(emojiCode)) throw fail('EMOJI_CODE_INVALID')
      if (!isNameOfEmoji(emojiName, emojiCode)) throw fail('EMOJI_NAME_INVALID')
  }
}
