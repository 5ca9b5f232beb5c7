/** What a search looks for: the words and phrases of its text. */

import { isOneWord, WORD_LENGTH_MAX } from './search-terms.ts'

/** A word or a phrase; every one of a search must be found. */
export interface SearchWord {
  /** As typed. */
  readonly text: string
  /** Whether it is found with one typo, too. */
  readonly isForgiving: boolean
}

/** Words of one narrow, negated ones included: each is looked for in every message that may match. */
export const SEARCH_WORDS_MAX = 20
/** In shorter words another letter makes another word. */
const FORGIVING_LENGTH_MIN = 5

/** The words of a search, and what stands between quotes as a phrase; empty where there is nothing to look for. */
export function parseSearch(text: string): SearchWord[] {
  const words: SearchWord[] = []
  // Every other piece stood between quotes; a quote that is not closed is passed over.
  const pieces = text.split('"')
  for (const [index, piece] of pieces.entries()) {
    const isPhrase = index % 2 === 1 && index < pieces.length - 1
    if (isPhrase) {
      if (piece.trim() !== '') words.push({ text: piece.trim(), isForgiving: false })
      continue
    }
    for (const word of piece.split(/\s+/)) {
      if (word !== '') words.push({ text: word, isForgiving: isForgiving(word) })
    }
  }
  return words
}

/** Addresses, numbers and the like are not typed but copied; longer runs of letters are no words. */
function isForgiving(word: string): boolean {
  return word.length >= FORGIVING_LENGTH_MIN && word.length <= WORD_LENGTH_MAX && isOneWord(word)
}
