/** Warnings at the start of a node: settings that are risky, and parts that are missing. */

import type { Config } from '../config.ts'
import { createFileKey } from '../files/file-key.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Logger } from '../logger.ts'
import { canReadPictures, PLATFORM } from '../services/platform.ts'

/** The parts that warnings of files depend on. */
interface FilesAtStart {
  readonly config: Config
  readonly logger: Logger
  readonly fileStore: FileStore
  readonly isFirst: boolean
}

/** Warns of a place for files that loses them, is seen by one process only, or does not work. */
export function warnOfFiles({ config, logger, fileStore, isFirst }: FilesAtStart): void {
  if (config.objectStore) {
    const warn = (error: unknown) =>
      logger.warn({ err: error }, 'the object store of FILES_URL does not work')
    // It may be away for a while: that is no reason not to start.
    void fileStore.size(createFileKey()).catch(warn)
  } else if (config.isDiskFleeting)
    logger.warn('this host takes its disk away with all uploads: set FILES_URL (DYNO is set)')
  else if (!isFirst)
    logger.warn('another web process runs: uploads need a DATA_DIR that all share, or FILES_URL')
}

/** Warns of log-ins without passwords, and of pictures that cannot be read. */
export function warnOfLogInsAndPictures(config: Config, logger: Logger): void {
  if (config.hasDevelopmentLogins)
    logger.warn('DEVELOPMENT_LOGINS is on: anyone who reaches this server logs in as anyone')
  if (!canReadPictures())
    logger.warn(`avatars, emoji and thumbnails need: npm install --no-save --cpu=wasm32 sharp (${PLATFORM})`)
}
