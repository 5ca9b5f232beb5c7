/** Makes the exports that wait, one after another, and removes archives that are too old. */

import { beginExport, hasExportWork, noteProgress, tryExportLock } from '../../../db/organization/exports.ts'
import { connect, type Sql } from '../../../db/connection/connect.ts'
import { writeExport } from '../../../server/changes/exports/write-export.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import {
  decideExpiredExports,
  decideExportEnd,
  lastExpired,
} from '../../../server/decisions/organization/change-exports.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import { EXPORT_BYTES_MAX } from '../../../server/domain/limits.ts'
import {
  type ExportOutcome,
  exportsOfAll,
  type OrganizationExport,
} from '../../../server/domain/organization/exports.ts'
import { createFileKey } from '../../../server/files/file-key.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import type { OpenSender } from '../share-sender.ts'

/** Runs of one export: a process may die on the way, or the store may be away; what fails each time is given up. */
const TRIES_MAX = 10
/** Milliseconds between notes of the progress. */
const PROGRESS_PERIOD_MS = 2_000

/** The parts of the work. */
export interface ExportWork {
  readonly sql: Sql
  readonly databaseUrl: string
  readonly fileStore: FileStore
  readonly clock: Clock
  readonly openSender: OpenSender
  /** Aborts when the process ends: the export stays, and the next process begins it again. */
  readonly signal: AbortSignal
  readonly onDone: (record: object) => void
}

/**
 * Makes all exports that wait. Only one worker does so at a time: the lock ends with its connection, so a worker that
 * dies is followed by the next one. An export ends once, by the event in the log.
 */
export async function makeExports(work: ExportWork): Promise<void> {
  const { sql, clock, openSender, databaseUrl, signal } = work
  if (!(await hasExportWork(sql, lastExpired(nowSeconds(clock))))) return
  const lock = connect(databaseUrl, 1, 'parley-export-lock', { work: 'jobs' })
  try {
    await lock`select` // The driver reserves only a connection that is open already.
    const connection = await lock.reserve()
    if (!(await tryExportLock(connection))) return
    const sender = await openSender()
    await sender.catchUp()
    await submitForServer({ committer: sender.services.committer, clock }, decideExpiredExports)
    for (;;) {
      await sender.catchUp()
      const pending = sender.services.state.exports.filter(({ outcome }) => outcome.phase === 'pending')
      // An administrator's does not wait behind those of many people.
      const next = exportsOfAll(pending)[0] ?? pending[0]
      if (!next || signal.aborted) break
      await makeExport(work, sender, next)
      await connection`select` // Fails if the lock is gone with its connection.
    }
    await sender.tell()
  } finally {
    await lock.end({ timeout: 0 })
  }
}

async function makeExport(work: ExportWork, sender: Sender, next: OrganizationExport): Promise<void> {
  const { sql, fileStore, clock, signal, onDone } = work
  const key = createFileKey()
  const tries = await beginExport(sql, next.id, key)
  const end = async (outcome: ExportOutcome) => {
    const request = { exportId: next.id, outcome }
    const parts = { committer: sender.services.committer, clock }
    const isEnded = await submitForServer(parts, (scope) => decideExportEnd(scope, request))
    // Nobody knows of the archive if a worker that seemed dead ended the export before.
    if (!isEnded || outcome.phase !== 'done') await fileStore.remove(key)
    await sender.tell()
    onDone({ export: next.id, phase: outcome.phase })
  }
  if (tries > TRIES_MAX) return end({ phase: 'failed', failedAt: nowSeconds(clock) })
  const { bytes } = await writeExport(
    {
      databaseUrl: work.databaseUrl,
      fileStore,
      contents: next.kind === 'own' ? { person: next.userId } : next.kind,
      now: new Date(clock.nowMs()),
      signal,
      onProgress: progressNotes(sql, next),
    },
    (archive) => fileStore.write(key, archive, EXPORT_BYTES_MAX),
  )
  await end({ phase: 'done', key, bytes, doneAt: nowSeconds(clock) })
}

/** Notes the progress now and then; a note that fails is not missed. */
function progressNotes(sql: Sql, { id }: OrganizationExport): (part: number) => void {
  let lastMs = performance.now()
  return (part) => {
    if (performance.now() - lastMs < PROGRESS_PERIOD_MS) return
    lastMs = performance.now()
    noteProgress(sql, id, part).catch(() => undefined)
  }
}
