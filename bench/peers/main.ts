/** `npm run bench -- peers`: compares what is installed, prints a table, and writes it into docs/benchmarks.md. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeCommit, describeMachine, replaceBlock } from '../measure/results.ts'
import { isShort } from '../measure/sizes.ts'
import type { BenchDatabases } from '../start/start-database.ts'
import { nats } from './nats.ts'
import { parleyPeer } from './parley.ts'
import { prosodyPeer } from './prosody.ts'
import { comparePeers, formatPeers, PEER_PLANS } from './run-peers.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/benchmarks.md')

/** Throws if a message did not arrive everywhere exactly once. */
export async function runPeers(databases: BenchDatabases, say: (line: string) => void): Promise<void> {
  const commit = describeCommit(import.meta.dirname) ?? 'without a commit'
  const machine = describeMachine()
  const create = () => databases.create()
  const parley = parleyPeer(create, commit)
  const figures = [
    ...(await comparePeers([parley, nats], PEER_PLANS.brokers, say)),
    ...(isShort ? [] : await comparePeers([parley, prosodyPeer(create)], PEER_PLANS.rooms, say)),
  ]
  if (isShort) return
  const settings = new Map(figures.map((one) => [`${one.name} ${one.version}`, one.settings]))
  const text = [
    `Measured on ${machine.cpu} (${machine.cores} cores), ${machine.system}, Node ${machine.node}, PostgreSQL ` +
      `${databases.version}, at a load of ${machine.loadBefore?.toFixed(1)} before.`,
    '',
    formatPeers(figures),
    '',
    ...[...settings].map(([name, how]) => `- ${name}: ${how}.`),
  ].join('\n')
  process.stdout.write(`${text}\n`)
  writeFileSync(DOCUMENT, replaceBlock(readFileSync(DOCUMENT, 'utf8'), 'peers', text))
}
