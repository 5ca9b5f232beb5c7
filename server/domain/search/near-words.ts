/** Describes words within one edit of a word, so that the dictionary finds them through its sort order. */

/** Words of one length between two words, by their order from the front or the back, that match a pattern. */
export interface NearRange {
  readonly isReversed: boolean
  readonly length: number
  /** Reversed if `isReversed`. */
  readonly low: string
  /** The first word after all that begin with `low`. */
  readonly high: string
  /** For SQL's `like`, where `_` stands for any letter. */
  readonly patterns: readonly string[]
}

/** The words with one letter less, or with two letters swapped. */
export function listNearWords(word: string): string[] {
  const without = Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))
  const exchanged = Array.from(
    word.slice(1),
    (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  )
  return [...new Set([...without, ...exchanged])].filter((one) => one !== word)
}

/** Ranges of the words with one letter replaced or added: each of them still contains one half of the word. */
export function listNearRanges(word: string): NearRange[] {
  const half = Math.floor(word.length / 2)
  const replaced = (at: number) => `${word.slice(0, at)}_${word.slice(at + 1)}`
  const inserted = (at: number) => `${word.slice(0, at)}_${word.slice(at)}`
  const positions = Array.from({ length: word.length + 1 }, (_, at) => at)
  const late = positions.filter((at) => at >= half)
  const early = positions.filter((at) => at < half)
  const front = word.slice(0, half)
  const back = Array.from(word.slice(half)).reverse().join('')
  const fromFront = { isReversed: false, low: front, high: successorOf(front) }
  const fromBack = { isReversed: true, low: back, high: successorOf(back) }
  return [
    { ...fromFront, length: word.length, patterns: late.slice(0, -1).map(replaced) },
    { ...fromFront, length: word.length + 1, patterns: late.map(inserted) },
    { ...fromBack, length: word.length, patterns: early.map(replaced) },
    { ...fromBack, length: word.length + 1, patterns: early.map(inserted) },
  ]
}

/** The first text, by code points, after all texts with a prefix. */
export function successorOf(text: string): string {
  const letters = Array.from(text)
  const last = (letters.pop() as string).codePointAt(0) as number
  // Surrogates are not characters.
  const next = last === 0xd7ff ? 0xe000 : Math.min(last + 1, 0x10ffff)
  return letters.join('') + String.fromCodePoint(next)
}
