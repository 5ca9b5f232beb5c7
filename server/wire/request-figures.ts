/** Counts answered requests by operation and class of status. Labels come from the table, never from a request. */

import type { Operation } from '../api/operation.ts'
import { Histogram } from '../measures/histogram.ts'
import type { Sample } from '../measures/metric.ts'

/** The kinds of requests that are not operations. */
export type OtherKind = 'agent' | 'file' | 'form' | 'page' | 'picture' | 'scim' | 'tus' | 'unknown'
/** The operation or the kind of a request. */
export type Asked = Operation | OtherKind

/** The classes of status: `1xx` to `5xx`. */
const CLASSES = 5

interface Figures {
  readonly label: string
  /** Answers by class of status. */
  readonly byClass: number[]
  readonly seconds: Histogram
}

/** The answered requests of one process. */
export class RequestFigures {
  /** Only those that were asked for. */
  readonly #figures = new Map<Asked, Figures>()
  /** Bytes of files that were written to clients. */
  fileBytesSent = 0

  note(asked: Asked, status: number, durationMs: number): void {
    let figures = this.#figures.get(asked)
    if (!figures) this.#figures.set(asked, (figures = createFigures(asked)))
    ;(figures.byClass[Math.floor(status / 100) - 1] as number)++
    figures.seconds.observe(durationMs / 1000)
  }

  counts(): Sample[] {
    return [...this.#figures.values()].flatMap(({ label, byClass }) =>
      byClass.flatMap((value, index) =>
        value > 0 ? [{ labels: { operation: label, status: `${index + 1}xx` }, value }] : [],
      ),
    )
  }

  durations(): Sample[] {
    return [...this.#figures.values()].map(({ label, seconds }) => ({
      labels: { operation: label },
      value: seconds,
    }))
  }
}

function createFigures(asked: Asked): Figures {
  return {
    label: labelOf(asked),
    byClass: Array.from({ length: CLASSES }, () => 0),
    seconds: new Histogram(),
  }
}

/** The name of an operation or kind. */
export function labelOf(asked: Asked): string {
  return typeof asked === 'string' ? asked : `${asked.method} ${asked.path}`
}
