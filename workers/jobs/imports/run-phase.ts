/** One phase of an import: the check of the archive, or the import itself. */

import { openLocalWriter } from '../../../server/actors/local-writer.ts'
import { planImport } from '../../../server/changes/imports/dry-run.ts'
import type { ImportWatch } from '../../../server/changes/imports/import-watch.ts'
import { reportForOwner } from '../../../server/changes/imports/owner-report.ts'
import { ImportError } from '../../../server/changes/imports/records.ts'
import {
  type ImportRequest,
  type ImportResult,
  runImport,
} from '../../../server/changes/imports/run-import.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import type { ImportState, OrganizationImport } from '../../../server/domain/organization/imports.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import type { GuardedFetch } from '../../../server/outbound/guarded-fetch.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { storeImportReport } from '../../../db/imports/organization-imports.ts'
import { Imager } from '../../pool/imager.ts'
import { withLocalArchive } from './local-archive.ts'

/** Milliseconds for one picture: an import waits for each. */
const IMAGE_MS_MAX = 20_000
/** UTF-16 units of the reason of a failure, which may name parts of the archive. */
const REASON_LENGTH_MAX = 500

/** The parts that a phase needs. */
export interface PhaseWork {
  readonly sql: Sql
  readonly databaseUrl: string
  readonly publicUrl: string
  readonly fileStore: FileStore
  readonly fetch: GuardedFetch
  readonly clock: Clock
}

type AtWork = Extract<ImportState, { readonly phase: 'checking' | 'running' }>
/** An import that a worker has to do with. */
export type ImportAtWork = OrganizationImport & { readonly state: AtWork }

/** Whether an import waits for a worker. */
export function isAtWork(one: OrganizationImport): one is ImportAtWork {
  return one.state.phase === 'checking' || one.state.phase === 'running'
}

/** Runs the phase, and answers the state that follows; rejects if the phase may succeed later. */
export async function runPhase(
  work: PhaseWork,
  one: ImportAtWork,
  watch: ImportWatch & { readonly signal: AbortSignal },
): Promise<ImportState> {
  const { sql, fileStore, clock } = work
  const { product, fileName, isFetching, isKeepingRoles, channelNames, state } = one
  // The sentences of readers name the file, which is one of the server here.
  let readPath = ''
  try {
    return await withLocalArchive({ sql, fileStore, signal: watch.signal }, state.archive, (path) => {
      readPath = path
      const chosenNames = new Map(channelNames.map(({ name, importedAs }) => [name, importedAs]))
      const request = { product, path, isFetching, isKeepingRoles, chosenNames }
      const run = state.phase === 'checking' ? check : bring
      return run(work, one, request, watch)
    })
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const sentence = readPath === '' ? error.message : error.message.replaceAll(readPath, fileName)
    const reason = sentence.slice(0, REASON_LENGTH_MAX).replaceAll('\0', ' ').toWellFormed()
    return { phase: 'failed', at: nowSeconds(clock), reason }
  }
}

async function check(
  work: PhaseWork,
  one: ImportAtWork,
  request: ImportRequest,
  watch: ImportWatch,
): Promise<ImportState> {
  const { archive } = one.state
  const writer = await openLocalWriter(work.databaseUrl, 'parley-import', { work: 'jobs' })
  try {
    await keep(work, one, 'plan', await planImport(request, watch, writer))
  } finally {
    await writer.close()
  }
  return { phase: 'checked', at: nowSeconds(work.clock), archive, messages: watch.rows }
}

async function bring(
  work: PhaseWork,
  one: ImportAtWork,
  request: ImportRequest,
  watch: ImportWatch,
): Promise<ImportState> {
  const { databaseUrl, publicUrl, fileStore, fetch } = work
  const writer = await openLocalWriter(databaseUrl, 'parley-import', { work: 'jobs' })
  const imager = new Imager(IMAGE_MS_MAX)
  try {
    const filing = { fileStore, imager, ...(request.isFetching ? { fetch } : {}) }
    await keep(work, one, 'report', await runImport(request, writer, { publicUrl, watch, filing }))
  } finally {
    await imager.close()
    await writer.close()
  }
  return { phase: 'done', at: nowSeconds(work.clock) }
}

function keep(
  { sql }: PhaseWork,
  { id }: OrganizationImport,
  kind: 'plan' | 'report',
  { head, report }: ImportResult<object>,
): Promise<void> {
  return storeImportReport(sql, id, kind, reportForOwner(head, report))
}
