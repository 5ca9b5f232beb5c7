/** What a benchmark is. */

import type { Figure } from './figure.ts'

/** What every benchmark works with. */
export interface BenchContext {
  /** Counted rounds of each comparison. */
  readonly rounds: number
  /** The URL of a fresh database with the current schema, on the one PostgreSQL of this run. */
  readonly createDatabase: () => Promise<string>
  /** Says on standard error what is going on. */
  readonly say: (line: string) => void
}

/** One benchmark: a row of the table of `npm run bench`, or a few. */
export interface Work {
  /** As on the command line: `W3`. */
  readonly name: string
  readonly title: string
  /** What the limit is, in words. */
  readonly limit: string
  /** Measures; throws where an answer was wrong. */
  run(context: BenchContext): Promise<Figure[]>
}
