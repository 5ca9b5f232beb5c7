/** Exports of the organization: asked for, made, given up and deleted. */

import type { ExportId } from '../../domain/ids.ts'
import { EXPORT_DAYS, EXPORTS_PER_WEEK_MAX } from '../../domain/limits.ts'
import type { ExportKind, ExportOutcome, OrganizationExport } from '../../domain/organization/exports.ts'
import { DAY_SECONDS } from '../../domain/messages/weekly-traffic.ts'
import { checkAdministrator } from '../check-caller.ts'
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
  const since = now - 7 * DAY_SECONDS
  const recent = state.exports.filter(({ requestedAt }) => requestedAt > since)
  if (recent.length >= EXPORTS_PER_WEEK_MAX)
    throw fail('TOO_MANY_EXPORTS', { countMax: EXPORTS_PER_WEEK_MAX })
  const id = state.nextExportId
  const made: OrganizationExport = {
    id,
    userId: caller.id,
    kind,
    requestedAt: now,
    outcome: { phase: 'pending' },
  }
  return answering(id, [{ type: 'realm_export', export: made }])
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
  const { state, now, fail } = scope
  const found = state.exports.find(({ id }) => id === exportId)
  if (!found) throw fail('EXPORT_UNKNOWN')
  const { phase } = found.outcome
  if (phase !== 'done') throw fail(REFUSALS[phase])
  return done([{ type: 'realm_export', export: { ...found, outcome: { phase: 'deleted', deletedAt: now } } }])
}

/** Ends a pending export; answers whether it was still pending. */
export function decideExportEnd(
  { state }: ServerScope,
  { exportId, outcome }: { readonly exportId: ExportId; readonly outcome: ExportOutcome },
): Decision<boolean> {
  const found = state.exports.find(({ id }) => id === exportId)
  if (found?.outcome.phase !== 'pending') return answering(false, [])
  return answering(true, [{ type: 'realm_export', export: { ...found, outcome } }])
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
  return done(
    expired.map((one) => ({
      type: 'realm_export',
      export: { ...one, outcome: { phase: 'deleted', deletedAt: now } },
    })),
  )
}
