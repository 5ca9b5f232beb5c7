/** What happens to accounts, bots included, and who knows of them. */

import type { BotSetup } from '../bots.ts'
import type { User } from '../entities.ts'
import type { ProfileFieldId, UserId } from '../ids.ts'
import type { PictureId } from '../pictures.ts'
import type { ProfileValue } from '../profile-fields.ts'
import type { UserSettings } from '../user-settings.ts'
import type { ClientKind } from './client-kind.ts'

/** What changes about an account. */
export type UserChange = Partial<
  Pick<User, 'isActive' | 'role' | 'fullName' | 'timezone' | 'botOwnerId' | 'email' | 'joinedAt'>
>

/** What changes about a bot for those who manage it. */
export type BotChange = Partial<Pick<User, 'isActive' | 'fullName' | 'botOwnerId'>> & {
  /** As a whole. */
  readonly setup?: BotSetup
  /** Set where it is shown with another avatar. */
  readonly hasNewAvatar?: true
}

/** The avatar that a user chose; null for the one that follows the address. */
export interface AvatarChange {
  readonly pictureId: PictureId | null
  readonly version: number
}

/** An account, or what is known of it. */
export type UserEvent =
  | {
      readonly type: 'realm_user/add'
      readonly user: User
      /** What the user starts with otherwise than is usual; left out where nothing is. */
      readonly settings?: Partial<UserSettings>
    }
  | {
      readonly type: 'realm_user/update'
      readonly userId: UserId
      readonly changes: UserChange
    }
  /** An account was made for somebody, who joins at their first log-in: an update of `joinedAt`. */
  | { readonly type: 'login_awaited'; readonly userId: UserId }
  /** How a bot is set up from now on. */
  | { readonly type: 'bot_setup_changed'; readonly botId: UserId; readonly setup: BotSetup }
  /** To those who manage a bot: that it is there, or is not for them; told only. */
  | { readonly type: 'realm_bot/add' | 'realm_bot/delete'; readonly botId: UserId }
  /** To the same, what of it changed; told only. */
  | { readonly type: 'realm_bot/update'; readonly botId: UserId; readonly change: BotChange }
  /** A user is shown by another address than before; told only, as things are when it is told. */
  | { readonly type: 'realm_user/email'; readonly userId: UserId }
  /** A user chose another avatar; shown as it is when it is sent. */
  | { readonly type: 'realm_user/avatar'; readonly userId: UserId; readonly avatar: AvatarChange }
  /** Some see a user with another avatar, since it follows the address that they see. */
  | { readonly type: 'realm_user/avatar_shown'; readonly userId: UserId }
  /** Some come to see a user's real address, or no longer do; told only. */
  | { readonly type: 'realm_user/delivery_email'; readonly userId: UserId; readonly isShown: boolean }
  /** Some come to know a user who is there; told only, as the user is when it is told. */
  | { readonly type: 'realm_user/reveal'; readonly userId: UserId; readonly clients?: ClientKind }
  /** Some no longer know a user; told only. */
  | { readonly type: 'realm_user/conceal'; readonly userId: UserId }
  /** A user's profile says something else; null where it says nothing. */
  | {
      readonly type: 'realm_user/profile'
      readonly userId: UserId
      readonly fieldId: ProfileFieldId
      readonly filled: ProfileValue | null
    }
  /** Keys are SHA-256 hashes in hex; the whole list of the user's keys after the change, oldest first. */
  | { readonly type: 'api_keys_changed'; readonly userId: UserId; readonly keyHashes: readonly string[] }
  /** Users were seen on a day, counted from 1970 in UTC; once a day for each. */
  | { readonly type: 'users_seen'; readonly day: number; readonly userIds: readonly UserId[] }
