/** Reads `/metrics` by a Prometheus client's parser. */

import parse from 'parse-prometheus-text-format'

/** A value: of a counter or gauge, or the count and the sum of a histogram. */
interface Value {
  readonly labels?: Readonly<Record<string, string>>
  readonly value?: string
  readonly buckets?: Readonly<Record<string, string>>
  readonly count?: string
  readonly sum?: string
}

/** A family of metrics. */
interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM'
  readonly metrics: readonly Value[]
}

/** The metrics at one time. */
export class Scrape {
  readonly families: readonly Family[]
  readonly text: string

  constructor(text: string) {
    this.text = text
    this.families = parse(text) as Family[]
  }

  /** The value with these labels; for histograms, the count. Undefined if there is none. */
  find(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.#find(name, labels)
    return found && Number(found.value ?? found.count)
  }

  /** The sum of a histogram. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return Number(this.#find(name, labels)?.sum ?? Number.NaN)
  }

  /** How many values a histogram has above a bound. */
  above(name: string, bound: string, labels: Readonly<Record<string, string>> = {}): number {
    const { count, buckets } = this.#find(name, labels) ?? {}
    return Number(count) - Number(buckets?.[bound])
  }

  /** The parser does not know labels of histograms, so it gets the lines with these labels, without them. */
  #find(name: string, labels: Readonly<Record<string, string>>): Value | undefined {
    const family = this.families.find((one) => one.name === name)
    if (family?.type !== 'HISTOGRAM')
      return family?.metrics.find((one) =>
        Object.entries(labels).every(([label, value]) => one.labels?.[label] === value),
      )
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
    const lines = this.text.split('\n').flatMap((line) => {
      if (line.startsWith('#')) return [line]
      if (!pairs.every((pair) => line.includes(pair))) return []
      return [pairs.reduce((text, pair) => text.replace(`${pair},`, '').replace(`{${pair}}`, ''), line)]
    })
    const [only] = (parse(lines.join('\n')) as Family[]).find((one) => one.name === name)?.metrics ?? []
    return only
  }
}

/** Reads the metrics of a server on this machine. */
export async function scrape(url: string, headers: Record<string, string> = {}): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`, { headers })
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`)
  return new Scrape(await response.text())
}
