/** The worker process: runs jobs until it is stopped. */

import { requireOwnSessions } from '../db/accounts/own-sessions.ts'
import { createLogger } from '../server/logger.ts'
import { createProcessMetrics } from '../server/measures/process-metrics.ts'
import { renderMetrics } from '../server/measures/metric.ts'
import { VERSION } from '../server/measures/version.ts'
import { serveMetrics } from '../server/measures/serve-metrics.ts'
import type { Config } from '../server/config.ts'
import { readSettings, requireDatabase, runProcess } from '../server/run-process.ts'
import { makeDataFolder } from '../server/services/make-data-folder.ts'
import { type RunningWorker, startWorker } from './worker.ts'

await runProcess(async () => {
  const config = requireDatabase(readSettings())
  await requireOwnSessions(config.databaseUrl)
  makeDataFolder(config.dataFolder)
  const logger = createLogger(config.logLevel)
  const worker = await startWorker({ config, logger })
  const metrics = await openMetrics(config, worker, (err) => logger.error({ err }, 'metrics failed'))
  const { mailInPort } = worker
  logger.info({ version: VERSION, metricsPort: metrics?.port, mailInPort }, 'worker process is ready')
  return {
    logger,
    async close() {
      await metrics?.close()
      await worker.close()
    },
  }
})

/** A worker serves no clients: its metrics and its health have a port of their own, if the operator sets one. */
async function openMetrics(
  { host, metricsPort, metricsToken }: Config,
  worker: RunningWorker,
  onError: (error: unknown) => void,
) {
  if (metricsPort === undefined) return undefined
  const ofProcess = createProcessMetrics()
  const render = () =>
    renderMetrics([...ofProcess.metrics, ...worker.metrics, ...worker.separateMetrics], onError)
  return serveMetrics({
    host,
    port: metricsPort,
    token: metricsToken,
    render,
    isReady: () => worker.isReady(),
  })
}
