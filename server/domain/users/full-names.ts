/** Rules for the full names of people and bots. */

import { FULL_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'

/** Why a name is invalid, or undefined. Mentions contain names, so names must not break the mention syntax. */
export function findNameFault(name: string): 'too_long' | 'too_short' | 'character' | 'format' | undefined {
  const length = countCodePoints(name)
  if (length > FULL_NAME_LENGTH_MAX) return 'too_long'
  if (length < 2) return 'too_short'
  if (/[\p{C}*`\\<>"@]/u.test(name)) return 'character'
  // A mention adds `|` and the id to tell users with the same name apart.
  return /\|\d+$/.test(name) ? 'format' : undefined
}

/**
 * A valid name for a person whose name comes from elsewhere: without the characters that names must not have. Answers
 * undefined if too little is left.
 */
export function toFullName(text: string): string | undefined {
  const plain = text.replaceAll(/[\p{C}*`\\<>"@]/gu, ' ').replaceAll(/\s+/gu, ' ')
  const name = Array.from(plain)
    .slice(0, FULL_NAME_LENGTH_MAX)
    .join('')
    .replace(/\|\d+$/, '')
    .trim()
  return findNameFault(name) === undefined ? name : undefined
}
