/** Warnings at the start of a node: settings that are risky, and parts that are missing. */

import { countConnections } from '../../db/connection/connect.ts'
import type { Config } from '../config.ts'
import { LOOK_CONNECTION } from '../log/tail-log.ts'
import type { Logger } from '../logger.ts'
import { canReadPictures, PLATFORM } from '../services/platform.ts'
import type { Connections } from './connections.ts'
import type { NodeContext } from './node-context.ts'

/** Milliseconds until an earlier process that this one replaces is gone: it drains for 15 s and stops within 25 s. */
const REPLACED_MS_MAX = 60_000

/** Warns of a place for files that loses them. */
export function warnOfFiles(config: Config, logger: Logger): void {
  if (!config.objectStore && config.isDiskFleeting)
    logger.warn('this host takes its disk away with all uploads: set FILES_URL (DYNO is set)')
}

/** Warns of files that other web processes may not see, unless those have stopped soon: then this process replaces them. */
export function warnOfSeparateFolders(
  { config, logger, closers, onError }: NodeContext,
  { isFirst, sql, clock }: Connections,
): void {
  if (isFirst || config.objectStore || config.isDiskFleeting) return
  let hasWarned = false
  const look = async () => {
    // The connection that counts is replaced now and then, so one look may miss it.
    const count = await countConnections(sql, LOOK_CONNECTION)
    if (count < 2 || hasWarned) return
    hasWarned = true
    looks.stop()
    logger.warn(`${count} web processes run: uploads need a DATA_DIR that all share, or FILES_URL`)
  }
  const looks = clock.every(REPLACED_MS_MAX, () => void look().catch(onError))
  closers.push(() => looks.stop())
}

/** Warns of log-ins without passwords, and of pictures that cannot be read. */
export function warnOfLogInsAndPictures(config: Config, logger: Logger): void {
  if (config.hasDevelopmentLogins)
    logger.warn('DEVELOPMENT_LOGINS is on: anyone who reaches this server logs in as anyone')
  if (!canReadPictures())
    logger.warn(`avatars, emoji and thumbnails need: npm install --no-save --cpu=wasm32 sharp (${PLATFORM})`)
}
