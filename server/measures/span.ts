/** A span of OpenTelemetry: a part of a request, when it ran, and in which process. */

import { randomBytes } from 'node:crypto'

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
