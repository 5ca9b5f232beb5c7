/** Where in a text the words of a search are, much as the database finds them. */

import { foldCase } from './fold-case.ts'
import type { SearchWord } from './search-query.ts'

/** A piece of a text, by its first index and the one after it. */
type Range = readonly [from: number, until: number]

/** Marks in one text: a word of one letter may be anywhere. */
const MATCHES_MAX = 200
/** Of a word's trigrams, how many must be in another for it to be taken for the same: the database's own threshold. */
const SIMILARITY_MIN = 0.6

/** The matches, in order, none over another; at most `MATCHES_MAX`. */
export function findMatches(text: string, words: readonly SearchWord[]): Range[] {
  const folded = foldCase(text)
  // Another length would shift every place behind it; no such letter is common.
  if (folded.length !== text.length) return []
  const found = words.flatMap((word) => findWord(folded, word))
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

function findWord(folded: string, { text, isForgiving }: SearchWord): Range[] {
  const word = foldCase(text)
  const exact: Range[] = []
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
    exact.push([at, at + word.length])
    if (exact.length === MATCHES_MAX) break
  }
  if (!isForgiving || exact.length > 0) return exact
  return [...folded.matchAll(/\p{L}+/gu)]
    .filter(([other]) => isNear(word, other))
    .slice(0, MATCHES_MAX)
    .map(({ 0: other, index }) => [index, index + other.length])
}

/** Whether a word of a text is the one searched for but for a typo. */
function isNear(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 2) return false
  if (word.length === other.length) {
    const differing = Array.from({ length: word.length }, (_, index) => index).filter(
      (index) => word[index] !== other[index],
    )
    const [one = 0, next = 0] = differing
    if (differing.length === 1) return true
    if (differing.length === 2 && word[one] === other[next] && word[next] === other[one]) return true
  }
  const wanted = trigrams(word)
  const found = new Set(trigrams(other))
  return wanted.filter((one) => found.has(one)).length >= SIMILARITY_MIN * wanted.length
}

function trigrams(word: string): string[] {
  const padded = `  ${word} `
  return Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3))
}
