/** Metrics of the process itself: event loop, collections, memory, processor, files. */

import { readdir } from 'node:fs/promises'
import {
  type IntervalHistogram,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
} from 'node:perf_hooks'
import { Histogram } from './histogram.ts'
import { VERSION } from './version.ts'
import { byLabel, counter, gauge, histogram, type Metric, summary } from './metric.ts'

/** Milliseconds between samples of the event loop: delays above them show. */
const RESOLUTION_MS = 20
const NS_PER_S = 1e9
const US_PER_S = 1e6
/** Node's kinds of garbage collections. */
const COLLECTIONS: Readonly<Record<number, string>> = {
  1: 'minor',
  4: 'major',
  8: 'incremental',
  16: 'weak_callbacks',
}

/** A garbage collection; the types of Node lack its detail. */
interface CollectionEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number }
}

/** The metrics of this process; `stop` ends what measures them. */
export function createProcessMetrics(): { readonly metrics: readonly Metric[]; stop(): void } {
  const watch = new ProcessWatch()
  const metrics: Metric[] = [
    gauge('parley_build_info', 'Always 1; its labels have the versions of the program and of Node.', () => [
      { labels: { version: VERSION, node: process.versions.node }, value: 1 },
    ]),
    summary(
      'parley_event_loop_delay_seconds',
      'How late the event loop was between two scrapes, by quantile.',
      () => watch.readDelays(),
    ),
    gauge(
      'parley_event_loop_utilization_ratio',
      'The part of the time that the event loop worked, between two scrapes.',
      () => watch.readUtilization(),
    ),
    histogram('parley_gc_seconds', 'Time of garbage collections, by kind, from the first scrape on.', () =>
      watch.readCollections(),
    ),
    gauge('parley_heap_bytes', 'Memory of the heap of JavaScript: used, and taken from the system.', () => {
      const { heapUsed, heapTotal } = process.memoryUsage()
      return byLabel('kind', { used: heapUsed, total: heapTotal })
    }),
    gauge('parley_external_memory_bytes', 'Memory of buffers and other objects beside the heap.', () => {
      return process.memoryUsage().external
    }),
    gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'Processor time of the process, with its threads.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / US_PER_S
    }),
    gauge('process_start_time_seconds', 'The start of the process, in UNIX seconds.', () =>
      Math.round(performance.timeOrigin / 1000),
    ),
    gauge('process_open_fds', 'Open files and connections; absent where the system does not list them.', () =>
      countOpenFiles(),
    ),
  ]
  return { metrics, stop: () => watch.stop() }
}

/** Measures from the first scrape on: a process that is not scraped does not wake up for it. */
class ProcessWatch {
  #delays: IntervalHistogram | undefined
  #utilization = performance.eventLoopUtilization()
  readonly #collections = new Map<string, Histogram>()
  #observer: PerformanceObserver | undefined

  readDelays() {
    if (!this.#delays) {
      this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
      this.#delays.enable()
    }
    const delays = this.#delays
    // The histogram has the time between samples: without a delay that is the resolution.
    const late = (ns: number) => (delays.count > 0 ? Math.max(0, ns / NS_PER_S - RESOLUTION_MS / 1000) : 0)
    const samples = byLabel('quantile', {
      '0.5': late(delays.percentile(50)),
      '0.99': late(delays.percentile(99)),
      '1': late(delays.max),
    })
    delays.reset()
    return samples
  }

  readUtilization(): number {
    const before = this.#utilization
    this.#utilization = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(this.#utilization, before).utilization
  }

  readCollections() {
    if (!this.#observer) {
      this.#observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { kind: number } = (entry as CollectionEntry).detail
          const kind = COLLECTIONS[number] ?? 'other'
          const known = this.#collections.get(kind) ?? new Histogram()
          this.#collections.set(kind, known)
          known.observe(entry.duration / 1000)
        }
      })
      this.#observer.observe({ entryTypes: ['gc'] })
    }
    return byLabel('kind', Object.fromEntries(this.#collections))
  }

  stop(): void {
    this.#delays?.disable()
    this.#observer?.disconnect()
  }
}

async function countOpenFiles(): Promise<number | undefined> {
  const names = await readdir('/proc/self/fd').catch(() => undefined) // Only Linux has it.
  return names?.length
}
