/** Users and bots, with their credentials. */

import type { User } from '../../server/domain/entities.ts'
import type { AvatarChange, UserChange } from '../../server/domain/events/users.ts'
import type { NewPassword } from '../../server/domain/events/credentials.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { PictureId, PictureSource } from '../../server/domain/files/pictures.ts'
import type { UserSettingChange, UserSettings } from '../../server/domain/users/user-settings.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { MissingResetError, voidLinks } from './password-resets.ts'
import { hasToken } from '../mail/repeated-links.ts'
import { forgetReplyTokens } from '../mail/reply-tokens.ts'
import { wakeForPause } from '../notifications/wake-workers.ts'
import { warnUser } from '../mail/warning-mails.ts'
import { forgetPushTokensOf } from '../personal/push-tokens.ts'
import { removeWebPushesOf, removeWebPushesOfKeys } from '../personal/web-push.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The values of a new user that are stored. */
interface NewUserRow {
  readonly user: User
  readonly settings?: Partial<UserSettings>
  readonly pictureId?: PictureId | null
  readonly pictureSource?: PictureSource | null
}

/** A user with the SHA-256 hashes, in hex, of the API keys. */
export interface UserWithKeys extends User {
  readonly apiKeyHashes: readonly string[]
  /** The last day on which they were seen, counted from 1970 in UTC. */
  readonly seenDay: number | null
  /** Settings that differ from the defaults. */
  readonly settings: Partial<UserSettings>
  /** Whether the user has never logged in to the account created for them. */
  readonly awaitsLogin: boolean
  /** Null without an uploaded avatar. */
  readonly avatarId: PictureId | null
  /** Null for users who joined before the organization chose a source. */
  readonly pictureSource: PictureSource | null
}

export function storeUser(
  writes: WriteBatch,
  { user, settings = {}, pictureId = null, pictureSource = null }: NewUserRow,
): void {
  writes.add(writes.sql`insert into users (id, email, full_name, role, is_active, bot_type, bot_owner_id, timezone,
      joined_at, avatar_version, avatar_id, picture_source, is_system, settings)
    values (${user.id}, ${user.email}, ${user.fullName}, ${user.role}, ${user.isActive}, ${user.botType},
      ${user.botOwnerId}, ${user.timezone}, ${user.joinedAt}, ${user.avatarVersion},
      ${pictureId}, ${pictureSource}, ${user.isSystem}, ${writes.sql.json(settings as never)})`)
}

export function storeUserChange(writes: WriteBatch, userId: UserId, changes: UserChange): void {
  const { email, isActive, role } = changes
  writes.add(writes.sql`update users set
    is_active = coalesce(${changes.isActive ?? null}::boolean, is_active),
    role = coalesce(${changes.role ?? null}::smallint, role),
    full_name = coalesce(${changes.fullName ?? null}, full_name),
    email = coalesce(${changes.email ?? null}, email),
    joined_at = coalesce(${changes.joinedAt ?? null}::bigint, joined_at),
    awaits_login = awaits_login and ${changes.joinedAt ?? null}::bigint is null,
    timezone = coalesce(${changes.timezone ?? null}, timezone),
    bot_owner_id = coalesce(${changes.botOwnerId ?? null}::int, bot_owner_id)
    where id = ${userId}`)
  // Once the row is locked no further link is made; see `storeReset`.
  if (email !== undefined || isActive !== undefined || role !== undefined) voidLinks(writes, userId)
}

/** Stores a new avatar, and removes the one before. */
export function storeAvatar(writes: WriteBatch, userId: UserId, { pictureId, version }: AvatarChange): void {
  writes.add(writes.sql`
    with former as (delete from pictures where id = (select avatar_id from users where id = ${userId}))
    update users set avatar_id = ${pictureId}, avatar_version = ${version} where id = ${userId}`)
}

/** Stores settings; the time zone is part of the user's account, and changes with it. */
export function storeUserSettings(
  writes: WriteBatch,
  userId: UserId,
  changes: readonly UserSettingChange[],
): void {
  const stored = changes.filter(({ name }) => name !== 'timezone')
  if (stored.length === 0) return
  const values = writes.sql.json(Object.fromEntries(stored.map(({ name, value }) => [name, value])))
  writes.add(
    writes.sql`update users set settings = (settings::jsonb || ${values}::jsonb)::json where id = ${userId}`,
  )
  wakeForPause(writes, userId, stored)
}

export function storeUsersSeen(writes: WriteBatch, day: number, userIds: readonly UserId[]): void {
  writes.add(writes.sql`update users set seen_day = ${day} where id = any(${[...userIds]}::int[])`)
}

/** Marks a new account that its user has not logged in to; the user joins at the first login. */
export function storeAwaitedLogin(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`update users set awaits_login = true where id = ${userId}`)
}

