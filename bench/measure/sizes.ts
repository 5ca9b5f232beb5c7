/**
 * Sizes of benchmarks. With `--short` each runs once and small, on any machine: then its answers count, and its figures say
 * nothing.
 */

/** The environment variable by which helper processes know it. */
const SETTING = 'PARLEY_BENCH_SHORT'

export const isShort = process.argv.includes('--short') || process.env[SETTING] === 'on'
if (isShort) process.env[SETTING] = 'on'

/** The settings that make a run another one than that of the documents: its figures are not published. */
export const trialSettings = (): readonly string[] =>
  Object.keys(process.env).filter((name) => name.startsWith('PARLEY_BENCH_') && name !== SETTING)

/** The first size, or the one of a short run. */
export const sized = <Size>(full: Size, short: Size): Size => (isShort ? short : full)
