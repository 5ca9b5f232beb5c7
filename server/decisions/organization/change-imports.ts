/** Imports by owners: begun, given an archive, started, cancelled, and brought further by a worker. */

import { DAY_SECONDS } from '../../domain/messages/weekly-traffic.ts'
import type { ImportId } from '../../domain/ids.ts'
import { IMPORT_CHECKED_DAYS, IMPORT_WAIT_DAYS } from '../../domain/limits.ts'
import {
  type ImportArchive,
  type ImportState,
  isImportOver,
  type OrganizationImport,
} from '../../domain/organization/imports.ts'
import { checkOwner } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'

const BEGINNING = { step: 'starting', messages: 0 } as const

/** The archive to come, and what to do with it. */
export type NewImport = Pick<OrganizationImport, 'product' | 'fileName' | 'isFetching' | 'isKeepingRoles'>

/** How beginning an import can fail. */
export const NEW_IMPORT_ERRORS = ['ROLE_REQUIRED', 'IMPORT_UNDER_WAY'] as const

/** Begins an import, which waits for its archive; answers its id. */
export function decideNewImport(
  scope: Scope<(typeof NEW_IMPORT_ERRORS)[number]>,
  wanted: NewImport,
): Decision<ImportId> {
  checkOwner(scope)
  const { state, now, caller, fail } = scope
  if (state.imports.some((one) => !isImportOver(one))) throw fail('IMPORT_UNDER_WAY')
  const id = state.nextImportId
  const begun = { ...wanted, id, userId: caller.id, requestedAt: now }
  return answering(id, [{ type: 'realm_import', import: { ...begun, state: { phase: 'waiting', at: now } } }])
}

/** How an archive can be refused. */
const ARCHIVE_ERRORS = ['ROLE_REQUIRED', 'IMPORT_UNKNOWN', 'IMPORT_NOT_WAITING'] as const

/** Throws unless an owner may upload the archive of an import. */
export function checkArchive(
  scope: Pick<Scope<(typeof ARCHIVE_ERRORS)[number]>, 'state' | 'caller' | 'fail'>,
  importId: ImportId,
): OrganizationImport {
  checkOwner(scope)
  const found = findImport(scope, importId)
  if (found.state.phase !== 'waiting') throw scope.fail('IMPORT_NOT_WAITING')
  return found
}

/** Gives an import its archive, which a worker checks; repeating it changes nothing. */
export function decideArchive(
  scope: Scope<(typeof ARCHIVE_ERRORS)[number]>,
  { importId, archive }: { readonly importId: ImportId; readonly archive: ImportArchive },
): Decision<void> {
  const known = scope.state.imports.find(({ id }) => id === importId)
  if (known && 'archive' in known.state && known.state.archive.key === archive.key) return done([])
  const found = checkArchive(scope, importId)
  return toState(found, { phase: 'checking', at: scope.now, archive, progress: BEGINNING })
}

/** How starting an import can fail. */
export const IMPORT_START_ERRORS = ['ROLE_REQUIRED', 'IMPORT_UNKNOWN', 'IMPORT_NOT_CHECKED'] as const

/** Starts a checked import. */
export function decideImportStart(
  scope: Scope<(typeof IMPORT_START_ERRORS)[number]>,
  { importId }: { readonly importId: ImportId },
): Decision<void> {
  checkOwner(scope)
  const found = findImport(scope, importId)
  if (found.state.phase !== 'checked') throw scope.fail('IMPORT_NOT_CHECKED')
  const { archive, messages } = found.state
  return toState(found, { phase: 'running', at: scope.now, archive, messages, progress: BEGINNING })
}

/** How cancelling an import can fail. */
export const IMPORT_CANCEL_ERRORS = ['ROLE_REQUIRED', 'IMPORT_UNKNOWN', 'IMPORT_OVER'] as const

/** Cancels an import; all that it has brought over stays. */
export function decideImportCancel(
  scope: Scope<(typeof IMPORT_CANCEL_ERRORS)[number]>,
  { importId }: { readonly importId: ImportId },
): Decision<void> {
  checkOwner(scope)
  const found = findImport(scope, importId)
  if (isImportOver(found)) throw scope.fail('IMPORT_OVER')
  return toState(found, { phase: 'cancelled', at: scope.now })
}

/** Brings an import further that is still in the phase of its worker; answers whether it was. */
export function decideImportState(
  { state }: ServerScope,
  { of, next }: { readonly of: OrganizationImport; readonly next: ImportState },
): Decision<boolean> {
  const found = state.imports.find(({ id }) => id === of.id)
  if (found?.state.phase !== of.state.phase) return answering(false, [])
  return answering(true, [{ type: 'realm_import', import: { ...found, state: next } }])
}

/** Since when imports are left alone that are cancelled now, in UNIX seconds. */
export function lastAbandoned(now: number): { readonly waitingSince: number; readonly checkedSince: number } {
  return {
    waitingSince: now - IMPORT_WAIT_DAYS * DAY_SECONDS,
    checkedSince: now - IMPORT_CHECKED_DAYS * DAY_SECONDS,
  }
}

/** Cancels the import that its owner has left alone. */
export function decideAbandonedImports({ state, now }: ServerScope): Decision<void> {
  const { waitingSince, checkedSince } = lastAbandoned(now)
  const abandoned = state.imports.filter(
    ({ state: { phase, at } }) =>
      (phase === 'waiting' && at < waitingSince) || (phase === 'checked' && at < checkedSince),
  )
  return done(
    abandoned.map((one) => ({
      type: 'realm_import',
      import: { ...one, state: { phase: 'cancelled', at: now } },
    })),
  )
}

function findImport(
  scope: Pick<Scope<'IMPORT_UNKNOWN'>, 'state' | 'fail'>,
  importId: ImportId,
): OrganizationImport {
  const found = scope.state.imports.find(({ id }) => id === importId)
  if (!found) throw scope.fail('IMPORT_UNKNOWN')
  return found
}

function toState(one: OrganizationImport, state: ImportState): Decision<void> {
  return done([{ type: 'realm_import', import: { ...one, state } }])
}