export function storeApiKeys(writes: WriteBatch, userId: UserId, hashes: readonly string[]): void {
  writes.add(writes.sql`update users set api_key_hashes = ${[...hashes]} where id = ${userId}`)
  removeWebPushesOfKeys(writes, userId, hashes)
}

/** All users with the hashes of their keys, by id. */
export async function loadUsers(sql: Sql | Transaction): Promise<UserWithKeys[]> {
  return sql<UserWithKeys[]>`
    select id, email, full_name as "fullName", role, is_active as "isActive", bot_type as "botType",
      bot_owner_id as "botOwnerId", timezone, joined_at as "joinedAt", avatar_version as "avatarVersion",
      is_system as "isSystem", api_key_hashes as "apiKeyHashes", seen_day as "seenDay",
      settings, avatar_id as "avatarId", picture_source as "pictureSource", awaits_login as "awaitsLogin"
    from users order by id`
}

/** The name and address of an active user; undefined for others. */
export async function findActiveAccount(
  sql: Sql,
  userId: UserId,
): Promise<Pick<User, 'fullName' | 'email'> | undefined> {
  const [row] = await sql<Pick<User, 'fullName' | 'email'>[]>`
    select full_name as "fullName", email from users where id = ${userId} and is_active`
  return row
}

/** The stored hash of a user's password; undefined for none. Only logins need it, so it is not cached. */
export async function findPasswordHash(sql: Sql, userId: UserId): Promise<string | undefined> {
  const [row] = await sql<
    { hash: string | null }[]
  >`select password_hash as hash from users where id = ${userId}`
  return row?.hash ?? undefined
}

export async function storePasswordHash(sql: Sql, userId: UserId, hash: string): Promise<void> {
  await passwordStatement(sql, userId, hash)
}

/**
 * Replaces the hash of a password by another of the same password; false if the password has changed. Links stay valid, since
 * for its user nothing changes.
 */
export async function replacePasswordHash(
  sql: Sql,
  userId: UserId,
  old: string,
  hash: string,
): Promise<boolean> {
  const { count } = await sql`
    update users set password_hash = ${hash} where id = ${userId} and password_hash = ${old}`
  return count === 1
}

/** The statement that stores a password. */
export const passwordStatement = (sql: Sql | Transaction, userId: UserId, hash: string) =>
  sql`with account as materialized (${lockedAccount(sql, userId)}),
      voided as (delete from password_resets where user_id in (table account)),
      unwanted as (delete from address_changes where user_id in (table account))
    update users set password_hash = ${hash} where id in (table account)`

/** An account is locked before its links; see `storeReset`. */
const lockedAccount = (sql: Sql | Transaction, userId: UserId) =>
  sql`select id from users where id = ${userId} for no key update`

/** The password of a user has changed since it was checked. */
export class StalePasswordError extends Error {
  override readonly name = 'StalePasswordError'
}

/**
 * Stores a password, and warns its user of another one; links for a new password or address are void then. Rejects with a `MissingResetError` if
 * its own link is no longer valid, and with a `StalePasswordError` if the former password has changed: of two, one wins.
 */
export function storeNewPassword(writes: WriteBatch, userId: UserId, given: NewPassword): void {
  const { sql } = writes
  if (given.kind === 'by_link') {
    writes.add(lockedAccount(sql, userId))
    writes.change(
      sql`delete from password_resets
        where user_id = ${userId} and ${hasToken(sql, given.tokenHash)} and expires_at > clock_timestamp()`,
      1,
      () => new MissingResetError(`the link of user ${userId} is not valid any more`),
    )
  } else if (given.kind === 'changed') {
    writes.require(
      sql`exists (select from users
        where id = ${userId} and password_hash is not distinct from ${given.before ?? null})`,
      () => new StalePasswordError(`the password of user ${userId} has changed`),
    )
  }
  writes.add(passwordStatement(sql, userId, given.passwordHash))
  const { kind: way } = given
  if (way !== 'first') warnUser(writes, userId, { kind: 'password_changed', details: { way } })
}

/** The user with an address, in any case. */
export async function findUserId(sql: Sql, email: string): Promise<UserId | undefined> {
  const [row] = await sql<{ id: UserId }[]>`select id from users where lower(email) = lower(${email})`
  return row?.id
}

/**
 * Removes a deactivated user's devices and tokens, which give access to or in the name of the user; the relay is asked to
 * delete the legacy tokens.
 */
export function forgetAccess(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    with devices as (delete from client_devices where user_id = ${userId}),
      tests as (delete from push_tests where user_id = ${userId})
    delete from provider_tokens where user_id = ${userId}`)
  forgetReplyTokens(writes, userId)
  removeWebPushesOf(writes, userId)
  forgetPushTokensOf(writes, userId)
}
