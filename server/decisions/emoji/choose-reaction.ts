/** The reaction that a call means: one that it adds, or one that it takes back. */

import type { Reaction } from '../../domain/entities.ts'
import { REACTIONS_PER_MESSAGE_MAX } from '../../domain/limits.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import type { Scope } from '../scope.ts'
import { checkEmoji, EMOJI_ERRORS, findEmoji, type GivenEmoji, resolveEmoji } from './choose-emoji.ts'

/** How a reaction can be refused. */
export const REACTION_ERRORS = [...EMOJI_ERRORS, 'REACTION_EXISTS', 'TOO_MANY_REACTIONS'] as const

/** How taking a reaction back can fail. */
export const REACTION_REMOVAL_ERRORS = ['EMOJI_MISSING', 'EMOJI_UNKNOWN', 'REACTION_MISSING'] as const

type ReactingScope<Names extends ErrorName> = Pick<Scope<Names>, 'state' | 'caller' | 'fail'>

/** The reaction that the caller adds to the reactions of a message. */
export function chooseReaction(
  scope: ReactingScope<(typeof REACTION_ERRORS)[number]>,
  given: GivenEmoji,
  reactions: readonly Reaction[],
): Reaction {
  const { caller, fail } = scope
  const userId = caller.id
  const emoji = resolveEmoji(scope, given, reactions)
  const same = reactions.filter(
    (one) => one.emojiCode === emoji.emojiCode && one.reactionType === emoji.reactionType,
  )
  if (same.some((one) => one.userId === userId)) throw fail('REACTION_EXISTS')
  // A user who joins a reaction gives the same one.
  if (same[0]) return { ...same[0], userId }
  checkEmoji(scope, emoji)
  const kinds = new Set(reactions.map((one) => `${one.reactionType} ${one.emojiCode}`))
  if (kinds.size >= REACTIONS_PER_MESSAGE_MAX) {
    throw fail('TOO_MANY_REACTIONS', { countMax: REACTIONS_PER_MESSAGE_MAX })
  }
  return { ...emoji, userId }
}

/** The caller's reaction that the request matches; it need not name all of its parts. */
export function findReaction(
  { state: { emoji: custom }, caller, fail }: ReactingScope<(typeof REACTION_REMOVAL_ERRORS)[number]>,
  { name, code, type }: GivenEmoji,
  reactions: readonly Reaction[],
): Reaction {
  if (name === undefined && code === undefined) throw fail('EMOJI_MISSING')
  const known = name === undefined ? undefined : findEmoji(name, custom)
  const isMeant = (one: Reaction) => {
    if (type !== undefined && one.reactionType !== type) return false
    return code === undefined
      ? one.emojiName === name ||
          (one.emojiCode === known?.emojiCode && one.reactionType === known.reactionType)
      : one.emojiCode === code
  }
  const candidates = reactions.filter(isMeant)
  const own = candidates.find((one) => one.userId === caller.id)
  if (own) return own
  if (code === undefined && !known && candidates.length === 0)
    throw fail('EMOJI_UNKNOWN', { name: name ?? '' })
  throw fail('REACTION_MISSING')
}
