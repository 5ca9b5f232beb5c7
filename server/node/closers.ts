/** The parts of a node that must be closed, in reverse of the order in which they were opened. */

/** Seconds that statements under way have when a node closes. */
const STATEMENT_SECONDS_MAX = 5

/** Closes one part; pools of connections give the statements under way that many seconds. */
export type Close = (statementSecondsMax: number) => unknown

/** A stack of parts to close. */
export class Closers {
  readonly #stack: Close[] = []

  push(close: Close): void {
    this.#stack.push(close)
  }

  /** Closes all, the last one first, also if one fails; rejects with the first failure. */
  async closeAll(statementSecondsMax = STATEMENT_SECONDS_MAX): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#stack.splice(0).reverse()) {
      try {
        await close(statementSecondsMax)
      } catch (error) {
        failures.push(error) // The others must still close.
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
