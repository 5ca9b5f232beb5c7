/** Invitations: made, revoked and used. */

import type { InvitationId, UserId } from '../ids.ts'
import type { InvitationContent, Invitee } from '../accounts/invitations.ts'
import type { Secret } from '../secret.ts'

/** Changes of invitations. */
export type InvitationChange =
  | {
      readonly kind: 'made'
      readonly invitation: InvitationContent
      readonly key: Secret<string>
    }
  /** The address is in the table alone. */
  | {
      readonly kind: 'mailed'
      readonly invitation: InvitationContent
      readonly invitee: Secret<Invitee>
    }
  /** Its mail is sent once more, with another link; the lifetime begins anew. */
  | {
      readonly kind: 'resent'
      readonly invitationId: InvitationId
      readonly inviterId: UserId
      /** The user whose mails are counted. */
      readonly senderId: UserId
      /** UNIX seconds. */
      readonly invitedAt: number
      readonly expiresAt: number | null
    }
  /** Invitations by mail of these users went, since the address has an account now. */
  | { readonly kind: 'accepted'; readonly inviterIds: readonly UserId[]; readonly email: Secret<string> }
  /** Somebody got its link to hand over. Links of earlier mails work as before. */
  | {
      readonly kind: 'linked'
      readonly invitationId: InvitationId
      readonly inviterId: UserId
      /** The hash of the token in the link. */
      readonly tokenHash: Secret<string>
    }
  | { readonly kind: 'revoked'; readonly invitationId: InvitationId; readonly inviterId: UserId }
  /** All invitations of a user, if there are any: a reactivated account has no earlier invitations. */
  | { readonly kind: 'inviter_left'; readonly inviterId: UserId }

/** Why a new user may have their address. */
export type AddressProof =
  | {
      /** By the mail of an invitation to the address, or by one that confirmed it for a link. */
      readonly kind: 'mail' | 'joining'
      readonly email: string
      /** The hash of a token that only the mail had. */
      readonly tokenHash: string
    }
  /** By a provider of log-ins, which has verified it. */
  | { readonly kind: 'provider'; readonly email: string }
  /** By nothing but their word, which suffices with an invitation link while an owner allows it. */
  | { readonly kind: 'word'; readonly email: string }

export type InviteFact =
  /** Invitations changed; the event has no details, so clients request the list. */
  | { readonly type: 'invites_changed'; readonly change: InvitationChange }
  /** A user makes their account by an invitation, which must still exist. */
  | {
      readonly type: 'invitation_used'
      readonly invitationId: InvitationId
      readonly userId: UserId
      /** UNIX seconds. */
      readonly usedAt: number
      readonly proof?: Secret<AddressProof>
    }
