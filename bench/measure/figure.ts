/** What a benchmark comes to: our figure, its limit's, the ratio of the two, and whether the target is reached. */

import { percentile } from './percentile.ts'

/** One compared quantity of a work. */
export interface Figure {
  /** What was measured, such as `newest page`. */
  readonly name: string
  readonly unit: string
  readonly ours: Summary
  /** Undefined where the target is absolute. */
  readonly limit: Summary | undefined
  /** Ours by the limit's: the median of the rounds' ratios. */
  readonly ratio: number | undefined
  /** The ratio of the 99th percentiles over all rounds; for latencies only. */
  readonly ratioP99: number | undefined
  /** In words; empty where the figure is reported only. */
  readonly target: string
  readonly isReached: boolean | undefined
  readonly rounds: readonly Round<number>[]
  /** More that was seen on the way, for orientation. */
  readonly notes?: Readonly<Record<string, number | string>>
}

/** One side of a comparison, over all rounds. */
export interface Summary {
  readonly p50: number
  /** Undefined for what is one figure in each round. */
  readonly p99: number | undefined
}

/** The two sides of one round. */
export interface Round<Sample> {
  readonly ours: Sample
  readonly limit: Sample
}

type Notes = Readonly<Record<string, number | string>>

/** Compares latencies: less is better. Each round holds the samples of both sides. */
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

/** Compares rates, one in each round: more is better. */
export function compareRates(
  name: string,
  rounds: readonly Round<number>[],
  target: { readonly unit: string; readonly min: number; readonly stretch?: number },
  notes?: Notes,
): Figure {
  const ratio = ratioOf(rounds)
  return {
    name,
    unit: target.unit,
    ...mediansOf(rounds),
    ratio,
    ratioP99: undefined,
    target: `≥ ${target.min}×${target.stretch === undefined ? '' : ` (stretch ${target.stretch}×)`}`,
    isReached: ratio >= target.min,
    rounds,
    ...(notes ? { notes } : {}),
  }
}

/** Compares sizes, one in each round: less is better. */
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

/** Holds a size against an absolute limit. */
export function boundSize(
  name: string,
  value: number,
  target: { readonly unit: string; readonly max: number },
  notes?: Notes,
): Figure {
  return {
    name,
    unit: target.unit,
    ours: { p50: value, p99: undefined },
    limit: undefined,
    ratio: undefined,
    ratioP99: undefined,
    target: `≤ ${target.max} ${target.unit}`,
    isReached: value <= target.max,
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
