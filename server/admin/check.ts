/** `check`: compares tables, log, memory, search index and files, and lists what differs. Changes nothing. */

import { type Contradiction, findContradictions } from '../../db/backup/consistency.ts'
import { connect, type Sql, type Transaction } from '../../db/connection/connect.ts'
import { findWronglyIndexed } from '../../db/search/search-consistency.ts'
import { readWholeUploads } from '../../db/files/uploads.ts'
import { readUsage } from '../../db/organization/usage.ts'
import type { FileStore } from '../files/file-store.ts'
import { viewUsage } from '../views/usage-view.ts'
import { compareLog } from './compare-log.ts'
import { compareProcesses } from './compare-processes.ts'
import type { Difference } from './difference.ts'
import { Progress } from './progress.ts'

/** The result of a check. */
export interface CheckResult {
  readonly ok: boolean
  readonly last_event_id: number
  /** Entries of the log that were read. */
  readonly log_entries: number
  /** Whether the log goes back to the first event, so that the tables were compared with the sum of all events. */
  readonly is_log_complete: boolean
  /** Running processes whose memory was compared. */
  readonly processes: number
  readonly files: number
  /** Sizes, growth and waiting work, as `GET /realm/usage` has them. */
  readonly usage: ReturnType<typeof viewUsage>
  readonly differences: readonly Difference[]
}

/** Ids that are listed for one kind of difference. */
const IDS_MAX = 1_000

/** Checks a database with the schema of this release, and its files; servers may run. */
export async function check(databaseUrl: string, fileStore: FileStore): Promise<CheckResult> {
  const sql = connect(databaseUrl, 3, 'parley-check', { work: 'backups' })
  const progress = new Progress('check')
  try {
    progress.step = 'tables'
    const { rows, indexed } = await checkTables(sql, progress)
    progress.step = 'log'
    const log = await compareLog(sql, progress)
    progress.step = 'memory'
    const memory = await compareProcesses(sql)
    progress.step = 'files'
    const files = await checkFiles(sql, fileStore, progress)
    progress.step = 'usage'
    const usage = viewUsage(await readUsage(sql))
    const differences = [...rows, ...indexed, ...log.differences, ...memory.differences, ...files]
    return {
      ok: differences.length === 0,
      last_event_id: log.lastEventId,
      log_entries: log.entries,
      is_log_complete: log.isComplete,
      processes: memory.processes,
      files: progress.files,
      usage,
      differences,
    }
  } finally {
    progress.stop()
    await sql.end({ timeout: 0 })
  }
}

async function checkTables(
  sql: Sql,
  progress: Progress,
): Promise<{ rows: Difference[]; indexed: Difference[] }> {
  return sql.begin('isolation level repeatable read read only', async (tx: Transaction) => {
    const rows = (await findContradictions(tx)).map(describe)
    progress.step = 'search index'
    const indexed = listed(
      'search index',
      'the search index does not match the text of these messages',
      await findWronglyIndexed(tx),
    )
    return { rows, indexed }
  }) as Promise<{ rows: Difference[]; indexed: Difference[] }>
}

async function checkFiles(sql: Sql, fileStore: FileStore, progress: Progress): Promise<Difference[]> {
  const missing: string[] = []
  const other: string[] = []
  for await (const { key, size } of readWholeUploads(sql)) {
    const stored = await fileStore.size(key)
    progress.files++
    if (stored === undefined) missing.push(key)
    else if (stored !== size) other.push(key)
  }
  return [
    ...listed('file', 'the bytes of these uploads are missing', missing),
    ...listed('file', 'the bytes of these uploads have the wrong length', other),
  ]
}

function describe({ kind, text, ids, isCut }: Contradiction): Difference {
  return { kind, text: isCut ? `${text}, and more` : text, ids }
}

/** A difference with these ids, if there are any. */
function listed(kind: string, text: string, ids: readonly (string | number)[]): Difference[] {
  if (ids.length === 0) return []
  return [describe({ kind, text, ids: ids.slice(0, IDS_MAX).map(String), isCut: ids.length > IDS_MAX })]
}
