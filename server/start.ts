/**
 * `npm start`: everything on one machine in one process tree, with its own database unless one is configured. With
 * `--no-demo`, people set up an organization of their own by a link.
 */

import { randomBytes } from 'node:crypto'
import { connect } from '../db/connection/connect.ts'
import { requireOwnSessions } from '../db/accounts/own-sessions.ts'
import { hasSetupLink } from '../db/accounts/setup-links.ts'
import { startWorker } from '../workers/worker.ts'
import { describeDemoAccount, makeDemo, type ReadDemoAccount, readDemoAccounts } from './admin/demo.ts'
import { upgradeDatabase } from './admin/upgrade-database.ts'
import { isExposedDemo } from './api/is-exposed-demo.ts'
import type { DemoLogins } from './api/services.ts'
import { hashApiKey } from './changes/passwords.ts'
import { createSetupLink } from './changes/organization/set-up.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config.ts'
import { createLogger } from './logger.ts'
import { startNode, type WebNode } from './node/node.ts'
import { VERSION } from './measures/version.ts'
import type { Metric } from './measures/metric.ts'
import { exitWithReason, readSettings, runProcess, startAnew } from './run-process.ts'
import { launchPostgres } from './services/launch-postgres.ts'
import { launchRedis } from './services/launch-redis.ts'
import { makeDataFolder } from './services/make-data-folder.ts'

const NO_DEMO = '--no-demo'

await runProcess(async () => {
  const wantsDemo = !readArguments(process.argv.slice(2)).includes(NO_DEMO)
  const config = readSettings()
  makeDataFolder(config.dataFolder)
  const logger = createLogger(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const { databaseUrl, redisUrl } = await launchServices(config, closers)
    const { demo, isSetUpByLink } = await prepareDatabase(config, databaseUrl, wantsDemo)
    const whole = { ...config, databaseUrl, redisUrl }
    const demoLogins = demo && demoLoginsOf(demo)
    const ofJobs: Metric[] = []
    const node = await startNode({
      config: whole,
      logger,
      moreMetrics: ofJobs,
      demo: demoLogins,
      onLost: (reason) => startAnew(logger, reason, close),
    })
    closers.push(() => node.close())
    if (isExposedDemo(node.services))
      logger.warn(
        'the demo organization is on a public address: start anew with an empty DATA_DIR and --no-demo',
      )
    const worker = await startWorker({
      config: { ...whole, publicUrl: node.services.publicUrl },
      logger,
    })
    closers.push(() => worker.close())
    ofJobs.push(...worker.metrics)
    const url = urlOf(config, node)
    const isLinkNeeded = isSetUpByLink && !node.services.state.organization
    const link = isLinkNeeded ? await createSetupLink(node.services.sql, url) : undefined
    // In one write, so that a reader gets it whole.
    process.stdout.write(describe(config, node, { url, redisUrl, demo, demoLogins, setupUrl: link?.url }))
  } catch (error) {
    await close()
    throw error
  }
  return { logger, close }
})

/** The arguments after the program; throws if one is unknown. */
function readArguments(args: readonly string[]): readonly string[] {
  const unknown = args.find((argument) => argument !== NO_DEMO)
  if (unknown !== undefined) throw new ConfigError(`unknown argument '${unknown}'; there is ${NO_DEMO}`)
  return args
}

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
  readonly accounts: readonly ReadDemoAccount[]
}

/** People of the demo whose key is still that of the demo: another account belongs to somebody by now. */
function demoLoginsOf({ accounts }: Demo): DemoLogins {
  const people = accounts.filter(({ password }) => password !== null)
  return {
    token: randomBytes(18).toString('base64url'),
    accounts: people.flatMap(({ email, apiKey }) =>
      apiKey === undefined ? [] : [{ email, apiKeyHash: hashApiKey(apiKey) }],
    ),
  }
}

interface Prepared {
  readonly demo?: Demo | undefined
  /** Whether a link makes the organization, if there is none. */
  readonly isSetUpByLink: boolean
}

/** Updates the schema; an empty embedded database gets the demo organization, unless the operator wants another. */
async function prepareDatabase(config: Config, databaseUrl: string, wantsDemo: boolean): Promise<Prepared> {
  if (config.databaseUrl !== undefined) await requireOwnSessions(databaseUrl)
  const sql = connect(databaseUrl, 1, 'parley-start')
  try {
    await upgradeDatabase(sql, databaseUrl, config)
    // An earlier start or command may have made a link: a demo would take its place.
    const isSetUpByLink = !wantsDemo || (await hasSetupLink(sql))
    if (config.databaseUrl !== undefined) return { isSetUpByLink }
    const isNew = !isSetUpByLink && (await makeDemo(sql, config.dataFolder))
    const accounts = await readDemoAccounts(sql, config.dataFolder)
    return { demo: accounts && { isNew, accounts }, isSetUpByLink }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The address for people on this machine. */
function urlOf({ publicUrl, host }: Config, node: WebNode): string {
  // Clients cannot connect to the address of all interfaces; this machine's own is one of them.
  const isEverywhere = publicUrl === undefined && ['0.0.0.0', '::'].includes(host)
  return isEverywhere ? `http://localhost:${node.port}` : node.services.publicUrl
}

/** The rest of the description of a start. */
interface Started {
  readonly url: string
  readonly redisUrl: string | undefined
  readonly demo: Demo | undefined
  readonly demoLogins: DemoLogins | undefined
  /** The link that makes the organization. */
  readonly setupUrl: string | undefined
}

function describe(
  config: Config,
  node: WebNode,
  { url, redisUrl, demo, demoLogins, setupUrl }: Started,
): string {
  const redis =
    config.redisUrl !== undefined
      ? 'as REDIS_URL says'
      : redisUrl !== undefined
        ? 'a private one'
        : 'none; this one process needs none'
  const lines = [
    `Parley is ready at ${url}`,
    `  version:  ${VERSION}`,
    `  database: ${config.databaseUrl === undefined ? `embedded PostgreSQL 18 in ${config.dataFolder}` : 'as DATABASE_URL says'}`,
    `  Redis:    ${redis}`,
    `  API:      ${url}/api/v1   reference: ${url}/docs`,
  ]
  if (setupUrl !== undefined) {
    lines.push(
      '  Set up your organization at this address, which works once and for a day:',
      `    ${setupUrl}`,
    )
  } else if (!node.services.state.organization) {
    lines.push('  There is no organization yet; to make one: npm run -s admin -- --help')
  }
  if (demo) {
    if (demoLogins) lines.push('  Open this address to try it:', `    ${url}/#demo/${demoLogins.token}`)
    lines.push(demo.isNew ? '  A demo organization was made; its accounts:' : '  Demo accounts:')
    for (const account of demo.accounts) lines.push(`    ${describeDemoAccount(account)}`)
  }
  return lines.map((line) => `${line}\n`).join('')
}
