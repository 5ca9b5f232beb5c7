/** The newest messages with each of some words, found without an index: what exact searches must find. */

/** Notes messages in the order of their ids. */
export class ExpectedHits {
  readonly #found: ReadonlyMap<string, number[]>
  readonly #countMax: number
  /** The words that each word of a message contains or mistypes: most stand in many messages. */
  readonly #matches = new Map<string, readonly string[]>()

  constructor(words: readonly string[], countMax: number) {
    this.#found = new Map(words.map((word) => [word, []]))
    this.#countMax = countMax
  }

  note(id: number, text: string): void {
    const found = new Set<string>()
    for (const other of text.split(/[^\p{L}\p{N}]+/u))
      for (const word of this.#matchesOf(other)) found.add(word)
    for (const word of found) {
      const ids = this.of(word)
      ids.push(id)
      if (ids.length > this.#countMax) ids.shift()
    }
  }

  /** The newest ids, at most as many as a page has. */
  of(word: string): number[] {
    return this.#found.get(word) as number[]
  }

  #matchesOf(other: string): readonly string[] {
    const known = this.#matches.get(other)
    if (known) return known
    const matches = [...this.#found.keys()].filter((word) => isHit(word, other))
    if (other.length <= CACHED_LENGTH_MAX) this.#matches.set(other, matches)
    return matches
  }
}

/** Longer ones are sentences without spaces, each of which stands in one message. */
const CACHED_LENGTH_MAX = 16

/** Also inside other words, and with a typo if the word is long enough. */
function isHit(word: string, other: string): boolean {
  return other.includes(word) || (word.length >= 5 && isMistyped(word, other))
}

function isMistyped(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false
  for (let at = 0; at <= word.length; at++) {
    const [front, back, next] = [word.slice(0, at), word.slice(at), word.slice(at + 1)]
    if (!other.startsWith(front)) return false
    if (other === front + next || other === front + next.slice(0, 1) + back.slice(0, 1) + next.slice(1))
      return true
    const isLonger = other.length === word.length + 1
    if (
      isLonger ? other.slice(at + 1) === back : other.length === word.length && other.slice(at + 1) === next
    )
      return true
  }
  return false
}
