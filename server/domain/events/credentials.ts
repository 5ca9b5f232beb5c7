/** Passwords, keys, log-ins and second factors, and who was refused. */

import type { UserId } from '../ids.ts'
import type { AgentWrote } from '../accounts/agent-mark.ts'
import type { LoginProof, LoginSession } from '../accounts/login-sessions.ts'
import type { NamedKey, NamedKeyRenewal } from '../accounts/named-keys.ts'
import type { SecondFactorsChanged } from '../accounts/second-factors.ts'
import type { Secret } from '../secret.ts'
import type { AccessRefused } from '../users/refusals.ts'

/** A new password, and the way in which its user got it. */
export type NewPassword = { readonly passwordHash: string } & (
  | { readonly kind: 'first' | 'by_operator' }
  | {
      readonly kind: 'by_link'
      /** The hash of the token in the mail, which must still be valid. */
      readonly tokenHash: string
    }
  | {
      readonly kind: 'changed'
      /** The hash that was checked, which must still be there; undefined if the user had no password. */
      readonly before: string | undefined
    }
)

/** A step towards a new address of a user: a mail goes to the new one, and after the confirmation to both. */
export type OwnAddressStep =
  | { readonly kind: 'asked'; readonly email: string }
  | {
      readonly kind: 'confirmed'
      /** The hash of the token in the mail, which must still be valid. */
      readonly tokenHash: string
      readonly former: string
      readonly email: string
    }

/** Credentials of an account. No client gets these. */
export type CredentialFact =
  /** Keys are SHA-256 hashes in hex; the whole list of the user's keys after the change, oldest first. */
  | {
      readonly type: 'api_keys_changed'
      readonly userId: UserId
      readonly keyHashes: readonly string[]
      /** The credentials of the log-in that adds a key. */
      readonly proof?: Secret<LoginProof>
    }
  /** A user or bot has one more named key. */
  | { readonly type: 'named_key_made'; readonly userId: UserId; readonly key: NamedKey }
  /** The key of an agent has another text and later ends: the agent came back for it. */
  | ({ readonly type: 'named_key_renewed'; readonly userId: UserId } & NamedKeyRenewal)
  /** Named keys were revoked, ended with the others of their user, or were over. */
  | { readonly type: 'named_keys_ended'; readonly userId: UserId; readonly keyIds: readonly string[] }
  /** The whole list of the user's log-in sessions after the change, oldest first. */
  | {
      readonly type: 'login_sessions_changed'
      readonly userId: UserId
      readonly sessions: readonly LoginSession[]
      /** The credentials of the log-in that adds a session. */
      readonly proof?: Secret<LoginProof>
    }
  /** A user has another password, or the one of a new account. */
  | { readonly type: 'password_set'; readonly userId: UserId; readonly secrets: Secret<NewPassword> }
  | SecondFactorsChanged
  | AccessRefused
  | AgentWrote
  /** A user wants another address, or has confirmed it: then an update of the account follows. */
  | { readonly type: 'own_address'; readonly userId: UserId; readonly step: Secret<OwnAddressStep> }
