/**
 * `npm run ha-check`: starts Parley with every part twice on this machine's loopback addresses, and kills each part while
 * people write. Ends with an error if an acknowledged message is lost or doubled, if nothing can be written for more than
 * 30 seconds, or if clients do not come back by themselves. `--keep` leaves the folder with the logs of all parts.
 */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUTO_FAILOVER_INSTALL, findAutoFailover, startAutoFailover } from './auto-failover.ts'
import { checkAvailability } from './check-availability.ts'
import { formatEffects } from './format-effects.ts'
import type { Databases, SharedRedis, Teardown } from './part.ts'
import { findProgram } from './part-process.ts'
import { startSentinels } from './sentinels.ts'
import { startStreamingPair } from './streaming-pair.ts'
import { isGood } from './watch-outages.ts'

const say = (line: string) => process.stderr.write(`ha-check: ${line}\n`)

const tasks: (() => unknown)[] = []
const parts: Teardown = { teardown: (task) => void tasks.push(task) }
const root = mkdtempSync(join(tmpdir(), 'parley-ha-'))
chmodSync(root, 0o755) // The user of the database passes through.

const close = async () => {
  for (const task of tasks.splice(0).toReversed()) await task()
  if (process.argv.includes('--keep')) say(`the logs are in ${root}`)
  else rmSync(root, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().finally(() => process.exit(130)))

let isWell = false
try {
  const databases = await startDatabases()
  say(databases.kind)
  if (findProgram('haproxy') === undefined)
    say('HAProxy is not installed, so connections are forwarded without it: apt-get install haproxy')
  const effects = await checkAvailability(parts, { root, databases, redis: await startRedis() }, say)
  process.stdout.write(`${formatEffects(effects)}\n`)
  isWell = effects.every(isGood)
} catch (error) {
  say((error as Error).stack ?? String(error))
} finally {
  await close()
}
process.exit(isWell ? 0 : 1)

async function startDatabases(): Promise<Databases> {
  const programs = findAutoFailover()
  if (programs !== undefined) return startAutoFailover(parts, root, programs)
  say(`pg_auto_failover is not installed: ${AUTO_FAILOVER_INSTALL}`)
  return startStreamingPair(parts, join(root, 'pair'))
}

async function startRedis(): Promise<SharedRedis | undefined> {
  if (findProgram('redis-server') !== undefined) return startSentinels(parts, root)
  say('Redis is not installed, so nothing is said about it: apt-get install redis-server')
  return undefined
}
