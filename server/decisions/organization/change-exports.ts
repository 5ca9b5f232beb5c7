/** Exports of the organization, and of people's own data: asked for, made, given up and deleted. */

import type { ExportId } from '../../domain/ids.ts'
import { EXPORT_DAYS, EXPORTS_PER_WEEK_MAX, OWN_EXPORTS_PER_WEEK_MAX } from '../../domain/limits.ts'
import {
  EXPORT_WEEK_SECONDS,
  type ExportKind,
  type ExportOfAll,
  type ExportOutcome,
  exportsOfAll,
  type OrganizationExport,
  ownExports,
} from '../../domain/organization/exports.ts'
import type { Fact } from '../../domain/events.ts'
import { DAY_SECONDS } from '../../domain/messages/weekly-traffic.ts'
import { checkAdministrator, checkPerson } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'

/** How asking for an export can fail. */
export const NEW_EXPORT_ERRORS = ['ROLE_REQUIRED', 'TOO_MANY_EXPORTS'] as const

/** Asks for an export; answers its id. */
export function decideNewExport(
  scope: Scope<(typeof NEW_EXPORT_ERRORS)[number]>,
  { kind }: { readonly kind: ExportKind },
): Decision<ExportId> {
  checkAdministrator(scope)
  const { state, now, caller, fail } = scope
  const since = now - EXPORT_WEEK_SECONDS
  const recent = exportsOfAll(state.exports).filter(({ requestedAt }) => requestedAt > since)
  if (recent.length >= EXPORTS_PER_WEEK_MAX)
    throw fail('TOO_MANY_EXPORTS', { countMax: EXPORTS_PER_WEEK_MAX })
  const id = state.nextExportId
  const made: ExportOfAll = {
    id,
    userId: caller.id,
    kind,
    requestedAt: now,
    outcome: { phase: 'pending' },
  }
  return answering(id, [{ type: 'realm_export', export: made }])
}

/** How asking for an export of one's own data can fail. */
export const NEW_OWN_EXPORT_ERRORS = ['BOT_REFUSED', 'OWN_EXPORT_PENDING', 'TOO_MANY_EXPORTS'] as const

/** Asks for an export of the caller's own data, instead of an archive that they have; answers its id. */
export function decideNewOwnExport(scope: Scope<(typeof NEW_OWN_EXPORT_ERRORS)[number]>): Decision<ExportId> {
  checkPerson(scope)
  const { state, now, caller, fail } = scope
  const own = ownExports(state.exports, caller.id)
  if (own.some(({ outcome }) => outcome.phase === 'pending')) throw fail('OWN_EXPORT_PENDING')
  const recent = own.filter(({ requestedAt }) => requestedAt > now - EXPORT_WEEK_SECONDS)
  if (recent.length >= OWN_EXPORTS_PER_WEEK_MAX)
    throw fail('TOO_MANY_EXPORTS', { countMax: OWN_EXPORTS_PER_WEEK_MAX })
  const id = state.nextExportId
  const outcome = { phase: 'pending' } as const
  return answering(id, [
    ...own
      .filter((one) => one.outcome.phase === 'done')
      .map((one) => changed(one, { phase: 'deleted', deletedAt: now })),
    changed({ id, userId: caller.id, kind: 'own', requestedAt: now, outcome }, outcome),
  ])
}

/** The fact of an export with another outcome. */
function changed(one: OrganizationExport, outcome: ExportOutcome): Fact {
  const { kind } = one
  return kind === 'own'
    ? { type: 'own_export', userId: one.userId, export: { ...one, outcome } }
    : { type: 'realm_export', export: { ...one, kind, outcome } }
}

/** How deleting an export can fail. */
export const EXPORT_REMOVAL_ERRORS = [
  'ROLE_REQUIRED',
  'EXPORT_UNKNOWN',
  'EXPORT_PENDING',
  'EXPORT_FAILED',
  'EXPORT_DELETED',
] as const
const REFUSALS = { pending: 'EXPORT_PENDING', failed: 'EXPORT_FAILED', deleted: 'EXPORT_DELETED' } as const

/** Deletes the archive of an export; the export stays in the list. */
export function decideExportRemoval(
  scope: Scope<(typeof EXPORT_REMOVAL_ERRORS)[number]>,
  { exportId }: { readonly exportId: ExportId },
): Decision<void> {
  checkAdministrator(scope)
  return removeArchive(
    scope,
    exportsOfAll(scope.state.exports).find(({ id }) => id === exportId),
  )
}

/** How deleting an export of one's own data can fail. */
export const OWN_EXPORT_REMOVAL_ERRORS = [
  'EXPORT_UNKNOWN',
  'EXPORT_PENDING',
  'EXPORT_FAILED',
  'EXPORT_DELETED',
] as const
type RemovalScope = Scope<(typeof OWN_EXPORT_REMOVAL_ERRORS)[number]>

/** Deletes the archive of the caller's own data. */
export function decideOwnExportRemoval(
  scope: RemovalScope,
  { exportId }: { readonly exportId: ExportId },
): Decision<void> {
  const { state, caller } = scope
  return removeArchive(
    scope,
    ownExports(state.exports, caller.id).find(({ id }) => id === exportId),
  )
}

function removeArchive({ now, fail }: RemovalScope, found: OrganizationExport | undefined): Decision<void> {
  if (!found) throw fail('EXPORT_UNKNOWN')
  const { phase } = found.outcome
  if (phase !== 'done') throw fail(REFUSALS[phase])
  return done([changed(found, { phase: 'deleted', deletedAt: now })])
}

/** Ends a pending export; answers whether it was still pending. */
export function decideExportEnd(
  { state }: ServerScope,
  { exportId, outcome }: { readonly exportId: ExportId; readonly outcome: ExportOutcome },
): Decision<boolean> {
  const found = state.exports.find(({ id }) => id === exportId)
  if (found?.outcome.phase !== 'pending') return answering(false, [])
  return answering(true, [changed(found, outcome)])
}

/** The latest time in UNIX seconds at which an archive was made that is removed now. */
export function lastExpired(now: number): number {
  return now - EXPORT_DAYS * DAY_SECONDS
}

/** Deletes the archives that are too old. */
export function decideExpiredExports({ state, now }: ServerScope): Decision<void> {
  const expired = state.exports.filter(
    ({ outcome }) => outcome.phase === 'done' && outcome.doneAt < lastExpired(now),
  )
  return done(expired.map((one) => changed(one, { phase: 'deleted', deletedAt: now })))
}
