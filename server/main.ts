/** The web process: serves clients until it is stopped. */

import { requireOwnSessions } from '../db/accounts/own-sessions.ts'
import { createLogger } from './logger.ts'
import { startNode } from './node/node.ts'
import { startAnew, readSettings, requireDatabase, runProcess } from './run-process.ts'
import { VERSION } from './measures/version.ts'
import { makeDataFolder } from './services/make-data-folder.ts'

/** Routers check readiness every few seconds. */
const DRAIN_SECONDS = 5

await runProcess(async () => {
  const config = requireDatabase(readSettings())
  await requireOwnSessions(config.databaseUrl)
  makeDataFolder(config.dataFolder)
  const logger = createLogger(config.logLevel)
  const node = await startNode({
    config: { ...config, drainSeconds: config.drainSeconds ?? DRAIN_SECONDS },
    logger,
    onLost: (reason) => startAnew(logger, reason),
  })
  logger.info({ version: VERSION, url: node.url }, 'web process is ready')
  return {
    logger,
    async close() {
      logger.info('web process stops')
      await node.close()
    },
  }
})
