/** Named keys. Events carry their hashes; their use is written beside the log. */

import type { FoundNamedKey, NamedKey, NamedKeyRenewal } from '../../server/domain/accounts/named-keys.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

export function storeNamedKey(writes: WriteBatch, userId: UserId, key: NamedKey): void {
  writes.add(writes.sql`
    insert into named_keys (id, user_id, key_hash, name, scope, channel_id, created_at, expires_at,
      token_expires_at)
    values (${key.id}, ${userId}, ${key.keyHash}, ${key.name}, ${key.scope}, ${key.channelId}, ${key.createdAt},
      ${key.expiresAt}, ${key.tokenExpiresAt ?? null})`)
}

/** Gives a key another text, and other ends. */
export function renewNamedKey(
  writes: WriteBatch,
  { keyId, keyHash, expiresAt, tokenExpiresAt }: NamedKeyRenewal,
): void {
  writes.add(writes.sql`
    update named_keys set key_hash = ${keyHash}, expires_at = ${expiresAt}, token_expires_at = ${tokenExpiresAt}
    where id = ${keyId}`)
}

/** Removes keys of a user, with the event queues that they registered. */
export function removeNamedKeys(writes: WriteBatch, userId: UserId, ids: readonly string[]): void {
  const given = [...ids]
  writes.add(writes.sql`
    delete from named_keys where id in (
      select id from named_keys where user_id = ${userId} and id = any(${given}::text[]) order by id for update)`)
  writes.add(writes.sql`
    delete from event_queues where id in (
      select id from event_queues
      where user_id = ${userId} and options -> 'key' ->> 'id' = any(${given}::text[]) order by id for update)`)
}

/** All named keys, without order. */
export async function loadNamedKeys(sql: Sql | Transaction): Promise<FoundNamedKey[]> {
  return sql<FoundNamedKey[]>`
    select id, user_id as "userId", key_hash as "keyHash", name, scope, channel_id as "channelId",
      created_at as "createdAt", expires_at as "expiresAt", token_expires_at as "tokenExpiresAt"
    from named_keys`
}

/** UNIX seconds of the last recorded use of a user's keys, by id; keys that nobody has used are left out. */
export async function readKeysSeen(sql: Sql, userId: UserId): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; seenAt: number }[]>`
    select id, seen_at as "seenAt" from named_keys where user_id = ${userId} and seen_at is not null`
  return new Map(rows.map(({ id, seenAt }) => [id, seenAt]))
}

/** Records the use of keys. */
export async function storeKeysSeen(sql: Sql, ids: readonly string[], nowSeconds: number): Promise<void> {
  await sql`
    update named_keys set seen_at = ${nowSeconds} where id in (
      select id from named_keys where id = any(${[...ids]}::text[]) and (seen_at is null or seen_at < ${nowSeconds})
      order by id for update)`
}
