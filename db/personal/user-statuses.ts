/** User statuses. */

import type { UserId } from '../../server/domain/ids.ts'
import type { UserStatus } from '../../server/domain/users/user-status.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Stores a change of a user's status; deletes an empty one. */
export function storeUserStatus(
  writes: WriteBatch,
  userId: UserId,
  { text, emoji }: Partial<UserStatus>,
): void {
  const emojiText = emoji ? JSON.stringify(emoji) : null
  writes.add(writes.sql`
    insert into user_statuses (user_id, text, emoji) values (${userId}, ${text ?? ''}, ${emojiText}::text::json)
    on conflict (user_id) do update set text = coalesce(${text ?? null}::text, user_statuses.text),
      emoji = case when ${emoji === undefined}::boolean then user_statuses.emoji else excluded.emoji end`)
  writes.add(writes.sql`delete from user_statuses where user_id = ${userId} and text = '' and emoji is null`)
}

/** All statuses. */
export async function loadUserStatuses(
  sql: Sql | Transaction,
): Promise<(UserStatus & { readonly userId: UserId })[]> {
  return sql<(UserStatus & { userId: UserId })[]>`select user_id as "userId", text, emoji from user_statuses`
}
