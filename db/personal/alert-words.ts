/** Users' alert words. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Replaces a user's words. */
export function storeAlertWords(writes: WriteBatch, userId: UserId, words: readonly string[]): void {
  if (words.length === 0) writes.add(writes.sql`delete from alert_words where user_id = ${userId}`)
  else
    writes.add(writes.sql`insert into alert_words (user_id, words) values (${userId}, ${[...words]}::text[])
      on conflict (user_id) do update set words = excluded.words`)
}

/** All users' words. */
export async function loadAlertWords(
  sql: Sql | Transaction,
): Promise<{ readonly userId: UserId; readonly words: readonly string[] }[]> {
  return sql<{ userId: UserId; words: string[] }[]>`
    select user_id as "userId", words from alert_words`
}
