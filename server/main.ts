/** The web process: serves clients until it is stopped. */

import { requireOwnSessions } from '../db/accounts/own-sessions.ts'
import { createLogger } from './logger.ts'
import { startSuccessiveNodes } from './node/successive-nodes.ts'
import { startAnew, readSettings, requireDatabase, runProcess } from './run-process.ts'
import { makeDataFolder } from './services/make-data-folder.ts'

/** Routers check readiness every few seconds. */
const DRAIN_SECONDS = 5

await runProcess(async () => {
  const config = requireDatabase(readSettings())
  await requireOwnSessions(config.databaseUrl)
  makeDataFolder(config.dataFolder)
  const logger = createLogger(config.logLevel)
  const nodes = await startSuccessiveNodes({
    config: { ...config, drainSeconds: config.drainSeconds ?? DRAIN_SECONDS },
    logger,
    startAnew: (reason) => startAnew(logger, reason),
  })
  return {
    logger,
    async close() {
      logger.info('web process stops')
      await nodes.close()
    },
  }
})
