/** Exports: archives of the organization for administrators, and of their own data for people. A worker makes them. */

import type { ExportId, UserId } from '../ids.ts'
import { EXPORTS_LISTED_MAX } from '../limits.ts'

/** The contents: only what everyone may read, or also private data of the users who allow it. */
export const EXPORT_KINDS = { public: 1, consented: 2 } as const
export type ExportKind = keyof typeof EXPORT_KINDS
/** The seconds of seven days, in which requests for exports are counted. */
export const EXPORT_WEEK_SECONDS = 7 * 86_400

/** Its progress; times are UNIX seconds. */
export type ExportOutcome =
  | { readonly phase: 'pending' }
  /** `key` names the archive in the file store. */
  | { readonly phase: 'done'; readonly key: string; readonly bytes: number; readonly doneAt: number }
  | { readonly phase: 'failed'; readonly failedAt: number }
  | { readonly phase: 'deleted'; readonly deletedAt: number }

/** An export. */
export interface OrganizationExport {
  readonly id: ExportId
  /** The administrator, or the person, who asked for it. */
  readonly userId: UserId
  /** `own` has the data of that person, for them alone. */
  readonly kind: ExportKind | 'own'
  /** UNIX seconds. */
  readonly requestedAt: number
  readonly outcome: ExportOutcome
}

/** An export for administrators. */
export type ExportOfAll = OrganizationExport & { readonly kind: ExportKind }

/** The exports for administrators. */
export function exportsOfAll(exports: readonly OrganizationExport[]): ExportOfAll[] {
  return exports.filter((one): one is ExportOfAll => one.kind !== 'own')
}

/** A person's exports of their own data. */
export function ownExports(exports: readonly OrganizationExport[], userId: UserId): OrganizationExport[] {
  return exports.filter((one) => one.kind === 'own' && one.userId === userId)
}

/**
 * The list after an export was added or changed. Of very many, those whose archives are gone leave the list after the week
 * for which they are counted.
 */
export function withExport(
  exports: readonly OrganizationExport[],
  changed: OrganizationExport,
): readonly OrganizationExport[] {
  const oldest = changed.id - EXPORTS_LISTED_MAX
  const since = changed.requestedAt - EXPORT_WEEK_SECONDS
  const others = exports.filter(
    ({ id, requestedAt, outcome }) =>
      id !== changed.id && (id > oldest || isHeld(outcome) || requestedAt > since),
  )
  return [...others, changed].sort((one, other) => one.id - other.id)
}

/** Whether an export has an archive, or will have one. */
function isHeld({ phase }: ExportOutcome): boolean {
  return phase === 'pending' || phase === 'done'
}
