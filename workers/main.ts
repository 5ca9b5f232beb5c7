/** The worker process: runs the jobs until it is told to stop. */

import { readConfig } from '../server/config.ts'
import { createLogger } from '../server/logger.ts'
import { requireDatabase, runProcess } from '../server/run-process.ts'
import { startWorker } from './worker.ts'

await runProcess(async () => {
  const config = requireDatabase(readConfig(process.env))
  const logger = createLogger(config.logLevel)
  const worker = await startWorker({ config, logger })
  logger.info('worker process is ready')
  return { logger, close: () => worker.close() }
})
