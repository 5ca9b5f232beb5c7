/** Custom emoji. */

import type { CustomEmoji } from '../../server/domain/organization/custom-emoji.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Adds or replaces a custom emoji. */
export function storeCustomEmoji(writes: WriteBatch, emoji: CustomEmoji): void {
  writes.add(writes.sql`
    insert into custom_emoji (id, name, author_id, picture_id, is_animated, is_deactivated)
    values (${emoji.id}, ${emoji.name}, ${emoji.authorId}, ${emoji.pictureId}, ${emoji.isAnimated},
      ${emoji.isDeactivated})
    on conflict (id) do update set is_deactivated = excluded.is_deactivated`)
}

/** All custom emoji, deactivated ones included, by id. */
export async function loadCustomEmoji(sql: Sql | Transaction): Promise<CustomEmoji[]> {
  const rows = await sql<CustomEmoji[]>`
    select id, name, author_id as "authorId", picture_id as "pictureId", is_animated as "isAnimated",
      is_deactivated as "isDeactivated"
    from custom_emoji order by id`
  return [...rows] // Only the rows, without the driver's result metadata.
}
