/** Exports spans by OTLP over HTTP with JSON, in batches. A receiver that is away costs spans, never requests. */

import { gzipSync } from 'node:zlib'
import type { TraceSettings } from './trace-settings.ts'
import type { Attributes, FinishedSpan, SpanKind } from './span.ts'

/** Spans in one request, as in other exporters. */
const BATCH_LENGTH_MAX = 512
/** Spans that wait; later ones are dropped. */
const WAITING_MAX = 2_048
/** Milliseconds that spans gather. */
const PERIOD_MS = 1_000
/** Statuses after which the receiver asks for another attempt. */
const RETRIED: readonly number[] = [429, 502, 503, 504]

/** The numbers of kinds on the wire. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, producer: 4, consumer: 5 }

/** Sends spans to a receiver. */
export class TraceExporter {
  readonly #settings: TraceSettings
  readonly #onError: (error: unknown) => void
  #waiting: FinishedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isAway = false

  constructor(settings: TraceSettings, onError: (error: unknown) => void) {
    this.#settings = settings
    this.#onError = onError
  }

  push(span: FinishedSpan): void {
    if (this.#waiting.length >= WAITING_MAX) return
    this.#waiting.push(span)
    this.#timer ??= setTimeout(() => void this.flush(), PERIOD_MS).unref()
  }

  /** Sends all waiting spans; resolves when they are sent or given up. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#sending) await this.#sending
    this.#sending = this.#sendAll()
    await this.#sending
    this.#sending = undefined
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_LENGTH_MAX)
      try {
        await this.#send(batch)
        this.#isAway = false
      } catch (error) {
        if (!this.#isAway) this.#onError(new Error('spans cannot be exported', { cause: error }))
        this.#isAway = true // Reported once for each outage.
        return
      }
    }
  }

  async #send(batch: readonly FinishedSpan[]): Promise<void> {
    const { url, headers, timeoutMs, isCompressed } = this.#settings
    const json = JSON.stringify(this.#encode(batch))
    for (let isRetry = false; ; isRetry = true) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
        },
        body: isCompressed ? gzipSync(json) : json,
        redirect: 'manual', // The headers may hold credentials.
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (response.ok) return
      if (isRetry || !RETRIED.includes(response.status))
        throw new Error(`the receiver answered ${response.status}`)
    }
  }

  #encode(batch: readonly FinishedSpan[]) {
    const spans = batch.map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
      name: span.name,
      kind: KINDS[span.kind],
      startTimeUnixNano: toNano(span.startMs),
      endTimeUnixNano: toNano(span.endMs),
      attributes: encodeAttributes(span.attributes),
      status: span.isFailed ? { code: 2 } : {},
    }))
    const resource = { attributes: encodeAttributes(this.#settings.resource) }
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'parley' }, spans }] }] }
  }
}

/** Nanoseconds do not fit into a number. */
function toNano(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: encodeValue(value) }))
}

function encodeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
