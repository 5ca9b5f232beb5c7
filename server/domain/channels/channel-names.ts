/** Rules for channel names. */

import { CHANNEL_NAME_LENGTH_MAX } from '../limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'

/** Why a channel name is invalid. */
export type ChannelNameProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too_long' }
  /** Counted from 1, in code points. */
  | { readonly kind: 'character'; readonly position: number }

/** The problem with a name, if there is one. */
export function findChannelNameProblem(name: string): ChannelNameProblem | undefined {
  if (name === '') return { kind: 'empty' }
  if (countCodePoints(name) > CHANNEL_NAME_LENGTH_MAX) return { kind: 'too_long' }
  // Control characters, surrogates and unassigned code points cannot be seen, so names could be forged with them.
  const position = Array.from(name).findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character))
  return position < 0 ? undefined : { kind: 'character', position: position + 1 }
}
