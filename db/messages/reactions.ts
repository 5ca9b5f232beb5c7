/** Adds and removes reactions. Messages are read with their reactions. */

import type { ReactionEvent } from '../../server/domain/events/messages.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { REACTIONS_PER_MESSAGE_MAX } from '../../server/domain/limits.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { StaleMessageError } from './stale-message.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** A reaction was decided on outdated data: load it and decide again. */
export class StaleReactionError extends StaleMessageError {
  override readonly name = 'StaleReactionError'

  constructor() {
    super('the message or its reactions have changed since the reaction was decided')
  }
}

/** Stores a reaction, if the message exists, lacks this reaction of the user and has room for it. */
export function storeReaction(writes: WriteBatch, id: InSql<EventId>, event: ReactionEvent): void {
  const { messageId, channelId, emojiName, emojiCode, reactionType, userId } = event
  writes.change(
    writes.sql`
    insert into reactions (message_id, user_id, emoji_code, reaction_type, emoji_name, added_id)
    select m.id, ${userId}, ${emojiCode}, ${reactionType}, ${emojiName}, ${id} from messages m
    where m.id = ${messageId} and m.channel_id is not distinct from ${channelId}::int
      and (select count(distinct (r.emoji_code, r.reaction_type)) from reactions r
        where r.message_id = m.id and (r.emoji_code, r.reaction_type) <> (${emojiCode}, ${reactionType}))
        < ${REACTIONS_PER_MESSAGE_MAX}
    on conflict do nothing`,
    1,
    () => new StaleReactionError(),
  )
}

/** Removes an existing reaction from a message that has not moved. */
export function removeReaction(writes: WriteBatch, event: ReactionEvent): void {
  const { messageId, channelId, emojiCode, reactionType, userId } = event
  writes.change(
    writes.sql`
    delete from reactions r using messages m
    where m.id = r.message_id and m.channel_id is not distinct from ${channelId}::int
      and r.message_id = ${messageId} and r.user_id = ${userId}
      and r.emoji_code = ${emojiCode} and r.reaction_type = ${reactionType}`,
    1,
    () => new StaleReactionError(),
  )
}

/** The reactions to a message `m`, oldest first, and those of one event as `compareImported` says; null for none. */
export const reactionsOf = (sql: Sql | Transaction) =>
  sql`(select json_agg(json_build_object('emojiName', r.emoji_name, 'emojiCode', r.emoji_code,
      'reactionType', r.reaction_type, 'userId', r.user_id)
      order by r.added_id, r.emoji_code collate "C", r.reaction_type collate "C", r.user_id)
    from reactions r where r.message_id = m.id)`
