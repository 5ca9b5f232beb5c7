/** The parts of a node that must be closed, in reverse of the order in which they were opened. */

/** Closes one part. */
export type Close = () => unknown

/** A stack of parts to close. */
export class Closers {
  readonly #stack: Close[] = []

  push(close: Close): void {
    this.#stack.push(close)
  }

  /** Closes all, the last one first, also if one fails; rejects with the first failure. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#stack.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        failures.push(error) // The others must still close.
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
