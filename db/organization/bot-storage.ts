/** Bots' key-value storage: no event reports it, and each bot sees only its own. */

import type { UserId } from '../../server/domain/ids.ts'
import { BOT_STORAGE_KEYS_MAX, BOT_STORAGE_LENGTH_MAX } from '../../server/domain/limits.ts'
import { countCodePoints } from '../../packages/rules/count-code-points.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql } from '../connection/connect.ts'

/** A bot would store more than its limit. */
export class FullBotStorageError extends Error {
  override readonly name = 'FullBotStorageError'
  /** Characters of all keys and values. */
  readonly length: number

  constructor(keys: number, length: number) {
    super(`${keys} keys and ${length} characters are too many for the storage of a bot`)
    this.length = length
  }
}

/** A bot has no value for a key. */
export class MissingBotKeyError extends Error {
  override readonly name = 'MissingBotKeyError'
}

/** The namespace of the advisory locks that serialize the changes of one bot. */
const STORAGE_LOCK = 2_301

/** Stores values, replacing those of the same keys: all of them or none. */
export async function storeBotEntries(
  sql: Sql,
  botId: UserId,
  entries: ReadonlyMap<string, string>,
): Promise<void> {
  await transact(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${STORAGE_LOCK}::int, ${botId}::int)`
    const [keys, values] = [[...entries.keys()], [...entries.values()]]
    // Counted before anything is written: what is too much must not cost a write.
    const given = [...keys, ...values].reduce((sum, text) => sum + countCodePoints(text), 0)
    const [after] = await tx<[{ keys: number; length: number }]>`
      select (count(*) + ${keys.length})::int as keys,
        (coalesce(sum(length(key) + length(value)), 0) + ${given})::int as length
      from bot_storage s where bot_id = ${botId}
        and not exists (select from unnest(${keys}::text[]) as given (key) where given.key = s.key)`
    if (after.keys > BOT_STORAGE_KEYS_MAX || after.length > BOT_STORAGE_LENGTH_MAX)
      throw new FullBotStorageError(after.keys, after.length)
    await tx`
      insert into bot_storage (bot_id, key, value)
      select ${botId}, key, value from unnest(${keys}::text[], ${values}::text[]) as given (key, value)
      on conflict (bot_id, key) do update set value = excluded.value`
  })
}

/** A bot's values: all of them, or those of the given keys, which must all exist. */
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

/** Removes a bot's values: all of them, or those of the given keys, which must all exist. */
export async function removeBotEntries(
  sql: Sql,
  botId: UserId,
  keys: readonly string[] | undefined,
): Promise<void> {
  const wanted = keys && [...new Set(keys)]
  await transact(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${STORAGE_LOCK}::int, ${botId}::int)`
    const removed = await tx`
      delete from bot_storage
      where bot_id = ${botId} and ${wanted ? tx`key = any(${wanted}::text[])` : tx`true`}`
    if (wanted && removed.count < wanted.length) throw new MissingBotKeyError(`bot ${botId} lacks a key`)
  })
}
