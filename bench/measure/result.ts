/** The form of results. */

import type { Figure } from './figure.ts'

/** The machine and the code of a run, which explain absolute figures. */
export interface RunFacts {
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
}

/** The latest run of one benchmark. */
export interface Result extends RunFacts {
  readonly title: string
  readonly limit: string
  /** How long it took, with its start and its end. */
  readonly seconds?: number
  /** It runs by name only. */
  readonly isLong?: boolean | undefined
  /** Undefined if an answer was wrong. */
  readonly figures?: readonly Figure[]
  readonly wrong?: string
}

/** By the benchmark's name. */
export type Results = Readonly<Record<string, Result>>
