/** The standard variables of OpenTelemetry, as far as they concern traces. */

import type { Sample } from './span.ts'

/** The export of spans. */
export interface TraceSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly isCompressed: boolean
  /** The attributes of the process. */
  readonly resource: Readonly<Record<string, string>>
  readonly sample: Sample
}

/** The variables that are read. */
export type TraceSettingName =
  | `OTEL_EXPORTER_OTLP_${'COMPRESSION' | 'ENDPOINT' | 'HEADERS' | 'PROTOCOL' | 'TIMEOUT'}`
  | `OTEL_EXPORTER_OTLP_TRACES_${'ENDPOINT' | 'HEADERS'}`
  | `OTEL_TRACES_${'EXPORTER' | 'SAMPLER' | 'SAMPLER_ARG'}`
  | 'OTEL_RESOURCE_ATTRIBUTES'
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_SERVICE_NAME'

const TIMEOUT_MS = 10_000
/** The part of a trace's id that a ratio looks at: 32 bits are precise enough. */
const RATIO_DIGITS = 8

type Read = (name: TraceSettingName) => string | undefined

/** The settings, or undefined for no export. Throws an `Error` that names the first invalid variable. */
export function readTraceSettings(read: Read): TraceSettings | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const url =
    read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`)
  const isOff = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none'
  if (url === undefined || isOff) return undefined
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT must be an address that starts with http:// or https://')
  // Every receiver of OTLP over HTTP takes both of its encodings; the other transport has another port.
  if (read('OTEL_EXPORTER_OTLP_PROTOCOL') === 'grpc')
    throw new Error('OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: gRPC is not spoken')
  const timeoutMs = Number(read('OTEL_EXPORTER_OTLP_TIMEOUT') ?? TIMEOUT_MS)
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 600_000)
    throw new Error('OTEL_EXPORTER_OTLP_TIMEOUT must be milliseconds from 1 to 600000')
  return {
    url,
    headers: {
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    timeoutMs,
    isCompressed: read('OTEL_EXPORTER_OTLP_COMPRESSION') === 'gzip',
    resource: {
      'service.name': 'parley',
      ...readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES'),
      ...serviceName(read('OTEL_SERVICE_NAME')),
    },
    sample: createSampler(
      read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on',
      read('OTEL_TRACES_SAMPLER_ARG'),
    ),
  }
}

function serviceName(name: string | undefined): Record<string, string> {
  return name === undefined ? {} : { 'service.name': name }
}

/** `name=value,name=value`, percent-encoded. */
function readPairs(read: Read, name: TraceSettingName): Record<string, string> {
  const pairs = (read(name) ?? '').split(',').filter((pair) => pair.trim() !== '')
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const end = pair.indexOf('=')
        if (end < 1) throw new Error('no name')
        return [pair.slice(0, end).trim(), decodeURIComponent(pair.slice(end + 1).trim())]
      }),
    )
  } catch {
    // The message omits the value, which may hold credentials.
    throw new Error(`${name} must be pairs like name=value,name=value`)
  }
}

function createSampler(name: string, argument: string | undefined): Sample {
  const isParentBased = name.startsWith('parentbased_')
  const root = createRootSampler(isParentBased ? name.slice('parentbased_'.length) : name, argument)
  return (traceId, parent) => (isParentBased && parent ? parent.isSampled : root(traceId))
}

function createRootSampler(name: string, argument: string | undefined): (traceId: string) => boolean {
  if (name === 'always_on') return () => true
  if (name === 'always_off') return () => false
  const ratio = Number(argument ?? 1)
  if (name !== 'traceidratio')
    throw new Error(
      'OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio, or one of them after parentbased_',
    )
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return (traceId) => Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < ratio * 16 ** RATIO_DIGITS
}
