/** The terms that the search index stores for a text, and those that a search looks up. */

import { foldCase } from '../../../packages/rules/fold-case.ts'

/** Longer runs of letters are not words: the index stores overlapping pieces of them, so their inside can be found. */
export const WORD_LENGTH_MAX = 40
/** One piece contains any `WORD_LENGTH_MAX` consecutive letters. */
const PIECE_LENGTH = 2 * WORD_LENGTH_MAX
/** Words and pairs that a search looks up in the index; the rest of a long phrase is compared with the candidates. */
const TERMS_PER_WORD_MAX = 8

/** Scripts without spaces between words, or with particles joined to them. */
const UNSPACED = ['Han', 'Hira', 'Kana', 'Hang', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt', 'Yiii']
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const LETTER = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]`
/**
 * Runs of letters and digits in scripts that separate words by spaces, and runs of everything else: other scripts,
 * signs and emoji, which are looked up by single characters and pairs.
 */
const RUN = new RegExp(`(${LETTER}+)|(?:(?!${LETTER})\\S)+`, 'gv')

/** Words in ASCII, which is most text: several times faster. */
const ASCII_WORD = /[0-9A-Za-z]+/g
const ASCII = /^[\0-\x7f]*$/

/** Above all word ids; characters and pairs stay below 2^53. */
const CHARACTERS_FROM = 2 ** 46
const CODE_POINTS = 2 ** 21

/** The distinct terms of one text. */
export interface TextTerms {
  readonly words: ReadonlySet<string>
  /** Characters and pairs as numbers. */
  readonly characters: ReadonlySet<number>
}

/** A word as a search looks it up in the dictionary. */
export interface WordProbe {
  readonly text: string
  /** Whether the word may begin before the text, or end after it. */
  readonly isStartOpen: boolean
  readonly isEndOpen: boolean
}

/** Terms that a message must contain to match a text. Some messages that contain them do not match. */
export interface QueryTerms {
  readonly words: readonly WordProbe[]
  readonly characters: readonly number[]
}

/** The terms of a case-folded text. */
export function listTerms(folded: string): TextTerms {
  const words = new Set<string>()
  const characters = new Set<number>()
  for (const [run, word] of folded.matchAll(RUN)) {
    if (word === undefined) for (const term of characterTerms(run)) characters.add(term)
    else for (const piece of piecesOf(word)) words.add(piece)
  }
  return { words, characters }
}

/** The words of a case-folded text with their positions, for matching with typos. */
export function listWords(folded: string): { readonly word: string; readonly index: number }[] {
  const words: { word: string; index: number }[] = []
  if (ASCII.test(folded)) {
    for (const match of folded.matchAll(ASCII_WORD)) words.push({ word: match[0], index: match.index })
    return words
  }
  for (const match of folded.matchAll(RUN)) {
    if (match[1] !== undefined) words.push({ word: match[1], index: match.index })
  }
  return words
}

/** The terms of a word or phrase; only the most selective ones if it has many. */
export function listQueryTerms(text: string): QueryTerms {
  const folded = foldCase(text)
  const words: WordProbe[] = []
  const characters = new Set<number>()
  for (const { 0: run, 1: word, index } of folded.matchAll(RUN)) {
    if (word !== undefined) words.push(...probesOf(word, index === 0, index + run.length === folded.length))
    else {
      const codes = Array.from(run, (one) => one.codePointAt(0) as number)
      if (codes.length === 1) characters.add(characterTerm(codes[0] as number))
      for (let at = 1; at < codes.length; at++)
        characters.add(characterTerm(codes[at - 1] as number, codes[at]))
    }
  }
  const longest = words.toSorted((a, b) => b.text.length - a.text.length)
  return {
    words: longest.slice(0, TERMS_PER_WORD_MAX),
    characters: [...characters].slice(0, TERMS_PER_WORD_MAX),
  }
}

/**
 * Whether a text is a single word of letters only, in a script with spaces between words, without letters beyond 16
 * bits.
 */
export function isOneWord(text: string): boolean {
  const [run] = text.matchAll(RUN)
  return run?.[1] === text && /^\p{L}+$/u.test(text) && !/[\ud800-\udfff]/.test(text)
}

/** The term that every message of a channel, conversation or sender has. */
export function placeTerm(kind: 'channel' | 'conversation' | 'sender', id: number): number {
  return -(3 * id + ['channel', 'conversation', 'sender'].indexOf(kind))
}

function characterTerm(first: number, second = 0): number {
  return CHARACTERS_FROM + first * CODE_POINTS + second
}

function* characterTerms(run: string): Generator<number> {
  let before: number | undefined
  for (const one of run) {
    const code = one.codePointAt(0) as number
    yield characterTerm(code)
    if (before !== undefined) yield characterTerm(before, code)
    before = code
  }
}

function piecesOf(word: string): string[] {
  if (word.length <= WORD_LENGTH_MAX) return [word]
  const letters = Array.from(word)
  const pieces: string[] = []
  for (let start = 0; ; start += WORD_LENGTH_MAX) {
    pieces.push(letters.slice(start, start + PIECE_LENGTH).join(''))
    if (start + PIECE_LENGTH >= letters.length) return pieces
  }
}

/** A long run is looked up by both of its ends, each short enough to be within one piece. */
function probesOf(word: string, isStartOpen: boolean, isEndOpen: boolean): WordProbe[] {
  const letters = Array.from(word)
  if (letters.length <= WORD_LENGTH_MAX) return [{ text: word, isStartOpen, isEndOpen }]
  return [
    { text: letters.slice(0, WORD_LENGTH_MAX).join(''), isStartOpen, isEndOpen: true },
    { text: letters.slice(-WORD_LENGTH_MAX).join(''), isStartOpen: true, isEndOpen },
  ]
}
