/** Invitations that are made, revoked and used. */

import type { InvitationId, UserId } from '../ids.ts'
import type { InvitationContent } from '../invitations.ts'
import type { Secret } from '../secret.ts'

/** What becomes of invitations. */
export type InvitationChange =
  | {
      readonly kind: 'made'
      readonly invitation: InvitationContent
      readonly key: Secret<string>
    }
  | { readonly kind: 'revoked'; readonly invitationId: InvitationId; readonly inviterId: UserId }
  /** All of somebody, if there are any: an account that comes back stands for none of before. */
  | { readonly kind: 'inviter_left'; readonly inviterId: UserId }

/** The events of invitations. */
export type InviteEvent =
  /** Told without a word of what has changed: who wants to know asks. */
  | { readonly type: 'invites_changed'; readonly change: InvitationChange }
  /** Somebody makes their account by an invitation, which must still be there. */
  | {
      readonly type: 'invitation_used'
      readonly invitationId: InvitationId
      readonly userId: UserId
      /** UNIX seconds. */
      readonly usedAt: number
    }
