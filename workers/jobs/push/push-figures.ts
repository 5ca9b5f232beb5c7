/** Counts of pushes since the start of a worker. */

import { Histogram } from '../../../server/measures/histogram.ts'
import { counter, histogram, type Metric } from '../../../server/measures/metric.ts'

/** `sent` was taken by a push service; `dropped` was read meanwhile or its device is gone; `failed` is given up. */
type Result = 'sent' | 'withdrawn' | 'dropped' | 'failed' | 'postponed'
/** `any` before it is known by which ways a user is reached. */
type Way = 'web' | 'phone' | 'any'

/** Counts and times pushes of messages. */
export class PushFigures {
  readonly #counts = new Map<string, { readonly way: Way; readonly result: Result; count: number }>()
  readonly #lagSeconds = new Histogram()

  /** @param askedAt when the message was sent, in UNIX seconds, for a push that was taken. */
  note(way: Way, result: Result, { count = 1, askedAt }: { count?: number; askedAt?: number } = {}): void {
    const key = `${way} ${result}`
    const found = this.#counts.get(key) ?? { way, result, count: 0 }
    found.count += count
    this.#counts.set(key, found)
    if (askedAt !== undefined) this.#lagSeconds.observe(Math.max(0, Date.now() / 1000 - askedAt))
  }

  get metrics(): readonly Metric[] {
    return [
      counter('parley_pushes_total', 'Pushes of messages, by way and result.', () =>
        [...this.#counts.values()].map(({ way, result, count }) => ({
          labels: { way, result },
          value: count,
        })),
      ),
      histogram(
        'parley_push_lag_seconds',
        'Time from a message to the answer of a push service that took it.',
        () => this.#lagSeconds,
      ),
    ]
  }
}
