/** Users' settings for topics. */

import type { UserTopic } from '../../server/domain/entities.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The setting of followed topics. */
const FOLLOWED = 3

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

/** A followed topic of a user, as a place in the order of all. */
export interface FollowedTopic {
  readonly userId: UserId
  readonly channelId: ChannelId
  readonly topic: string
  readonly updatedAt: number
}

/** Followed topics after one of them, in order; `hasMessages` says whether there is anything in the topic. */
export async function readFollowedTopics(
  sql: Sql,
  after: FollowedTopic | undefined,
  countMax: number,
): Promise<(FollowedTopic & { readonly hasMessages: boolean })[]> {
  const { userId, channelId, topic } = after ?? { userId: 0, channelId: 0, topic: '' }
  return sql<(FollowedTopic & { hasMessages: boolean })[]>`
    select u.user_id as "userId", u.channel_id as "channelId", u.topic, u.updated_at as "updatedAt", exists (
      select from messages m where m.channel_id = u.channel_id and lower(m.topic) = lower(u.topic)) as "hasMessages"
    from user_topics u
    where u.visibility = ${FOLLOWED}
      and (u.user_id, u.channel_id, lower(u.topic)) > (${userId}, ${channelId}, lower(${topic}::text))
    order by u.user_id, u.channel_id, lower(u.topic) limit ${countMax}`
}
