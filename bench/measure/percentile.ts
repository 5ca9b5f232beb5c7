/** Percentiles of a sample. */

/** The smallest sample that is at least as large as `share` of all samples; throws without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort()
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('a percentile of nothing')
  return value
}
