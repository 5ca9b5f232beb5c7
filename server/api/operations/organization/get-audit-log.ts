/** `GET /realm/audit_log`: who changed what, and when. */

import { readAudit } from '../../../../db/log/audit-log.ts'
import { checkOwner } from '../../../decisions/check-caller.ts'
import type { EventId, UserId } from '../../../domain/ids.ts'
import { arrayOf, BOOLEAN } from '../../../domain/json-schema.ts'
import { AUDIT_ENTRY, AUDIT_KINDS, auditPartOf, viewAuditEntry } from '../../../events/audit-entries.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, integer, list, oneOf, optional } from '../../params.ts'

/** Entries in one reply: each names up to some thousand messages or users. */
const ENTRIES_MAX = 200

/** UNIX seconds: the end of the year 9999. */
const TIME_MAX = 253_402_300_799
const time = integer({ min: 0, max: TIME_MAX })

export const getAuditLog = operation({
  method: 'GET',
  path: '/realm/audit_log',
  summary: 'Get the audit log',
  description:
    'For owners: changes of the organization, accounts, channels, subscriptions, groups and invitations, deleted ' +
    'and moved messages, and refused log-ins, codes and permissions, the newest first. It has no text of messages, no ' +
    'topics, and no email addresses, passwords, keys or tokens. Private data of users, such as settings and drafts, ' +
    'are left out. Entries are kept for two years.\n\n' +
    'For older entries pass the id of the last one as `before_id`.',
  access: 'user',
  params: {
    acting_user_id: optional(id<UserId>(), 'Only changes by this user.'),
    kinds: optional(
      list(oneOf(...AUDIT_KINDS), { lengthMax: AUDIT_KINDS.length }),
      'Only changes of these kinds. They are named like the events of the log.',
    ),
    since: optional(time, 'Only changes at this time or later, in UNIX seconds.'),
    until: optional(time, 'Only changes before this time, in UNIX seconds.'),
    before_id: optional(id<EventId>(), 'Only entries older than this one.'),
    limit: defaulted(integer({ min: 1, max: ENTRIES_MAX }), 100, 'Entries at most.'),
  },
  reply: {
    entries: { schema: arrayOf(AUDIT_ENTRY), description: 'The entries, the newest first.' },
    found_oldest: { schema: BOOLEAN, description: 'Whether there are no older entries.' },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  async run({ params, user, services: { sql, state }, fail }) {
    checkOwner({ caller: user, fail })
    const asked = {
      actorId: params.acting_user_id,
      kinds: params.kinds ?? AUDIT_KINDS,
      since: params.since,
      until: params.until,
      beforeId: params.before_id,
      countMax: params.limit,
    }
    const { entries, isLast } = await readAudit(sql, asked, auditPartOf)
    const { activeUsers } = state.rights
    return { entries: entries.map((one) => viewAuditEntry(one, activeUsers)), found_oldest: isLast }
  },
})
