/** Invitations: made, revoked and used. */

import { storeInvitationChange, useInvitation } from '../../db/accounts/invitations.ts'
import { storeInvitationRun } from '../../db/log/store-runs.ts'
import { notifyInvitations } from '../audience/users.ts'
import type { InvitationContent } from '../domain/accounts/invitations.ts'
import type { InvitationChange, InviteFact } from '../domain/events/invites.ts'
import { anyOf, arrayOf, INTEGER, oneOf, orNull, record } from '../domain/json-schema.ts'
import { audited } from './audited.ts'
import { type Entries, fact, silent } from './entry.ts'
import { shown } from './view.ts'

type MadeChange = Extract<InvitationChange, { readonly kind: 'made' | 'mailed' }>
/** Without addresses, keys and tokens. */
type AuditedChange =
  | ({ readonly kind: MadeChange['kind'] } & Pick<
      InvitationContent,
      'inviterId' | 'role' | 'channelIds' | 'groupIds' | 'expiresAt'
    >)
  | Exclude<InvitationChange, MadeChange | { readonly kind: 'accepted' | 'linked' }>
  | Omit<Extract<InvitationChange, { readonly kind: 'linked' }>, 'tokenHash'>

function withoutSecrets(change: Exclude<InvitationChange, { readonly kind: 'accepted' }>): AuditedChange {
  if (change.kind === 'linked') {
    const { kind, inviterId, invitationId } = change
    return { kind, inviterId, invitationId }
  }
  if (change.kind !== 'made' && change.kind !== 'mailed') return change
  const { inviterId, role, channelIds, groupIds, expiresAt } = change.invitation
  return { kind: change.kind, inviterId, role, channelIds, groupIds, expiresAt }
}

export const INVITE_EVENTS: Entries<InviteFact> = {
  invites_changed: fact({
    audience: notifyInvitations,
    store: (writes, id, { change }) => storeInvitationChange(writes, id, change),
    storeRun: storeInvitationRun,
    view: shown('The invitations changed; fetch them again.', record({}), () => ({})),
    audit: audited(
      // An acceptance follows from the use.
      ({ change }) => (change.kind === 'accepted' ? undefined : { change: withoutSecrets(change) }),
      anyOf(
        record({
          op: oneOf('made', 'mailed'),
          inviter_id: INTEGER,
          role: INTEGER,
          stream_ids: arrayOf(INTEGER),
          group_ids: arrayOf(INTEGER),
          expires_at: orNull(INTEGER),
        }),
        record(
          { op: oneOf('revoked', 'resent', 'linked', 'inviter_left'), inviter_id: INTEGER },
          { invite_id: INTEGER },
        ),
      ),
      ({ change }) => {
        if (!('role' in change)) {
          return {
            op: change.kind,
            inviter_id: change.inviterId,
            ...(change.kind === 'inviter_left' ? {} : { invite_id: change.invitationId }),
          }
        }
        return {
          op: change.kind,
          inviter_id: change.inviterId,
          role: change.role,
          stream_ids: change.channelIds,
          group_ids: change.groupIds,
          expires_at: change.expiresAt,
        }
      },
    ),
  }),
  invitation_used: silent({
    store: (writes, _, { invitationId, usedAt, proof }) =>
      useInvitation(writes, invitationId, usedAt, proof?.reveal()),
    audit: audited(
      ({ invitationId, userId }) => ({ invitationId, userId }),
      record({ invite_id: INTEGER, user_id: INTEGER }),
      ({ invitationId, userId }) => ({ invite_id: invitationId, user_id: userId }),
    ),
  }),
}
