/** The type of a benchmark. */

import type { Figure } from './figure.ts'

/** The input of every benchmark. */
export interface BenchContext {
  /** Counted rounds of each comparison. */
  readonly rounds: number
  /** The URL of a new database with the current schema, on the PostgreSQL of this run. */
  readonly createDatabase: () => Promise<string>
  /** Reports progress on standard error. */
  readonly say: (line: string) => void
}

/** One benchmark: one or several rows in the table of `npm run bench`. */
export interface Work {
  /** The name on the command line: `W3`. */
  readonly name: string
  readonly title: string
  /** The description of the limit. */
  readonly limit: string
  /** Measures; throws if an answer is wrong. */
  run(context: BenchContext): Promise<Figure[]>
}
