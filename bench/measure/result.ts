/** The form of results. */

import type { Figure } from './figure.ts'

/** The latest run of one benchmark. */
export interface Result {
  readonly title: string
  readonly limit: string
  readonly date: string
  readonly commit?: string
  readonly cpu: string
  readonly cores: number
  readonly memoryMiB: number
  readonly system: string
  readonly node: string
  readonly postgres: string
  /** The load average of the machine before the run. */
  readonly loadBefore?: number | undefined
  /** Undefined if an answer was wrong. */
  readonly figures?: readonly Figure[]
  readonly wrong?: string
}

/** By the benchmark's name. */
export type Results = Readonly<Record<string, Result>>
