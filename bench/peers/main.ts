/** `npm run bench -- peers`: compares what is installed, prints a table, and writes it and a chart into the documents. */

import { describeCommit, describeMachine } from '../measure/results.ts'
import { isShort } from '../measure/sizes.ts'
import type { BenchDatabases } from '../start/start-database.ts'
import { nats } from './nats.ts'
import { parleyPeer } from './parley.ts'
import { prosodyPeer } from './prosody.ts'
import { formatPeers, keepPeers } from './publish-peers.ts'
import { comparePeers, PEER_PLANS } from './run-peers.ts'

/** Parley beside NATS, and beside prosody. */
const PUBLISHED_ROWS = 4

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
  const measured =
    `Measured on ${machine.cpu} (${machine.cores} cores), ${machine.system}, Node ${machine.node}, PostgreSQL ` +
    `${databases.version}, at a load of ${machine.loadBefore?.toFixed(1)} before.`
  process.stdout.write(`${formatPeers({ measured, figures })}\n`)
  // A server that is not installed here would vanish from the documents.
  if (figures.length < PUBLISHED_ROWS) say('not all peers are installed: nothing is written')
  else keepPeers({ measured, figures })
}
