/** Waits that end early when somebody has news, or with a signal. */

export class WakeableWait {
  readonly #ends = new Set<() => void>()

  /** Ends all waits. */
  wake(): void {
    for (const end of this.#ends) end()
  }

  wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        this.#ends.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end)
      this.#ends.add(end)
    })
  }
}
