/** Distributions of measured values: cheap enough for every request, since observing one allocates nothing. */

/** Upper bounds in seconds for work of this process and of the database. */
const SECONDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

/** Counts values by upper bound; the last count has those above all bounds. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[] = SECONDS) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const { bounds } = this
    let index = 0
    while (index < bounds.length && value > (bounds[index] as number)) index++
    ;(this.counts[index] as number)++
    this.sum += value
  }

  /** Observes the seconds since a time of the process's clock. */
  observeSince(startMs: number): void {
    this.observe((performance.now() - startMs) / 1000)
  }
}
