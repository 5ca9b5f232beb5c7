/** Accounts, bots included, and who knows of them. */

import type { BotSetup } from '../users/bots.ts'
import type { User } from '../entities.ts'
import type { ProfileFieldId, UserId } from '../ids.ts'
import type { LoginProof, LoginSession } from '../accounts/login-sessions.ts'
import type { PictureId, PictureSource } from '../files/pictures.ts'
import type { ProfileValue } from '../organization/profile-fields.ts'
import type { AccessRefused } from '../users/refusals.ts'
import type { SecondFactorsChanged } from '../accounts/second-factors.ts'
import type { UserSettings } from '../users/user-settings.ts'
import type { Secret } from '../secret.ts'
import type { ClientKind } from './client-kind.ts'

/** Changes of an account. */
export type UserChange = Partial<Omit<User, 'id' | 'botType' | 'avatarVersion' | 'isSystem'>>

/** Whether a change ends the log-in sessions of its user: with other rights, people log in again. */
export function endsSessions({ role, isActive }: UserChange): boolean {
  return role !== undefined || isActive === false
}

/** Changes of a bot for its managers. */
export type BotChange = Partial<Pick<User, 'isActive' | 'fullName' | 'botOwnerId'>> & {
  /** The whole value. */
  readonly setup?: BotSetup
  /** Set if it has another avatar for clients. */
  readonly hasNewAvatar?: true
}

/** The avatar that a user chose; null for that of their source. */
export interface AvatarChange {
  readonly pictureId: PictureId | null
  readonly version: number
}

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

/** An account, or its visible parts. */
export type UserEvent =
  | {
      readonly type: 'realm_user/add'
      readonly user: User
      /** The settings that differ from the defaults; left out if there are none. */
      readonly settings?: Partial<UserSettings>
      /** The picture that they were made with; left out for a drawn one. */
      readonly pictureId?: PictureId
      /** The organization's choice for new users; left out if it had none. */
      readonly pictureSource?: PictureSource
    }
  | {
      readonly type: 'realm_user/update'
      readonly userId: UserId
      readonly changes: UserChange
    }
  /** An administrator made an account; the user joins at their first log-in: an update of `joinedAt`. */
  | { readonly type: 'login_awaited'; readonly userId: UserId }
  /** The new setup of a bot. */
  | { readonly type: 'bot_setup_changed'; readonly botId: UserId; readonly setup: BotSetup }
  /** Notice for managers of a bot: it appears, or disappears. */
  | { readonly type: 'realm_bot/add' | 'realm_bot/delete'; readonly botId: UserId }
  /** Notice for managers of a bot: it has changed. */
  | { readonly type: 'realm_bot/update'; readonly botId: UserId; readonly change: BotChange }
  /** Notice: a user has another visible address; it is read when the event is sent. */
  | { readonly type: 'realm_user/email'; readonly userId: UserId }
  /** A user chose another avatar; it is read when the event is sent. */
  | { readonly type: 'realm_user/avatar'; readonly userId: UserId; readonly avatar: AvatarChange }
  /** Notice: for some, a user has another avatar, since it is made from the visible address. */
  | { readonly type: 'realm_user/avatar_shown'; readonly userId: UserId }
  /** Notice: some users now see a user's real address, or no longer do. */
  | { readonly type: 'realm_user/delivery_email'; readonly userId: UserId; readonly isShown: boolean }
  /** Notice: some users now know a user; the user is read when the event is sent. */
  | { readonly type: 'realm_user/reveal'; readonly userId: UserId; readonly clients?: ClientKind }
  /** Notice: some users no longer know a user. */
  | { readonly type: 'realm_user/conceal'; readonly userId: UserId }
  /** A user changed a field of their profile; null if it is empty now. */
  | {
      readonly type: 'realm_user/profile'
      readonly userId: UserId
      readonly fieldId: ProfileFieldId
      readonly filled: ProfileValue | null
    }
  /** Keys are SHA-256 hashes in hex; the whole list of the user's keys after the change, oldest first. */
  | {
      readonly type: 'api_keys_changed'
      readonly userId: UserId
      readonly keyHashes: readonly string[]
      /** The credentials of the log-in that adds a key. */
      readonly proof?: Secret<LoginProof>
    }
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
  /** A user wants another address, or has confirmed it: then an update of the account follows. */
  | { readonly type: 'own_address'; readonly userId: UserId; readonly step: Secret<OwnAddressStep> }
  /** Users who were seen on a day, counted from 1970 in UTC; once a day for each. */
  | { readonly type: 'users_seen'; readonly day: number; readonly userIds: readonly UserId[] }
