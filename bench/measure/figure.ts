/** The result of a benchmark: our figure, the limit's, their ratio, and whether the target is reached. */

import { percentile } from './percentile.ts'

/** One compared quantity of a benchmark. */
export interface Figure {
  /** The measured quantity, such as `newest page`. */
  readonly name: string
  readonly unit: string
  readonly ours: Summary
  /** Undefined if the target is absolute. */
  readonly limit: Summary | undefined
  /** Our figure divided by the limit's: the median of the rounds' ratios. */
  readonly ratio: number | undefined
  /** The ratio of the 99th percentiles over all rounds; for latencies only. */
  readonly ratioP99: number | undefined
  /** In words; empty if there is no target. */
  readonly target: string
  readonly isReached: boolean | undefined
  readonly rounds: readonly Round<number>[]
  /** Further measurements, for information. */
  readonly notes?: Readonly<Record<string, number | string>>
}

/** One side of a comparison, over all rounds. */
export interface Summary {
  readonly p50: number
  /** Undefined for quantities with one figure per round. */
  readonly p99: number | undefined
}

/** The two sides of one round. */
export interface Round<Sample> {
  readonly ours: Sample
  readonly limit: Sample
}

type Notes = Readonly<Record<string, number | string>>

/** Compares latencies: less is better. Each round has the samples of both sides. */
export function compareLatencies(
  name: string,
  rounds: readonly Round<readonly number[]>[],
  target: { readonly p50Max?: number; readonly p99Max?: number },
  notes?: Notes,
): Figure {
  const medians = rounds.map(({ ours, limit }) => ({
    ours: percentile(ours, 0.5),
    limit: percentile(limit, 0.5),
  }))
  const ours = summarize(rounds.flatMap((round) => round.ours))
  const limit = summarize(rounds.flatMap((round) => round.limit))
  const ratio = ratioOf(medians)
  const ratioP99 = (ours.p99 as number) / (limit.p99 as number)
  const { p50Max, p99Max } = target
  const words = [p50Max && `p50 ≤ ${p50Max}×`, p99Max && `p99 ≤ ${p99Max}×`]
  return {
    name,
    unit: 'ms',
    ours,
    limit,
    ratio,
    ratioP99,
    target: words.filter(Boolean).join(', '),
    isReached:
      ratio <= (p50Max ?? Number.POSITIVE_INFINITY) && ratioP99 <= (p99Max ?? Number.POSITIVE_INFINITY),
    rounds: medians,
    ...(notes ? { notes } : {}),
  }
}

/** Compares rates, one per round: more is better. */
export function compareRates(
  name: string,
  rounds: readonly Round<number>[],
  target: { readonly unit: string; readonly min?: number },
  notes?: Notes,
): Figure {
  const ratio = ratioOf(rounds)
  return {
    name,
    unit: target.unit,
    ...mediansOf(rounds),
    ratio,
    ratioP99: undefined,
    target: target.min === undefined ? '' : `≥ ${target.min}×`,
    isReached: target.min === undefined ? undefined : ratio >= target.min,
    rounds,
    ...(notes ? { notes } : {}),
  }
}

/**
 * Gives rates a second way to reach their target: not more than `timesMax` slower than another limit, which only sends
 * as many bytes.
 */
export function orWithin(
  figure: Figure,
  name: string,
  rounds: readonly Round<number>[],
  timesMax: number,
): Figure {
  const ratio = ratioOf(rounds)
  const { limit } = mediansOf(rounds)
  return {
    ...figure,
    target: `${figure.target}, or within ${timesMax}× of ${name}`,
    isReached: figure.isReached === true || ratio >= 1 / timesMax,
    notes: { ...figure.notes, [name]: limit.p50, [`ratio to ${name}`]: ratio },
  }
}

/** Compares sizes, one per round: less is better. */
export function compareSizes(
  name: string,
  rounds: readonly Round<number>[],
  target: { readonly unit: string; readonly max?: number },
  notes?: Notes,
): Figure {
  const ratio = ratioOf(rounds)
  return {
    name,
    unit: target.unit,
    ...mediansOf(rounds),
    ratio,
    ratioP99: undefined,
    target: target.max === undefined ? '' : `≤ ${target.max}×`,
    isReached: target.max === undefined ? undefined : ratio <= target.max,
    rounds,
    ...(notes ? { notes } : {}),
  }
}

/** Compares a size with an absolute limit. */
export function boundSize(
  name: string,
  value: number,
  target: { readonly unit: string; readonly max: number },
  notes?: Notes,
): Figure {
  return {
    ...noteSize(name, value, target.unit, notes),
    target: `≤ ${target.max} ${target.unit}`,
    isReached: value <= target.max,
  }
}

/** A size without a target, from which others are computed. */
export function noteSize(name: string, value: number, unit: string, notes?: Notes): Figure {
  return {
    name,
    unit,
    ours: { p50: value, p99: undefined },
    limit: undefined,
    ratio: undefined,
    ratioP99: undefined,
    target: '',
    isReached: undefined,
    rounds: [],
    ...(notes ? { notes } : {}),
  }
}

function summarize(samples: readonly number[]): Summary {
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
}

function mediansOf(rounds: readonly Round<number>[]) {
  const median = (side: keyof Round<number>) => ({
    p50: percentile(
      rounds.map((round) => round[side]),
      0.5,
    ),
    p99: undefined,
  })
  return { ours: median('ours'), limit: median('limit') }
}

/** The median of the rounds' ratios: a burst of other load spoils a round, not the figure. */
function ratioOf(rounds: readonly Round<number>[]): number {
  return percentile(
    rounds.map(({ ours, limit }) => ours / limit),
    0.5,
  )
}
