/** The names that a channel may have. */

import { findChannelNameProblem } from '../../domain/channels/channel-names.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../domain/limits.ts'
import type { Scope } from '../scope.ts'

/** How a name for a channel can be wrong. */
export const CHANNEL_NAME_ERRORS = [
  'CHANNEL_NAME_EMPTY',
  'CHANNEL_NAME_TOO_LONG',
  'CHANNEL_NAME_CHARACTER',
] as const

/** Throws if a trimmed name is not valid for a channel. */
export function checkChannelName(
  { fail }: Pick<Scope<(typeof CHANNEL_NAME_ERRORS)[number]>, 'fail'>,
  name: string,
): void {
  const problem = findChannelNameProblem(name)
  if (problem?.kind === 'empty') throw fail('CHANNEL_NAME_EMPTY')
  if (problem?.kind === 'too_long')
    throw fail('CHANNEL_NAME_TOO_LONG', { lengthMax: CHANNEL_NAME_LENGTH_MAX })
  if (problem) throw fail('CHANNEL_NAME_CHARACTER', { position: problem.position })
}
