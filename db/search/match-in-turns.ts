/** Compares many messages with searches without blocking the process. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { matchSearches, type Search } from '../../server/domain/search/match-search.ts'

/** Characters times words compared in one turn of the event loop: two milliseconds, even with typos in all of them. */
const TURN_COMPARED_MAX = 150_000

/** Like `matchSearches`, with long work spread over several turns. */
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
