/** Imports by owners: begun, given an archive, started, cancelled, and brought further by a worker. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import { DAY_SECONDS } from '../../domain/messages/weekly-traffic.ts'
import type { ImportId } from '../../domain/ids.ts'
import { IMPORT_CHECKED_DAYS, IMPORT_WAIT_DAYS } from '../../domain/limits.ts'
import {
  type ChosenName,
  findMergeProblem,
  type ImportArchive,
  type ImportState,
  isImportOver,
  type OrganizationImport,
  type PlannedNames,
} from '../../domain/organization/imports.ts'
import { CHANNEL_NAME_ERRORS, checkChannelName } from '../channels/find-channel.ts'
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
  const begun = { ...wanted, id, userId: caller.id, channelNames: [], requestedAt: now }
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

/** How chosen names can fail to fit each other, or the channels that are here. */
const NAMES_ERRORS = ['IMPORT_INTO_ARCHIVED', 'IMPORT_INTO_PUBLIC', 'IMPORT_NAMES_EQUAL'] as const

/** How choosing names for the channels of an import can fail. */
export const IMPORT_NAMES_ERRORS = [
  'ROLE_REQUIRED',
  'IMPORT_UNKNOWN',
  'IMPORT_NOT_CHECKED',
  'IMPORT_CHANNEL_UNKNOWN',
  ...CHANNEL_NAME_ERRORS,
  ...NAMES_ERRORS,
] as const

/** Stores the names that an owner chose for channels whose names are taken: the whole list, of which the last counts. */
export function decideImportNames(
  scope: Scope<(typeof IMPORT_NAMES_ERRORS)[number]>,
  { importId, names, planned }: ImportStart & { readonly names: readonly ChosenName[] },
): Decision<void> {
  const found = findChecked(scope, importId)
  const taken = new Set(planned.taken.map(({ name }) => name))
  for (const { name, importedAs } of names) {
    if (!taken.has(name)) throw scope.fail('IMPORT_CHANNEL_UNKNOWN', { name })
    checkChannelName(scope, importedAs)
  }
  const chosen = [...new Map(names.map((one) => [one.name, one])).values()]
  checkNames(scope, chosen, planned)
  return done([{ type: 'realm_import', import: { ...found, channelNames: chosen } }])
}

/** How starting an import can fail. */
export const IMPORT_START_ERRORS = [
  'ROLE_REQUIRED',
  'IMPORT_UNKNOWN',
  'IMPORT_NOT_CHECKED',
  ...NAMES_ERRORS,
] as const

/** An import, and the names of its plan. */
interface ImportStart {
  readonly importId: ImportId
  readonly planned: PlannedNames
}

/** Starts a checked import; channels may have changed since its names were chosen. */
export function decideImportStart(
  scope: Scope<(typeof IMPORT_START_ERRORS)[number]>,
  { importId, planned }: ImportStart,
): Decision<void> {
  const found = findChecked(scope, importId)
  checkNames(scope, found.channelNames, planned)
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
  // Each second: the names, which may be many, stay as they were.
  const { channelNames: _, ...changed } = found
  return answering(true, [{ type: 'realm_import', import: { ...changed, state: next } }])
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

type Checked = OrganizationImport & { readonly state: Extract<ImportState, { readonly phase: 'checked' }> }

/** An import whose archive is checked, for an owner. */
function findChecked(
  scope: Pick<Scope<'ROLE_REQUIRED' | 'IMPORT_UNKNOWN' | 'IMPORT_NOT_CHECKED'>, 'state' | 'caller' | 'fail'>,
  importId: ImportId,
): Checked {
  checkOwner(scope)
  const found = findImport(scope, importId)
  if (found.state.phase !== 'checked') throw scope.fail('IMPORT_NOT_CHECKED')
  return found as Checked
}

/** Throws unless each chosen name is that of a channel that the other one may come into, or of one new channel alone. */
function checkNames(
  { state, fail }: Pick<Scope<(typeof NAMES_ERRORS)[number]>, 'state' | 'fail'>,
  chosen: readonly ChosenName[],
  { taken, others }: PlannedNames,
): void {
  const names = new Map(chosen.map(({ name, importedAs }) => [name, importedAs]))
  const kept = taken.filter(({ name }) => !names.has(name)).map(({ importedAs }) => importedAs)
  const made = new Set([...others, ...kept].map(foldCase))
  for (const { name, isPrivate } of taken) {
    const here = names.get(name)
    if (here === undefined) continue
    const there = state.findChannelByName(here)?.channel
    const problem = there && findMergeProblem(isPrivate, there)
    if (problem === 'archived') throw fail('IMPORT_INTO_ARCHIVED', { name, here })
    if (problem === 'public') throw fail('IMPORT_INTO_PUBLIC', { name, here })
    if (!there && made.has(foldCase(here))) throw fail('IMPORT_NAMES_EQUAL', { here })
    made.add(foldCase(here))
  }
}

function toState(one: OrganizationImport, state: ImportState): Decision<void> {
  const { channelNames: _, ...changed } = one
  return done([{ type: 'realm_import', import: { ...changed, state } }])
}
