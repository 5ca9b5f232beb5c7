/** Turns: a bounded number at once, in all and for each key. */

/** Turns that wait beyond this are refused: what waits is memory. */
export const WAITING_MAX = 1_000

/** There was no turn: too many wait, or the time was up. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError'
}

/** Hands out turns in the order in which they were asked for, except that a busy key holds up no other. */
export class KeyedTurns {
  readonly #max: number
  readonly #perKeyMax: number
  readonly #waitingMax: number
  readonly #held = new Map<string, number>()
  #count = 0
  #waiting: { readonly key: string; readonly begin: () => void }[] = []

  constructor(max: number, perKeyMax: number, waitingMax = WAITING_MAX) {
    this.#max = max
    this.#perKeyMax = perKeyMax
    this.#waitingMax = waitingMax
  }

  /** Resolves with the function that ends the turn; rejects with a `NoTurnError` if the signal comes first. */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw noTurnInTime(signal)
    if (!this.#isFree(key)) {
      if (this.#waiting.length >= this.#waitingMax) throw new NoTurnError('too many requests wait')
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          this.#waiting = this.#waiting.filter((one) => one !== place)
          reject(noTurnInTime(signal))
        }
        const place = {
          key,
          begin: () => {
            signal.removeEventListener('abort', leave)
            resolve()
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        this.#waiting.push(place)
      })
    } else this.#hold(key)
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      // A crowd that came at once has no more time at once. Those that wait leave first: each would get its turn to end in it.
      if (this.#waiting.length > 0) setImmediate(() => this.#release(key))
      else this.#release(key)
    }
  }

  #isFree(key: string): boolean {
    return this.#count < this.#max && (this.#held.get(key) ?? 0) < this.#perKeyMax
  }

  #hold(key: string): void {
    this.#count++
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
  }

  #release(key: string): void {
    const left = (this.#held.get(key) ?? 1) - 1
    if (left === 0) this.#held.delete(key)
    else this.#held.set(key, left)
    this.#count--
    const next = this.#waiting.find((one) => this.#isFree(one.key))
    if (!next) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#hold(next.key)
    next.begin()
  }
}

const noTurnInTime = ({ reason }: AbortSignal) => new NoTurnError('no turn came in time', { cause: reason })
