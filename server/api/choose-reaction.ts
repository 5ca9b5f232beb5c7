/** Which emoji a call means: by name alone, by code, or as others gave it the message before. */

import { findEmojiCode, isNameOfEmoji } from '../../workers/pool/emoji/emoji-table.ts'
import { isEmojiCode } from '../domain/emoji.ts'
import { type Reaction, REACTION_TYPES, type ReactionType } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { REACTIONS_PER_MESSAGE_MAX } from '../domain/limits.ts'
import type { Fail } from './errors.ts'
import { EXTRA_EMOJI_NAME } from './names.ts'

/** What a call says of an emoji. */
export interface GivenEmoji {
  readonly name: string | undefined
  readonly code: string | undefined
  /** By its neutral name, if it is one. */
  readonly type: string | undefined
}

type Emoji = Omit<Reaction, 'userId'>

/** What can be wrong with an emoji that is given to a message. */
export const REACTION_ERRORS = [
  'EMOJI_UNKNOWN',
  'EMOJI_NAME_INVALID',
  'EMOJI_CODE_INVALID',
  'EMOJI_TYPE_INVALID',
  'CUSTOM_EMOJI_UNKNOWN',
  'REACTION_EXISTS',
  'TOO_MANY_REACTIONS',
] as const

/** The reaction that a user adds to those that a message has. */
export function chooseReaction(
  { name = '', ...given }: GivenEmoji,
  userId: UserId,
  reactions: readonly Reaction[],
  fail: Fail<(typeof REACTION_ERRORS)[number]>,
): Reaction {
  const type = REACTION_TYPES.find(
    (one) => one === (given.type ?? findEmoji(name)?.reactionType ?? 'unicode_emoji'),
  )
  if (!type) throw fail('EMOJI_TYPE_INVALID')
  const code =
    given.code ??
    reactions.find((one) => one.emojiName === name && one.reactionType === type)?.emojiCode ??
    findEmoji(name)?.emojiCode
  if (code === undefined) throw fail('EMOJI_UNKNOWN', { name })
  const same = reactions.filter((one) => one.emojiCode === code && one.reactionType === type)
  if (same.some((one) => one.userId === userId)) throw fail('REACTION_EXISTS')
  // Who joins others gives what they gave.
  if (same[0]) return { ...same[0], userId }
  checkEmoji({ emojiName: name, emojiCode: code, reactionType: type }, fail)
  const kinds = new Set(reactions.map((one) => `${one.reactionType} ${one.emojiCode}`))
  if (kinds.size >= REACTIONS_PER_MESSAGE_MAX) {
    throw fail('TOO_MANY_REACTIONS', { countMax: REACTIONS_PER_MESSAGE_MAX })
  }
  return { emojiName: name, emojiCode: code, reactionType: type, userId }
}

/** The one of a user's reactions that a call means, which need not name all of it. */
export function findReaction(
  { name, code, type }: GivenEmoji,
  userId: UserId,
  reactions: readonly Reaction[],
  fail: Fail<'EMOJI_MISSING' | 'EMOJI_UNKNOWN' | 'REACTION_MISSING'>,
): Reaction {
  if (name === undefined && code === undefined) throw fail('EMOJI_MISSING')
  const known = name === undefined ? undefined : findEmoji(name)
  const isMeant = (one: Reaction) => {
    if (type !== undefined && one.reactionType !== type) return false
    return code === undefined
      ? one.emojiName === name || one.emojiCode === known?.emojiCode
      : one.emojiCode === code
  }
  const candidates = reactions.filter(isMeant)
  const own = candidates.find((one) => one.userId === userId)
  if (own) return own
  if (code === undefined && !known && candidates.length === 0)
    throw fail('EMOJI_UNKNOWN', { name: name ?? '' })
  throw fail('REACTION_MISSING')
}

/** The emoji that a name means by itself. */
function findEmoji(name: string): { emojiCode: string; reactionType: ReactionType } | undefined {
  if (name === EXTRA_EMOJI_NAME) return { emojiCode: name, reactionType: 'service_extra_emoji' }
  const emojiCode = findEmojiCode(name)
  return emojiCode === undefined ? undefined : { emojiCode, reactionType: 'unicode_emoji' }
}

function checkEmoji(
  { emojiName, emojiCode, reactionType }: Emoji,
  fail: Fail<'EMOJI_NAME_INVALID' | 'EMOJI_CODE_INVALID' | 'CUSTOM_EMOJI_UNKNOWN'>,
): void {
  switch (reactionType) {
    case 'realm_emoji':
      throw fail('CUSTOM_EMOJI_UNKNOWN') // The organization has none of its own yet.
    case 'service_extra_emoji':
      if (emojiCode !== EXTRA_EMOJI_NAME) throw fail('EMOJI_CODE_INVALID')
      if (emojiName !== EXTRA_EMOJI_NAME) throw fail('EMOJI_NAME_INVALID')
      return
    case 'unicode_emoji':
      if (!isEmojiCode(emojiCode)) throw fail('EMOJI_CODE_INVALID')
      if (!isNameOfEmoji(emojiName, emojiCode)) throw fail('EMOJI_NAME_INVALID')
  }
}
