/** Users, bots, and what they prove themselves with. */

import type { User } from '../server/domain/entities.ts'
import type { UserChange } from '../server/domain/events.ts'
import type { UserId } from '../server/domain/ids.ts'
import type { UserSettingChange, UserSettings } from '../server/domain/user-settings.ts'
import type { Sql, Transaction } from './connect.ts'

/** A user with the SHA-256 hashes, in hex, of the API keys. */
export interface UserWithKeys extends User {
  readonly apiKeyHashes: readonly string[]
  /** The last day they were seen, counted from 1970 in UTC. */
  readonly seenDay: number | null
  /** What they set otherwise than is usual. */
  readonly settings: Partial<UserSettings>
}

export async function storeUser(tx: Transaction, user: User): Promise<void> {
  await tx`insert into users (id, email, full_name, role, is_active, bot_type, bot_owner_id, timezone,
      joined_at, avatar_version, is_system)
    values (${user.id}, ${user.email}, ${user.fullName}, ${user.role}, ${user.isActive}, ${user.botType},
      ${user.botOwnerId}, ${user.timezone}, ${user.joinedAt}, ${user.avatarVersion},
      ${user.isSystem})`
}

export async function storeUserChange(tx: Transaction, userId: UserId, changes: UserChange): Promise<void> {
  await tx`update users set
    is_active = coalesce(${changes.isActive ?? null}::boolean, is_active),
    role = coalesce(${changes.role ?? null}::smallint, role),
    full_name = coalesce(${changes.fullName ?? null}, full_name),
    timezone = coalesce(${changes.timezone ?? null}, timezone),
    bot_owner_id = coalesce(${changes.botOwnerId ?? null}::int, bot_owner_id)
    where id = ${userId}`
}

/** Keeps a setting; the time zone is part of the user's account, and changes with that. */
export async function storeUserSetting(
  tx: Transaction,
  userId: UserId,
  { name, value }: UserSettingChange,
): Promise<void> {
  if (name === 'timezone') return
  await tx`update users set settings = (settings::jsonb || ${tx.json({ [name]: value })}::jsonb)::json
    where id = ${userId}`
}

export async function storeUsersSeen(
  tx: Transaction,
  day: number,
  userIds: readonly UserId[],
): Promise<void> {
  await tx`update users set seen_day = ${day} where id = any(${[...userIds]}::int[])`
}

export async function storeApiKeys(
  tx: Transaction,
  userId: UserId,
  hashes: readonly string[],
): Promise<void> {
  await tx`update users set api_key_hashes = ${[...hashes]} where id = ${userId}`
}

/** Every user with the hashes of the keys, by id. */
export async function loadUsers(sql: Sql | Transaction): Promise<UserWithKeys[]> {
  return sql<UserWithKeys[]>`
    select id, email, full_name as "fullName", role, is_active as "isActive", bot_type as "botType",
      bot_owner_id as "botOwnerId", timezone, joined_at as "joinedAt", avatar_version as "avatarVersion",
      is_system as "isSystem", api_key_hashes as "apiKeyHashes", seen_day as "seenDay",
      settings
    from users order by id`
}

/** The stored hash of a user's password; undefined where none is set. Only a log-in asks, so no memory keeps it. */
export async function findPasswordHash(sql: Sql, userId: UserId): Promise<string | undefined> {
  const [row] = await sql<
    { hash: string | null }[]
  >`select password_hash as hash from users where id = ${userId}`
  return row?.hash ?? undefined
}

export async function storePasswordHash(sql: Sql | Transaction, userId: UserId, hash: string): Promise<void> {
  await sql`update users set password_hash = ${hash} where id = ${userId}`
}
