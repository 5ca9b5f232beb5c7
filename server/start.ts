/** `npm start`: everything on one machine in one process tree, with its own database unless one is configured. */

import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { startWorker } from '../workers/worker.ts'
import { makeDemo, readDemoAccounts } from './admin/demo.ts'
import type { Config } from './config.ts'
import { createLogger } from './logger.ts'
import { startNode, type WebNode } from './node.ts'
import type { Metric } from './measures/metric.ts'
import { exitWithReason, readSettings, runProcess, startAnew } from './run-process.ts'
import { launchPostgres } from './services/launch-postgres.ts'
import { launchRedis } from './services/launch-redis.ts'
import { makeDataFolder } from './services/make-data-folder.ts'

await runProcess(async () => {
  const config = readSettings()
  makeDataFolder(config.dataFolder)
  const logger = createLogger(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const { databaseUrl, redisUrl } = await launchServices(config, closers)
    const demo = await prepareDatabase(config, databaseUrl)
    const whole = { ...config, databaseUrl, redisUrl }
    const ofJobs: Metric[] = []
    const node = await startNode({
      config: whole,
      logger,
      moreMetrics: ofJobs,
      onLost: (reason) => startAnew(logger, reason, close),
    })
    closers.push(() => node.close())
    const worker = await startWorker({
      config: { ...whole, publicUrl: node.services.publicUrl },
      logger,
    })
    closers.push(() => worker.close())
    ofJobs.push(...worker.metrics)
    process.stdout.write(describe(config, node, redisUrl, demo)) // In one write, so that a reader gets it whole.
  } catch (error) {
    await close()
    throw error
  }
  return { logger, close }
})

/** Starts the database and the Redis that are not configured; Redis may be absent. */
async function launchServices(config: Config, closers: (() => Promise<void>)[]) {
  const { dataFolder } = config
  let { databaseUrl, redisUrl } = config
  if (databaseUrl === undefined) {
    const postgres = await launchPostgres({ dataFolder, onLost: exitWithReason })
    closers.push(() => postgres.close())
    databaseUrl = postgres.url
  }
  if (redisUrl === undefined) {
    const redis = await launchRedis({ dataFolder })
    if (redis) closers.push(() => redis.close())
    redisUrl = redis?.url
  }
  return { databaseUrl, redisUrl }
}

interface Demo {
  readonly isNew: boolean
  readonly accounts: readonly string[]
}

/** Updates the schema; an empty embedded database gets the demo organization. */
async function prepareDatabase(config: Config, databaseUrl: string): Promise<Demo | undefined> {
  const sql = connect(databaseUrl, 1, 'parley-start')
  try {
    await migrate(sql)
    if (config.databaseUrl !== undefined) return undefined
    const isNew = await makeDemo(sql, config.dataFolder)
    const accounts = await readDemoAccounts(sql, config.dataFolder)
    return accounts && { isNew, accounts }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function describe(
  config: Config,
  node: WebNode,
  redisUrl: string | undefined,
  demo: Demo | undefined,
): string {
  // Clients cannot connect to the address of all interfaces; this machine's own is one of them.
  const isEverywhere = config.publicUrl === undefined && ['0.0.0.0', '::'].includes(config.host)
  const url = isEverywhere ? `http://localhost:${node.port}` : node.services.publicUrl
  const redis =
    config.redisUrl !== undefined
      ? 'as REDIS_URL says'
      : redisUrl !== undefined
        ? 'a private one'
        : 'none; this one process needs none'
  const lines = [
    `Parley is ready at ${url}`,
    `  database: ${config.databaseUrl === undefined ? `embedded PostgreSQL 18 in ${config.dataFolder}` : 'as DATABASE_URL says'}`,
    `  Redis:    ${redis}`,
    `  API:      ${url}/api/v1   reference: ${url}/docs`,
  ]
  if (!node.services.state.organization) {
    lines.push('  There is no organization yet; to make one: npm run -s admin -- --help')
  }
  if (demo) {
    lines.push(demo.isNew ? '  A demo organization was made; its accounts:' : '  Demo accounts:')
    for (const account of demo.accounts) lines.push(`    ${account}`)
  }
  return lines.map((line) => `${line}\n`).join('')
}
