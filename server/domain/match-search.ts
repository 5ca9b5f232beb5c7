/** Whether a message is found by searches: the words stand in its topic and content, in any case, or with a typo. */

import { foldCase } from './fold-case.ts'
import type { SearchWord } from './search-query.ts'
import { listWords } from './search-terms.ts'

/** One term of a narrow: all its words must be found, or not all of them. */
export interface Search {
  readonly words: readonly SearchWord[]
  readonly isNegated: boolean
}

/** Whether a message's topic and content are found. */
export type SearchMatcher = (topic: string, content: string) => boolean

/** Makes the comparison of messages with all of some searches. */
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

/** Whether two different words differ in one letter: another, one more, one less, or two neighbours exchanged. */
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
