/** Compares texts in the database by the rules of the process, so that messages without a match are not read. */

import { lazy } from '../../server/domain/messages/derived.ts'
import { foldCase } from '../../packages/rules/fold-case.ts'
import type { Search } from '../../server/domain/search/match-search.ts'
import type { Sql } from '../connection/connect.ts'

/** Compared words, the longest ones. Unused slots are empty, so the statement's text stays the same. */
const WORDS = 3
/** All letters with upper and lower case beyond ASCII; between the ranges are scripts without case. */
const CASED_RANGES = [
  [0x80, 0x2dff],
  [0xa640, 0xabff],
  [0xfb00, 0xffff],
  [0x10000, 0x1ffff],
] as const

/**
 * A condition that all messages `m` that match `searches` meet, and few others; undefined for none. The process
 * compares words that may have a typo.
 */
export function textFilter(sql: Sql, searches: readonly Search[]) {
  const words = searches
    .filter(({ isNegated }) => !isNegated)
    .flatMap((search) => search.words.filter(({ isForgiving }) => !isForgiving))
    .map(({ text }) => foldCase(text))
    .filter((text) => !text.includes('\0')) // Texts in the database have no NUL, and statements must not.
    .toSorted((a, b) => b.length - a.length)
  if (words.length === 0) return undefined
  const compared = Array.from({ length: WORDS }, (_, index) => words[index] ?? '')
  const [from, to] = listVariants(compared.join(''))
  // Independent of the database's collation: `lower` folds ASCII, and `translate` the other letters of the words.
  const text = sql`translate(lower((m.topic || ' ' || m.content) collate "C"), ${from}::text, ${to}::text)`
  return compared
    .map((word) => sql`position(${word}::text in ${text}) > 0`)
    .reduce((conditions, one) => sql`${conditions} and ${one}`)
}

/** The characters that fold to a letter of a text, except upper-case ASCII, with their folded forms. */
function listVariants(text: string): [from: string, to: string] {
  let [from, to] = ['', '']
  for (const letter of new Set(text)) {
    for (const variant of caseVariants().get(letter) ?? []) {
      from += variant
      to += letter
    }
  }
  return [from, to]
}

const caseVariants = lazy((): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  for (const [first, last] of CASED_RANGES) {
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code)
      const folded = foldCase(letter)
      if (folded === letter) continue
      const others = found.get(folded)
      if (others) others.push(letter)
      else found.set(folded, [letter])
    }
  }
  return found
})
