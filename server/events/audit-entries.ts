/** Entries of the audit log: what is stored of facts, and how owners see it. */

import type { Fact, LogEvent } from '../domain/events.ts'
import {
  anyOf,
  describe,
  INTEGER,
  oneOf,
  orNull,
  record,
  type Schema,
  type ValueOf,
} from '../domain/json-schema.ts'
import {
  type ActorId,
  type AuditEntry,
  SCIM_ACTOR,
  SERVER_ACTOR,
  UNKNOWN_ACTOR,
} from '../domain/users/audit.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import type { Audited } from './audited.ts'
import type { FactEntry } from './entry.ts'
import { EVENTS, factEntryOf } from './table.ts'

type AuditKind = AuditEntry['kind']

/** The facts in the audit log, in the order of the table. */
const AUDITED = Object.entries(EVENTS as unknown as Record<AuditKind, FactEntry<Fact>>).flatMap(
  ([type, { audit }]) => (audit ? [[type as AuditKind, audit] as const] : []),
)
/** Their types. */
export const AUDIT_KINDS: readonly AuditKind[] = AUDITED.map(([kind]) => kind)

const FIELDS = {
  id: describe(INTEGER, 'The id of the event.'),
  timestamp: describe(INTEGER, 'UNIX seconds.'),
  actor: describe(
    oneOf('user', 'server', 'scim', 'unknown'),
    "`server` is the server itself or its operator, `scim` the company's provider of identities; entries of earlier releases are `unknown`.",
  ),
  acting_user_id: describe(orNull(INTEGER), 'The user who made the change, if the actor is one.'),
}

const entryOf = (kind: AuditKind, details: Schema<object>) =>
  record({ ...FIELDS, kind: oneOf(kind), details })

/** Schema of `viewAuditEntry`: the details depend on the kind. */
export const AUDIT_ENTRY = anyOf(...AUDITED.map(([kind, { schema }]) => entryOf(kind, schema)))

const OTHER_ACTORS = new Map<ActorId, 'server' | 'scim' | 'unknown'>([
  [SERVER_ACTOR, 'server'],
  [SCIM_ACTOR, 'scim'],
  [UNKNOWN_ACTOR, 'unknown'],
])

/** The part of an event that the audit log stores; undefined if it has none. */
export function auditPartOf(event: LogEvent): object | undefined {
  return factEntryOf(event)?.audit?.partOf(event as Fact)
}

/** An entry of the audit log. */
export function viewAuditEntry(
  { id, at, actorId, kind, part }: AuditEntry,
  activeUsers: UserSet,
): ValueOf<typeof AUDIT_ENTRY> {
  const other = OTHER_ACTORS.get(actorId)
  const { view } = EVENTS[kind].audit as Audited<never>
  return {
    id,
    timestamp: at,
    actor: other ?? 'user',
    acting_user_id: other === undefined ? actorId : null,
    kind,
    details: view(part as never, activeUsers, id),
  }
}
