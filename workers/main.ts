/** The worker process: runs jobs until it is stopped. */

import { createLogger } from '../server/logger.ts'
import { readSettings, requireDatabase, runProcess } from '../server/run-process.ts'
import { makeDataFolder } from '../server/services/make-data-folder.ts'
import { startWorker } from './worker.ts'

await runProcess(async () => {
  const config = requireDatabase(readSettings())
  makeDataFolder(config.dataFolder)
  const logger = createLogger(config.logLevel)
  const worker = await startWorker({ config, logger })
  logger.info('worker process is ready')
  return { logger, close: () => worker.close() }
})
