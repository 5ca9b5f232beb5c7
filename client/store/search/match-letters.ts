/** Finds typed letters in names, also with a typo, and says which letters matched. No pattern is made of what was typed. */

import { foldLetter } from './fold-letter.ts'

/** Characters of a name and of a query that are compared. */
const LENGTH_MAX = 100
/** A word with fewer letters may have no typo. */
const TYPO_LENGTH_MIN = 4

/** How well each kind of match fits. */
const SCORES = { start: 100, word: 80, inside: 60, typo: 40, scattered: 20 } as const

export interface LetterMatch {
  readonly score: number
  /** Positions of the matched characters of the name, as code points. */
  readonly marks: ReadonlySet<number>
  /** Whether letters of a word stand apart, as many names have them: it counts where nothing else matches. */
  readonly isScattered: boolean
}

/** The match of all words of a query in a name; undefined if one of them is not in it. */
export function matchLetters(name: string, query: string): LetterMatch | undefined {
  const letters = Array.from(name.slice(0, LENGTH_MAX), foldLetter)
  const marks = new Set<number>()
  let score = 0
  let isScattered = false
  const words = query.slice(0, LENGTH_MAX).split(' ').filter(Boolean)
  for (const word of words) {
    const found = matchWord(letters, Array.from(word, foldLetter))
    if (!found) return undefined
    score += found.score
    isScattered ||= found.score === SCORES.scattered
    for (const at of found.at) marks.add(at)
  }
  // Of two names that match as well, the shorter one is meant.
  return { score: score / Math.max(1, words.length) - letters.length / LENGTH_MAX, marks, isScattered }
}

interface WordMatch {
  readonly score: number
  readonly at: readonly number[]
}

function matchWord(letters: readonly string[], word: readonly string[]): WordMatch | undefined {
  const from = (start: number) => Array.from(word, (_, index) => start + index)
  let inside = -1
  for (let start = 0; start + word.length <= letters.length; start++) {
    if (!word.every((letter, index) => letters[start + index] === letter)) continue
    if (start === 0) return { score: SCORES.start, at: from(0) }
    if (isWordStart(letters, start)) return { score: SCORES.word, at: from(start) }
    if (inside < 0) inside = start
  }
  if (inside >= 0) return { score: SCORES.inside, at: from(inside) }
  return matchWithTypo(letters, word) ?? matchScattered(letters, word)
}

function isWordStart(letters: readonly string[], index: number): boolean {
  const before = letters[index - 1] ?? ' '
  return before.toLowerCase() === before.toUpperCase()
}

/** The start of a word of the name that differs by one letter: another one, one more, one fewer, or two swapped. */
function matchWithTypo(letters: readonly string[], word: readonly string[]): WordMatch | undefined {
  if (word.length < TYPO_LENGTH_MIN) return undefined
  for (let start = 0; start < letters.length; start++) {
    if (start > 0 && !isWordStart(letters, start)) continue
    for (const length of [word.length, word.length + 1, word.length - 1]) {
      const part = letters.slice(start, start + length)
      if (part.length === length && differsByOne(part, word))
        return { score: SCORES.typo, at: part.map((_, index) => start + index) }
    }
  }
  return undefined
}

function differsByOne(one: readonly string[], other: readonly string[]): boolean {
  let begin = 0
  while (begin < one.length && one[begin] === other[begin]) begin++
  // The first letter is rarely wrong, and any name would match without it.
  if (begin === 0) return false
  const rest = (letters: readonly string[], skipped: number) => letters.slice(begin + skipped).join('')
  if (one.length > other.length) return rest(one, 1) === rest(other, 0)
  if (one.length < other.length) return rest(one, 0) === rest(other, 1)
  const isSwap = one[begin] === other[begin + 1] && one[begin + 1] === other[begin]
  return rest(one, 1) === rest(other, 1) || (isSwap && rest(one, 2) === rest(other, 2))
}

/** The letters in their order, the first one at the start of a word. */
function matchScattered(letters: readonly string[], word: readonly string[]): WordMatch | undefined {
  if (word.length < 2) return undefined
  const first = letters.findIndex(
    (letter, index) => letter === word[0] && (index === 0 || isWordStart(letters, index)),
  )
  if (first < 0) return undefined
  const at = [first]
  for (const letter of word.slice(1)) {
    const next = letters.indexOf(letter, (at.at(-1) ?? 0) + 1)
    if (next < 0) return undefined
    at.push(next)
  }
  return { score: SCORES.scattered, at }
}
