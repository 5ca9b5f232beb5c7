/** Spans of OpenTelemetry: what happened in a request, when, and in which process. */

import { randomBytes } from 'node:crypto'
import { following } from './following.ts'

export type SpanKind = 'internal' | 'server' | 'producer' | 'consumer'
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A finished span. */
export interface FinishedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** UNIX milliseconds with fractions. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly isFailed: boolean
}

/** The place of a span in its trace, as the header `traceparent` carries it. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** Decides whether a new trace is exported, from the parent's place if it has one. */
export type Sample = (traceId: string, parent: SpanPlace | undefined) => boolean

/** A span that has begun. Without sampling it only passes its place on. */
export class Span implements SpanPlace {
  readonly traceId: string
  readonly spanId = randomBytes(8).toString('hex')
  readonly isSampled: boolean
  readonly #name: string
  readonly #kind: SpanKind
  readonly #parentSpanId: string | undefined
  readonly #startMs = performance.now()
  readonly #onEnd: (span: FinishedSpan) => void

  constructor(
    { name, kind, parent }: { name: string; kind: SpanKind; parent: SpanPlace | undefined },
    sample: Sample,
    onEnd: (span: FinishedSpan) => void,
  ) {
    this.#name = name
    this.#kind = kind
    this.#parentSpanId = parent?.spanId
    this.#onEnd = onEnd
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    this.isSampled = sample(this.traceId, parent)
  }

  /** The header for the next process. */
  get traceParent(): string {
    return `00-${this.traceId}-${this.spanId}-${this.isSampled ? '01' : '00'}`
  }

  end(attributes: Attributes = {}, isFailed = false, name = this.#name): void {
    if (!this.isSampled) return
    this.#onEnd({
      traceId: this.traceId,
      spanId: this.spanId,
      parentSpanId: this.#parentSpanId,
      name,
      kind: this.#kind,
      startMs: performance.timeOrigin + this.#startMs,
      endMs: performance.timeOrigin + performance.now(),
      attributes,
      isFailed,
    })
  }
}

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
