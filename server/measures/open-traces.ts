/** The export of spans: a tracer, and the exporter behind it. */

import { TraceExporter } from './trace-exporter.ts'
import type { TraceSettings } from './trace-settings.ts'
import { Tracer } from './tracer.ts'

/** A running export. */
export interface Traces {
  readonly tracer: Tracer
  /** Sends what waits. */
  close(): Promise<void>
}

export function openTraces(settings: TraceSettings, onError: (error: unknown) => void): Traces {
  const exporter = new TraceExporter(settings, onError)
  return {
    tracer: new Tracer(settings.sample, (span) => exporter.push(span)),
    close: () => exporter.flush(),
  }
}
