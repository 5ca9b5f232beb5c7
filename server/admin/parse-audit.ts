/** Parses the options of `audit list`. */

import type { AuditEntry } from '../domain/users/audit.ts'
import { AUDIT_KINDS } from '../events/audit-entries.ts'
import { UsageError } from './usage-error.ts'

/** Which entries of the audit log to print. */
export interface AuditCommand {
  readonly kind: 'audit list'
  /** The address of the user who made the changes. */
  readonly user: string | undefined
  readonly kinds: readonly AuditEntry['kind'][] | undefined
  /** UNIX seconds. */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly beforeId: number | undefined
  readonly countMax: number
}

/** Entries that are printed by default, and at most: the list is held in memory. */
const COUNT_DEFAULT = 100
const COUNT_MAX = 10_000

/** Reads the options; throws a `UsageError` that names the first wrong one. */
export function parseAudit(values: ReadonlyMap<string, string>): AuditCommand {
  return {
    kind: 'audit list',
    user: values.get('user'),
    kinds: parseKinds(values.get('kind')),
    since: parseTime('--since', values.get('since')),
    until: parseTime('--until', values.get('until')),
    beforeId: parseCount('--before', values.get('before'), Number.MAX_SAFE_INTEGER),
    countMax: parseCount('--limit', values.get('limit'), COUNT_MAX) ?? COUNT_DEFAULT,
  }
}

function parseKinds(given: string | undefined): readonly AuditEntry['kind'][] | undefined {
  return given?.split(',').map((name) => {
    const kind = AUDIT_KINDS.find((one) => one === name.trim())
    if (!kind) throw new UsageError(`--kind must be one or more of ${AUDIT_KINDS.join(', ')}`)
    return kind
  })
}

function parseTime(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const ms = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms))
    throw new UsageError(`${option} must be a date such as 2026-01-31 or 2026-01-31T18:00Z`)
  return Math.floor(ms / 1_000)
}

function parseCount(option: string, given: string | undefined, max: number): number | undefined {
  if (given === undefined) return undefined
  const count = Number(given)
  if (!/^\d+$/.test(given) || count < 1 || count > max)
    throw new UsageError(`${option} must be a number from 1 to ${max}`)
  return count
}
