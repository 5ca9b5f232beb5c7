/** What people and bots may be called. */

import { countCodePoints, FULL_NAME_LENGTH_MAX } from './limits.ts'

/** What is wrong with a name; mentions name users within their own syntax, so that it must stay readable. */
export function findNameFault(name: string): 'too_long' | 'too_short' | 'character' | 'format' | undefined {
  const length = countCodePoints(name)
  if (length > FULL_NAME_LENGTH_MAX) return 'too_long'
  if (length < 2) return 'too_short'
  if (/[\p{C}*`\\<>"@]/u.test(name)) return 'character'
  // A mention tells people of one name apart by `|` and the id.
  return /\|\d+$/.test(name) ? 'format' : undefined
}
