/** Invitations: made, revoked and used. */

import type { InvitationId, UserId } from '../ids.ts'
import type { InvitationContent } from '../invitations.ts'
import type { Secret } from '../secret.ts'

/** Changes of invitations. */
export type InvitationChange =
  | {
      readonly kind: 'made'
      readonly invitation: InvitationContent
      readonly key: Secret<string>
    }
  | { readonly kind: 'revoked'; readonly invitationId: InvitationId; readonly inviterId: UserId }
  /** All invitations of a user, if there are any: a reactivated account has no earlier invitations. */
  | { readonly kind: 'inviter_left'; readonly inviterId: UserId }

/** The events of invitations. */
export type InviteEvent =
  /** Invitations changed; the event has no details, so clients request the list. */
  | { readonly type: 'invites_changed'; readonly change: InvitationChange }
  /** A user makes their account by an invitation, which must still exist. */
  | {
      readonly type: 'invitation_used'
      readonly invitationId: InvitationId
      readonly userId: UserId
      /** UNIX seconds. */
      readonly usedAt: number
    }
