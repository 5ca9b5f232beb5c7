/** Checks the archives of imports, and brings over what owners start, one after another. */

import {
  beginImport,
  hasImportWork,
  takeBackTry,
  tryImportLock,
} from '../../../db/imports/organization-imports.ts'
import { connect } from '../../../db/connection/connect.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import {
  decideAbandonedImports,
  decideImportState,
  lastAbandoned,
} from '../../../server/decisions/organization/change-imports.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import type { ImportState } from '../../../server/domain/organization/imports.ts'
import type { OpenSender } from '../share-sender.ts'
import { followRun } from './follow-run.ts'
import { findCopies, removeCopies } from './local-archive.ts'
import { type ImportAtWork, isAtWork, type PhaseWork, runPhase } from './run-phase.ts'

/** Runs of one phase: a process may die on the way, or the store may be away; what fails each time is given up. */
const TRIES_MAX = 10

/** The parts of the work. */
export interface ImportWork extends PhaseWork {
  readonly openSender: OpenSender
  /** Aborts when the process ends: the import stays, and the next process goes on. */
  readonly signal: AbortSignal
  readonly onDone: (record: object) => void
}

/**
 * Does all that imports wait for. Only one worker does so at a time: the lock ends with its connection, so a worker that
 * dies is followed by the next one, which goes on where the log ends.
 */
export async function makeImports(work: ImportWork): Promise<void> {
  const { sql, clock, openSender, databaseUrl, signal } = work
  const hasWork = await hasImportWork(sql, lastAbandoned(nowSeconds(clock)))
  if (!hasWork && (await findCopies(sql)).length === 0) return
  const lock = connect(databaseUrl, 1, 'parley-import-lock', { work: 'jobs' })
  try {
    await lock`select` // The driver reserves only a connection that is open already.
    const connection = await lock.reserve()
    if (!(await tryImportLock(connection))) return
    await removeCopies(await findCopies(sql))
    const sender = await openSender()
    await sender.catchUp()
    await submitForServer({ committer: sender.services.committer, clock }, decideAbandonedImports)
    for (;;) {
      await sender.catchUp()
      const next = sender.services.state.imports.find(isAtWork)
      if (!next || signal.aborted) break
      await makeImport(work, sender, next, async () => void (await connection`select`))
    }
    await sender.tell()
  } finally {
    await lock.end({ timeout: 0 })
  }
}

/** Runs a phase of an import; `checkLock` rejects if the lock is gone with its connection. */
async function makeImport(
  work: ImportWork,
  sender: Sender,
  one: ImportAtWork,
  checkLock: () => Promise<void>,
): Promise<void> {
  const { sql, clock, signal, onDone } = work
  const parts = { committer: sender.services.committer, clock }
  const change = (next: ImportState) =>
    submitForServer(parts, (scope) => decideImportState(scope, { of: one, next }))
  const end = async (next: ImportState) => {
    const isEnded = await change(next)
    await sender.tell()
    onDone({ import: one.id, phase: isEnded ? next.phase : 'cancelled' })
  }
  const tries = await beginImport(sql, one.id)
  if (tries > TRIES_MAX) {
    const reason = `It failed ${TRIES_MAX} times. The log of the server says why.`
    return end({ phase: 'failed', at: nowSeconds(clock), reason })
  }
  const run = followRun(one, {
    state: sender.services.state,
    catchUp: () => sender.catchUp(),
    change,
    tell: () => sender.tell(),
    checkLock,
    onCancelled: () => onDone({ import: one.id, phase: 'cancelled' }),
  })
  const next = await runPhase(work, one, run.watch(signal))
    .catch(async (error: unknown) => {
      // The owner's decision, or the end of the process: nothing failed.
      if (!run.isCancelled && !signal.aborted) throw error
      if (!run.isCancelled) await takeBackTry(sql, one.id)
      return undefined
    })
    .finally(() => run.stop())
  if (!next || run.isCancelled) return
  await checkLock() // Another worker that has it may have removed the copy that this one read.
  await end(next)
}
