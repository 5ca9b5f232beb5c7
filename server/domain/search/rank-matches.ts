/** How well a message fits a search: the kinds of its matches, and their places. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { Search } from './match-search.ts'

/** A word of the search is a word of the message, begins one, lies inside one, or differs from one by a typo. */
const WHOLE = 4
const BEGINNING = 2
const INSIDE = 1
const TYPO = 0.5
/** A topic is a few words that somebody chose for what the conversation is about. */
const TOPIC_FACTOR = 2
/** The words stand together as they were typed. */
const TOGETHER = 3
/** Further occurrences say little more. */
const OCCURRENCES_MAX = 5
const FURTHER = 0.25
/** Characters of a text of which a match says half as much as of a very short one. */
const LENGTH_HALF = 1_000

const IN_WORD = /[\p{L}\p{N}\p{M}]/u

/** Scores a message that matches: the higher, the better. Negated searches say nothing about fit. */
export function scoreMatches(searches: readonly Search[]): (topic: string, content: string) => number {
  const typed = searches
    .filter(({ isNegated }) => !isNegated)
    .map(({ words }) => words.map(({ text }) => foldCase(text)))
  const words = typed.flat()
  const phrases = typed.filter((one) => one.length > 1).map((one) => one.join(' '))
  return (topic, content) => {
    const [foldedTopic, foldedContent] = [foldCase(topic), foldCase(content)]
    let score = 0
    for (const word of words) {
      const found = Math.max(TOPIC_FACTOR * scoreWord(foldedTopic, word), scoreWord(foldedContent, word))
      score += found === 0 ? TYPO : found
    }
    for (const phrase of phrases)
      if (foldedTopic.includes(phrase) || foldedContent.includes(phrase)) score += TOGETHER
    return score / (1 + content.length / LENGTH_HALF)
  }
}

/** 0 if the text does not have the word. */
function scoreWord(text: string, word: string): number {
  let best = 0
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < OCCURRENCES_MAX; at = text.indexOf(word, at + 1)) {
    count++
    const isBegun = !isInWord(text, at - 1)
    const isEnded = !isInWord(text, at + word.length)
    best = Math.max(best, isBegun ? (isEnded ? WHOLE : BEGINNING) : INSIDE)
  }
  return count === 0 ? 0 : best + FURTHER * (count - 1)
}

function isInWord(text: string, at: number): boolean {
  return IN_WORD.test(text.charAt(at))
}
