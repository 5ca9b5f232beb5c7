/** Exports of the organization: archives that administrators ask for, and that a worker makes. */

import type { ExportId, UserId } from '../ids.ts'
import { EXPORTS_LISTED_MAX } from '../limits.ts'

/** The contents: only what everyone may read, or also private data of the users who allow it. */
export const EXPORT_KINDS = { public: 1, consented: 2 } as const
export type ExportKind = keyof typeof EXPORT_KINDS

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
  /** The administrator who asked for it. */
  readonly userId: UserId
  readonly kind: ExportKind
  /** UNIX seconds. */
  readonly requestedAt: number
  readonly outcome: ExportOutcome
}

/** The list after an export was added or changed. Of very many, those whose archives are gone leave the list. */
export function withExport(
  exports: readonly OrganizationExport[],
  changed: OrganizationExport,
): readonly OrganizationExport[] {
  const oldest = changed.id - EXPORTS_LISTED_MAX
  const others = exports.filter(({ id, outcome }) => id !== changed.id && (id > oldest || isHeld(outcome)))
  return [...others, changed].sort((one, other) => one.id - other.id)
}

/** Whether an export has an archive, or will have one. */
function isHeld({ phase }: ExportOutcome): boolean {
  return phase === 'pending' || phase === 'done'
}
