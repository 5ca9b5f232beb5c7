/** Accounts, and who knows of them. */

import type { User } from '../entities.ts'
import type { ProfileFieldId, UserId } from '../ids.ts'
import type { PictureId, PictureSource } from '../files/pictures.ts'
import type { ProfileValue } from '../organization/profile-fields.ts'
import type { Rewritten, ScimUser } from '../scim/people.ts'
import type { Secret } from '../secret.ts'
import type { UserSettings } from '../users/user-settings.ts'
import type { ClientKind } from './client-kind.ts'

/** Changes of an account. */
export type UserChange = Partial<Omit<User, 'id' | 'botType' | 'avatarVersion' | 'isSystem'>>

/** Whether a change ends the log-in sessions of its user: with other rights, people log in again. */
export function endsSessions({ role, isActive }: UserChange): boolean {
  return role !== undefined || isActive === false
}

/** The avatar that a user chose; null for that of their source. */
export interface AvatarChange {
  readonly pictureId: PictureId | null
  readonly version: number
}

/** An account, or its visible parts. */
export type UserFact =
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
  /** The provider of identities describes a person by SCIM otherwise: the log has no part of it. */
  | {
      readonly type: 'scim_user_changed'
      readonly userId: UserId
      readonly stored: Secret<Rewritten<ScimUser>>
    }
  /** A user chose another avatar; it is read when the event is sent. */
  | { readonly type: 'realm_user/avatar'; readonly userId: UserId; readonly avatar: AvatarChange }
  /** A user changed a field of their profile; null if it is empty now. */
  | {
      readonly type: 'realm_user/profile'
      readonly userId: UserId
      readonly fieldId: ProfileFieldId
      readonly filled: ProfileValue | null
    }
  /** Users who were seen on a day, counted from 1970 in UTC; once a day for each. */
  | { readonly type: 'users_seen'; readonly day: number; readonly userIds: readonly UserId[] }

export type UserNotice =
  /** A user has another visible address; it is read when the event is sent. */
  | { readonly type: 'realm_user/email'; readonly userId: UserId }
  /** For some, a user has another avatar, since it is made from the visible address. */
  | { readonly type: 'realm_user/avatar_shown'; readonly userId: UserId }
  /** Some users now see a user's real address, or no longer do. */
  | { readonly type: 'realm_user/delivery_email'; readonly userId: UserId; readonly isShown: boolean }
  /** Some users now know a user; the user is read when the event is sent. */
  | { readonly type: 'realm_user/reveal'; readonly userId: UserId; readonly clients?: ClientKind }
  /** Some users no longer know a user. */
  | { readonly type: 'realm_user/conceal'; readonly userId: UserId }
