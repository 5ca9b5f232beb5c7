/** Finds where the words of a search occur in a text, by the same rules as the search. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import { isOneEditApart } from './match-search.ts'
import type { SearchWord } from './search-query.ts'
import { listWords } from './search-terms.ts'

/** A range of a text: its first index, and the index after its last. */
type Range = readonly [from: number, until: number]

/** Highlights in one text: a word of one letter may occur everywhere. */
const MATCHES_MAX = 200
/** The matches in order, without overlaps; at most `MATCHES_MAX`. */
export function findMatches(text: string, words: readonly SearchWord[]): Range[] {
  const folded = foldCase(text)
  // A different length would shift every later position; such letters are rare.
  if (folded.length !== text.length) return []
  let others: ReturnType<typeof listWords> | undefined
  const found = words.flatMap((word) => findWord(folded, word, () => (others ??= listWords(folded))))
  const separate: Range[] = []
  let end = 0
  for (const [from, until] of found.toSorted(([a], [b]) => a - b)) {
    if (separate.length === MATCHES_MAX) break
    if (until <= end) continue
    separate.push([Math.max(from, end), until])
    end = until
  }
  return separate
}

function findWord(
  folded: string,
  { text, isForgiving }: SearchWord,
  listOthers: () => ReturnType<typeof listWords>,
): Range[] {
  const word = foldCase(text)
  const exact: Range[] = []
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
    exact.push([at, at + word.length])
    if (exact.length === MATCHES_MAX) break
  }
  if (!isForgiving || exact.length > 0) return exact
  return listOthers()
    .filter((other) => isOneEditApart(word, other.word))
    .slice(0, MATCHES_MAX)
    .map((other) => [other.index, other.index + other.word.length])
}
