/** What a channel may be called, as failures of a request. */

import { findChannelNameProblem } from '../../domain/channel-names.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../domain/limits.ts'
import type { Fail } from '../../errors/api-error.ts'

/** The failures of a channel's name, for the operations that take one. */
export const CHANNEL_NAME_ERRORS = [
  'CHANNEL_NAME_EMPTY',
  'CHANNEL_NAME_TOO_LONG',
  'CHANNEL_NAME_CHARACTER',
] as const

/** Throws where a trimmed name cannot be a channel's. */
export function checkChannelName(name: string, fail: Fail<(typeof CHANNEL_NAME_ERRORS)[number]>): void {
  const problem = findChannelNameProblem(name)
  if (problem?.kind === 'empty') throw fail('CHANNEL_NAME_EMPTY')
  if (problem?.kind === 'too_long')
    throw fail('CHANNEL_NAME_TOO_LONG', { lengthMax: CHANNEL_NAME_LENGTH_MAX })
  if (problem) throw fail('CHANNEL_NAME_CHARACTER', { position: problem.position })
}
