/** Matches a message with searches: the words occur in its topic or content, in any case or with one typo. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { SearchWord } from './search-query.ts'
import { listWords } from './search-terms.ts'

/** One search term of a narrow: all its words must occur, or, if negated, not all of them. */
export interface Search {
  readonly words: readonly SearchWord[]
  readonly isNegated: boolean
}

/** Whether a message's topic and content match. */
export type SearchMatcher = (topic: string, content: string) => boolean

/** Compiles a matcher for messages that all of the searches must find. */
export function matchSearches(searches: readonly Search[]): SearchMatcher {
  const folded = searches.map(({ words, isNegated }) => ({
    isNegated,
    words: words.map(({ text, isForgiving }) => ({ text: foldCase(text), isForgiving })),
  }))
  if (folded.length === 0) return () => true
  return (topic, content) => {
    const text = foldCase(`${topic} ${content}`)
    let others: readonly string[] | undefined
    const isFound = (word: SearchWord) => {
      if (text.includes(word.text)) return true
      if (!word.isForgiving) return false
      others ??= listWords(text).map((one) => one.word)
      return others.some((other) => isOneEditApart(word.text, other))
    }
    return folded.every(({ words, isNegated }) => words.every(isFound) !== isNegated)
  }
}

/** Whether two different words differ in one letter: replaced, added, removed, or two neighbours swapped. */
export function isOneEditApart(word: string, other: string): boolean {
  const difference = word.length - other.length
  if (Math.abs(difference) > 1) return false
  const shorter = Math.min(word.length, other.length)
  let start = 0
  while (start < shorter && word[start] === other[start]) start++
  const rest = (text: string, from: number) => text.slice(start + from)
  if (difference === 1) return rest(word, 1) === rest(other, 0)
  if (difference === -1) return rest(word, 0) === rest(other, 1)
  if (rest(word, 1) === rest(other, 1)) return true
  const isExchanged = word[start] === other[start + 1] && word[start + 1] === other[start]
  return isExchanged && rest(word, 2) === rest(other, 2)
}
