/** Entries of the audit log for clients. */

import {
  AUDIT_KINDS,
  type AuditEntry,
  type AuditKind,
  SERVER_ACTOR,
  UNKNOWN_ACTOR,
} from '../domain/users/audit.ts'
import { anyOf, describe, INTEGER, oneOf, orNull, record, type ValueOf } from '../domain/json-schema.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { AUDIT_DETAILS, AUDIT_VIEWS } from './audit-details.ts'

const FIELDS = {
  id: describe(INTEGER, 'The id of the event.'),
  timestamp: describe(INTEGER, 'UNIX seconds.'),
  actor: describe(
    oneOf('user', 'server', 'unknown'),
    '`server` is the server itself or its operator; entries of earlier releases are `unknown`.',
  ),
  acting_user_id: describe(orNull(INTEGER), 'The user who made the change, if the actor is one.'),
}

const entryOf = <Kind extends AuditKind>(kind: Kind) =>
  record({ ...FIELDS, kind: oneOf(kind), details: AUDIT_DETAILS[kind] })

/** Schema of `viewAuditEntry`: the details depend on the kind. */
export const AUDIT_ENTRY = anyOf(...AUDIT_KINDS.map((kind) => entryOf(kind)))

/** An entry of the audit log. */
export function viewAuditEntry(
  { id, at, actorId, kind, part }: AuditEntry,
  activeUsers: UserSet,
): ValueOf<typeof AUDIT_ENTRY> {
  const isUser = actorId !== SERVER_ACTOR && actorId !== UNKNOWN_ACTOR
  const view = AUDIT_VIEWS[kind] as (
    part: object,
    activeUsers: UserSet,
  ) => ValueOf<typeof AUDIT_ENTRY>['details']
  return {
    id,
    timestamp: at,
    actor: isUser ? 'user' : actorId === SERVER_ACTOR ? 'server' : 'unknown',
    acting_user_id: isUser ? actorId : null,
    kind,
    details: view(part, activeUsers),
  }
}
