/** Comparing texts in the database, as far as it does that as the process would: what does not match is not read. */

import { lazy } from '../server/domain/derived.ts'
import { foldCase } from '../server/domain/fold-case.ts'
import type { Search } from '../server/domain/match-search.ts'
import type { Sql } from './connect.ts'

/** Words that are compared, the longest ones. With fewer the rest are empty, so that the statement's text stays the same. */
const WORDS = 3
/** All letters with upper and lower case beyond ASCII; between the ranges are scripts without case. */
const CASED_RANGES = [
  [0x80, 0x2dff],
  [0xa640, 0xabff],
  [0xfb00, 0xffff],
  [0x10000, 0x1ffff],
] as const

/**
 * A condition that every message `m` meets that `searches` find, and few others do; undefined where there is none. Words
 * that may have a typo are left to the process.
 */
export function textFilter(sql: Sql, searches: readonly Search[]) {
  const words = searches
    .filter(({ isNegated }) => !isNegated)
    .flatMap((search) => search.words.filter(({ isForgiving }) => !isForgiving))
    .map(({ text }) => foldCase(text))
    .filter((text) => !text.includes('\0')) // No text of the database has one, nor may a statement.
    .toSorted((a, b) => b.length - a.length)
  if (words.length === 0) return undefined
  const compared = Array.from({ length: WORDS }, (_, index) => words[index] ?? '')
  const [from, to] = listVariants(compared.join(''))
  // Whatever the database's own collation is: ASCII is folded by lower, other letters of the words by name.
  const text = sql`translate(lower((m.topic || ' ' || m.content) collate "C"), ${from}::text, ${to}::text)`
  return compared
    .map((word) => sql`position(${word}::text in ${text}) > 0`)
    .reduce((conditions, one) => sql`${conditions} and ${one}`)
}

/** The characters that fold to a letter of a text, other than upper case of ASCII, and what each of them folds to. */
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
