/** Comparing many messages with searches without holding up everything else that the process does. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { matchSearches, type Search } from '../server/domain/match-search.ts'

/** Characters times words that are compared in one turn of the process: two milliseconds, with typos in all of them. */
const TURN_COMPARED_MAX = 150_000

/** As `matchSearches`; what takes long is answered in a later turn. */
export function matchInTurns(
  searches: readonly Search[],
): (topic: string, content: string) => boolean | Promise<boolean> {
  const matches = matchSearches(searches)
  const wordCount = searches.reduce((sum, { words }) => sum + words.length, 1)
  let compared = 0
  return (topic, content) => {
    compared += (topic.length + content.length) * wordCount
    if (compared < TURN_COMPARED_MAX) return matches(topic, content)
    compared = 0
    return nextTurn().then(() => matches(topic, content))
  }
}
