/** The comparison with other servers: its figures in a file, and the table and the chart that are made from them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceBlock } from '../measure/results.ts'
import { drawPeers } from './peers-chart.ts'
import type { PeerFigures } from './run-peers.ts'

const ROOT = join(import.meta.dirname, '../..')
const RESULTS = join(ROOT, 'bench/peers.json')
const DOCUMENT = 'docs/benchmarks.md'

/** The latest run. */
export interface PeerResults {
  /** The machine and its load, in a sentence. */
  readonly measured: string
  readonly figures: readonly PeerFigures[]
}

export function readPeers(): PeerResults {
  return JSON.parse(readFileSync(RESULTS, 'utf8'))
}

/** Stores the results, and writes the documents anew. */
export function keepPeers(results: PeerResults): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  for (const [file, text] of Object.entries(writePeerDocuments(results)))
    writeFileSync(join(ROOT, file), text)
}

/** The text of each file that is made from the results. */
export function writePeerDocuments(results: PeerResults): Record<string, string> {
  return {
    [DOCUMENT]: replaceBlock(readFileSync(join(ROOT, DOCUMENT), 'utf8'), 'peers', formatPeers(results)),
    'docs/peers.svg': drawPeers(results.figures),
  }
}

/** The figures as a table, with the settings of each server. */
export function formatPeers({ measured, figures }: PeerResults): string {
  const heads = [
    'Server',
    'People',
    'Acknowledged, p50',
    'Last of them has it, p50',
    'p99',
    'Flood',
    'A client',
  ]
  const rows = figures.map((one) => [
    `${one.name} ${one.version}`,
    one.people.toLocaleString('en'),
    `${one.ackP50.toFixed(1)} ms`,
    `${one.lastP50.toFixed(1)} ms`,
    `${one.lastP99.toFixed(1)} ms`,
    `${Math.round(one.floodPerSecond).toLocaleString('en')}/s`,
    `${one.clientKib.toFixed(0)} KiB`,
  ])
  const table = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const settings = new Map(figures.map((one) => [`${one.name} ${one.version}`, one.settings]))
  return [measured, '', ...table, '', ...[...settings].map(([name, how]) => `- ${name}: ${how}.`)].join('\n')
}
