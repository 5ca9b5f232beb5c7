/** Parses a search: the words and phrases of its text. */

import { isOneWord, WORD_LENGTH_MAX } from './search-terms.ts'

/** A word or phrase; a message must contain every one of a search. */
export interface SearchWord {
  /** As typed. */
  readonly text: string
  /** Whether a match may have one typo. */
  readonly isForgiving: boolean
}

/** Words in one narrow, negated ones included: each is compared with every candidate message. */
export const SEARCH_WORDS_MAX = 20
/** In shorter words, a different letter makes a different word. */
const FORGIVING_LENGTH_MIN = 5

/** The words of a search, with quoted text as phrases; empty if there are none. */
export function parseSearch(text: string): SearchWord[] {
  const words: SearchWord[] = []
  // Every other piece is quoted; an unclosed quote is ignored.
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

/** People copy addresses and numbers instead of typing them; very long runs of letters are not words. */
function isForgiving(word: string): boolean {
  return word.length >= FORGIVING_LENGTH_MIN && word.length <= WORD_LENGTH_MAX && isOneWord(word)
}
