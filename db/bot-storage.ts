/** What bots keep for themselves, as texts by keys: no event tells of it, and each bot knows its own alone. */

import type { UserId } from '../server/domain/ids.ts'
import { BOT_STORAGE_KEYS_MAX, BOT_STORAGE_LENGTH_MAX } from '../server/domain/limits.ts'
import type { Sql } from './connect.ts'

/** Thrown where a bot would keep more than one may. */
export class FullBotStorageError extends Error {
  override readonly name = 'FullBotStorageError'
  /** Characters of all keys and texts. */
  readonly length: number

  constructor(keys: number, length: number) {
    super(`${keys} keys and ${length} characters are too many for the storage of a bot`)
    this.length = length
  }
}

/** Thrown where a bot keeps nothing under a key. */
export class MissingBotKeyError extends Error {
  override readonly name = 'MissingBotKeyError'
}

/** Names the locks that keep the changes of one bot in turn, among the database's other locks. */
const STORAGE_LOCK = 2_301

/** Keeps texts, each in the place of what was under its key: all of them, or none. */
export async function storeBotEntries(
  sql: Sql,
  botId: UserId,
  entries: ReadonlyMap<string, string>,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${STORAGE_LOCK}::int, ${botId}::int)`
    await tx`
      insert into bot_storage (bot_id, key, value)
      select ${botId}, key, value from unnest(${[...entries.keys()]}::text[], ${[...entries.values()]}::text[])
        as given (key, value)
      on conflict (bot_id, key) do update set value = excluded.value`
    const [kept] = await tx<[{ keys: number; length: number }]>`
      select count(*)::int as keys, coalesce(sum(length(key) + length(value)), 0)::int as length
      from bot_storage where bot_id = ${botId}`
    if (kept.keys > BOT_STORAGE_KEYS_MAX || kept.length > BOT_STORAGE_LENGTH_MAX)
      throw new FullBotStorageError(kept.keys, kept.length)
  })
}

/** What a bot keeps: all of it, or what is under these keys, each of which must be there. */
export async function readBotEntries(
  sql: Sql,
  botId: UserId,
  keys: readonly string[] | undefined,
): Promise<ReadonlyMap<string, string>> {
  const wanted = keys && [...new Set(keys)]
  const rows = await sql<{ key: string; value: string }[]>`
    select key, value from bot_storage
    where bot_id = ${botId} and ${wanted ? sql`key = any(${wanted}::text[])` : sql`true`} order by key`
  if (wanted && rows.length < wanted.length) throw new MissingBotKeyError(`bot ${botId} lacks a key`)
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** Removes what a bot keeps: all of it, or what is under these keys, each of which must be there. */
export async function removeBotEntries(
  sql: Sql,
  botId: UserId,
  keys: readonly string[] | undefined,
): Promise<void> {
  const wanted = keys && [...new Set(keys)]
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${STORAGE_LOCK}::int, ${botId}::int)`
    const removed = await tx`
      delete from bot_storage
      where bot_id = ${botId} and ${wanted ? tx`key = any(${wanted}::text[])` : tx`true`}`
    if (wanted && removed.count < wanted.length) throw new MissingBotKeyError(`bot ${botId} lacks a key`)
  })
}
