/** Users' settings for topics. */

import type { UserTopic } from '../server/domain/entities.ts'
import type { UserId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'
import type { WriteBatch } from './write-batch.ts'

/** Stores a user's setting for a topic; 0 deletes it. */
export function storeUserTopic(
  writes: WriteBatch,
  userId: UserId,
  { channelId, topic, visibility, updatedAt }: UserTopic,
): void {
  writes.add(writes.sql`delete from user_topics
    where user_id = ${userId} and channel_id = ${channelId} and lower(topic) = lower(${topic})`)
  if (visibility === 0) return
  writes.add(writes.sql`insert into user_topics (user_id, channel_id, topic, visibility, updated_at)
    values (${userId}, ${channelId}, ${topic}, ${visibility}, ${updatedAt})`)
}

/** All settings, in the order of their last change. */
export async function loadUserTopics(
  sql: Sql | Transaction,
): Promise<(UserTopic & { readonly userId: UserId })[]> {
  return sql<(UserTopic & { userId: UserId })[]>`
    select user_id as "userId", channel_id as "channelId", topic, visibility, updated_at as "updatedAt"
    from user_topics order by updated_at, user_id, channel_id, topic`
}
