/** Counts messages that arrive at many listeners, by the mark that each has in its text. */

/** The marks in a piece of what a listener received. */
const MARK = /mark(\d+)\./g
/** A mark is shorter; so much of a piece may be the beginning of one. */
const TAIL_LENGTH = 16

/** The arrivals of one turn. */
export class Arrivals {
  readonly #listeners: number
  readonly #counts = new Map<number, { count: number; lastMs: number }>()
  readonly #tails: string[]
  /** For which marks not all listeners are counted yet. */
  #total = 0

  constructor(listeners: number) {
    this.#listeners = listeners
    this.#tails = Array.from({ length: listeners }, () => '')
  }

  take(listener: number, piece: string): void {
    const nowMs = performance.now()
    const text = (this.#tails[listener] as string) + piece
    let end = 0
    MARK.lastIndex = 0
    for (let found = MARK.exec(text); found; found = MARK.exec(text)) {
      end = MARK.lastIndex
      const mark = Number(found[1])
      const seen = this.#counts.get(mark) ?? { count: 0, lastMs: 0 }
      this.#counts.set(mark, { count: seen.count + 1, lastMs: nowMs })
      this.#total++
    }
    this.#tails[listener] = text.slice(Math.max(end, text.length - TAIL_LENGTH))
  }

  hasAll(messages: number): boolean {
    return this.#total >= messages * this.#listeners
  }

  /** When each message had reached all; throws if one did not reach each listener exactly once. */
  lastMs(marks: readonly number[]): number[] {
    const wrong = marks.filter((mark) => this.#counts.get(mark)?.count !== this.#listeners)
    if (wrong.length > 0 || this.#counts.size !== marks.length)
      throw new Error(
        `${wrong.length} of ${marks.length} messages did not reach ${this.#listeners} listeners once each`,
      )
    return marks.map((mark) => (this.#counts.get(mark) as { lastMs: number }).lastMs)
  }
}
