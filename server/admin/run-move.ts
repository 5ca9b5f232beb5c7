/** Runs `files move`. */

import { connect } from '../../db/connection/connect.ts'
import { tryMoveLock } from '../../db/files/uploads.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import { ChangeRefused } from '../errors/change-refused.ts'
import { openFilePlaces } from '../files/open-file-store.ts'
import { type MovedFiles, moveFiles } from './move-files.ts'
import { openDatabase } from './open-database.ts'
import type { MoveCommand } from './parse-command.ts'

/** Moves the files and returns the output. */
export async function runMove(
  { to, keepsOriginals }: MoveCommand,
  config: Config,
): Promise<MovedFiles & { readonly to: string }> {
  const { folder, store } = await openFilePlaces(config)
  if (!store) throw new ConfigError('files move needs FILES_URL')
  const database = await openDatabase(config)
  const sql = connect(database.url, 1, 'parley-admin')
  try {
    if (!(await tryMoveLock(sql))) throw new ChangeRefused('files are already being moved')
    const places = to === 'store' ? { from: folder, to: store } : { from: store, to: folder }
    return { to, ...(await moveFiles(sql, { ...places, keepsOriginals })) }
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}
