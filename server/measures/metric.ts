/**
 * Metrics in the text format of Prometheus, version 0.0.4.
 *
 * The parts of the server count in plain fields. A metric reads them when it is scraped, so a server that is not
 * scraped does nothing for it. See `docs/decisions/metrics.md` for the reason that no library does this.
 */

import { Histogram } from './histogram.ts'

/** One value of a metric; labels tell it from its others. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number | Histogram
}

/** The values of a metric: one without labels, or several. */
export type Reading = number | Histogram | readonly Sample[]

/** A metric. */
export interface Metric {
  /** With its unit; the name of a counter ends with `_total`. */
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** One sentence. */
  readonly help: string
  /** Undefined if there is nothing to read, such as while the database is away. */
  read(): Reading | undefined | Promise<Reading | undefined>
}

/** Milliseconds that a metric may take: scrapers give up after ten seconds, and then get nothing at all. */
const READ_MS_MAX = 1_500

/** The content type of the format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function counter(name: string, help: string, read: Metric['read']): Metric {
  return { name, type: 'counter', help, read }
}

export function gauge(name: string, help: string, read: Metric['read']): Metric {
  return { name, type: 'gauge', help, read }
}

/** Samples with the label `quantile`, without their sum and count. */
export function summary(name: string, help: string, read: Metric['read']): Metric {
  return { name, type: 'summary', help, read }
}

export function histogram(name: string, help: string, read: Metric['read']): Metric {
  return { name, type: 'histogram', help, read }
}

/** Samples by one label. */
export function byLabel(label: string, values: Readonly<Record<string, number | Histogram>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

/**
 * The metrics as text. Metrics of the same name become one. A metric that cannot be read is left out and reported: the
 * others matter most while something fails.
 */
export async function renderMetrics(
  metrics: readonly Metric[],
  onError: (error: unknown) => void,
): Promise<string> {
  const readings = await Promise.all(
    metrics.map(async (metric) => {
      try {
        return { metric, samples: toSamples(await inTime(metric.read())) }
      } catch (error) {
        onError(error)
        return { metric, samples: [] }
      }
    }),
  )
  const families = Map.groupBy(readings, ({ metric }) => metric.name)
  const lines: string[] = []
  for (const [name, [first, ...others]] of families) {
    if (!first) continue
    const { help, type } = first.metric
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`)
    for (const { samples } of [first, ...others])
      for (const sample of samples) pushSample(lines, name, sample)
  }
  return `${lines.join('\n')}\n`
}

/** A reading; a later one counts as none. */
async function inTime(reading: ReturnType<Metric['read']>): Promise<Reading | undefined> {
  if (!(reading instanceof Promise)) return reading
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, READ_MS_MAX, undefined)
  reading.catch(() => undefined) // It may reject after its time.
  try {
    return await Promise.race([reading, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function toSamples(reading: Reading | undefined): readonly Sample[] {
  if (reading === undefined) return []
  return typeof reading === 'number' || reading instanceof Histogram
    ? [{ labels: {}, value: reading }]
    : reading
}

function pushSample(lines: string[], name: string, { labels, value }: Sample): void {
  if (typeof value === 'number') {
    lines.push(`${name}${encodeLabels(labels)} ${value}`)
    return
  }
  let count = 0
  for (const [index, ofBucket] of value.counts.entries()) {
    count += ofBucket
    const le = index < value.bounds.length ? String(value.bounds[index]) : '+Inf'
    lines.push(`${name}_bucket${encodeLabels({ ...labels, le })} ${count}`)
  }
  lines.push(`${name}_sum${encodeLabels(labels)} ${value.sum}`)
  lines.push(`${name}_count${encodeLabels(labels)} ${count}`)
}

function encodeLabels(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}
