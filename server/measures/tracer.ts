/** Makes the spans of a process. */

import { randomBytes } from 'node:crypto'
import { following } from './following.ts'
import {
  type Attributes,
  type FinishedSpan,
  type Sample,
  Span,
  type SpanKind,
  type SpanPlace,
} from './span.ts'

/** Makes spans; each belongs to the followed request, unless another parent is given. */
export class Tracer {
  readonly #sample: Sample
  readonly #onSpan: (span: FinishedSpan) => void

  constructor(sample: Sample, onSpan: (span: FinishedSpan) => void) {
    this.#sample = sample
    this.#onSpan = onSpan
  }

  /** Begins a span that comes from another process, or from nowhere. */
  begin(name: string, kind: SpanKind, parent: SpanPlace | undefined): Span {
    return new Span({ name, kind, parent }, this.#sample, this.#onSpan)
  }

  /** Runs a part of the followed request as a span of its own. */
  async within<Result>(name: string, run: () => Result | Promise<Result>): Promise<Result> {
    const parent = following.getStore()?.span
    if (!parent?.isSampled) return run()
    const span = new Span({ name, kind: 'internal', parent }, () => true, this.#onSpan)
    try {
      const result = await run()
      span.end()
      return result
    } catch (error) {
      span.end({}, true)
      throw error
    }
  }

  /** Records a part that has just ended, since a time of the process's clock. */
  record(name: string, parent: Span, startMs: number, attributes: Attributes = {}): void {
    if (!parent.isSampled) return
    this.#onSpan({
      traceId: parent.traceId,
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: parent.spanId,
      name,
      kind: 'internal',
      startMs: performance.timeOrigin + startMs,
      endMs: performance.timeOrigin + performance.now(),
      attributes,
      isFailed: false,
    })
  }
}

/** The place in a header `traceparent`; undefined for another or none. */
export function readTraceParent(header: string): SpanPlace | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(header)
  const [, traceId = '', spanId = '', flags = ''] = match ?? []
  if (!match || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
