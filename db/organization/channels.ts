/** Channels. */

import type { Channel } from '../../server/domain/entities.ts'
import type { ChannelChange } from '../../server/domain/events/channels.ts'
import type { ChannelId, MessageId } from '../../server/domain/ids.ts'
import type { ChannelPermissions } from '../../server/domain/groups/permissions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A channel as stored, with its oldest message and the time of its newest one, if it has any. */
export interface StoredChannel extends Omit<Channel, 'permissions'> {
  readonly permissions: Partial<ChannelPermissions>
  readonly isDefault: boolean
  readonly firstMessageId: MessageId | null
  readonly lastMessageAt: number | null
}

/** Stores new channels in one statement. */
export function storeChannels(writes: WriteBatch, channels: readonly Channel[]): void {
  if (channels.length === 0) return
  writes.add(writes.sql`insert into channels (id, name, description, rendered_description, created_at, creator_id,
      is_private, is_web_public, is_history_public, retention_days, topics_policy, has_link_previews, folder_id,
      is_archived, permissions)
    select id, name, description, "renderedDescription", "createdAt", "creatorId", "isPrivate", "isWebPublic",
      "isHistoryPublic", "retentionDays", "topicsPolicy", coalesce("hasLinkPreviews", true), "folderId", "isArchived", permissions
    from json_to_recordset(${JSON.stringify(channels)}::text::json) as c (id integer, name text, description text,
      "renderedDescription" text, "createdAt" bigint, "creatorId" integer, "isPrivate" boolean, "isWebPublic" boolean,
      "isHistoryPublic" boolean, "retentionDays" integer, "topicsPolicy" text, "hasLinkPreviews" boolean, "folderId" integer,
      "isArchived" boolean, permissions json)`)
}

/** Writes one change of a channel. */
export function storeChannelChange(writes: WriteBatch, id: ChannelId, change: ChannelChange): void {
  switch (change.kind) {
    case 'name':
      writes.add(writes.sql`update channels set name = ${change.name} where id = ${id}`)
      return
    case 'description':
      writes.add(writes.sql`update channels set description = ${change.description},
        rendered_description = ${change.renderedDescription} where id = ${id}`)
      return
    case 'privacy':
      writes.add(writes.sql`update channels set is_private = ${change.isPrivate}, is_web_public = ${change.isWebPublic},
        is_history_public = ${change.isHistoryPublic} where id = ${id}`)
      return
    case 'retention':
      writes.add(writes.sql`update channels set retention_days = ${change.retentionDays} where id = ${id}`)
      return
    case 'topicsPolicy':
      if (change.topicsPolicy === 'empty_topic_only') refuseNamedTopics(writes, id)
      writes.add(writes.sql`update channels set topics_policy = ${change.topicsPolicy} where id = ${id}`)
      return
    case 'linkPreviews':
      writes.add(
        writes.sql`update channels set has_link_previews = ${change.hasLinkPreviews} where id = ${id}`,
      )
      return
    case 'folder':
      writes.add(writes.sql`update channels set folder_id = ${change.folderId} where id = ${id}`)
      return
    case 'archived':
      writes.add(writes.sql`update channels set is_archived = ${change.isArchived} where id = ${id}`)
      return
    case 'permission': {
      const setting = writes.sql.json({ [change.permission]: change.setting } as never)
      writes.add(
        writes.sql`update channels set permissions = (permissions::jsonb || ${setting}::jsonb)::json where id = ${id}`,
      )
      return
    }
  }
}

/** A channel with messages in named topics cannot have the empty topic only. */
export class NamedTopicsError extends Error {
  override readonly name = 'NamedTopicsError'
}

/** The log is locked, so no message can arrive meanwhile; the index finds any message in a named topic. */
function refuseNamedTopics(writes: WriteBatch, id: ChannelId): void {
  writes.require(
    writes.sql`not exists (select from messages where channel_id = ${id} and lower(topic) > '')`,
    () => new NamedTopicsError(`channel ${id} has messages in topics with a name`),
  )
}

/** Replaces the default channels. */
export function storeDefaultChannels(writes: WriteBatch, ids: readonly ChannelId[]): void {
  writes.add(
    writes.sql`update channels set is_default = not is_default where is_default <> (id = any(${[...ids]}::int[]))`,
  )
}

/** All channels, by id. */
export async function loadChannels(sql: Sql | Transaction): Promise<StoredChannel[]> {
  return sql<StoredChannel[]>`
    select id, name, description, rendered_description as "renderedDescription", created_at as "createdAt",
      creator_id as "creatorId", is_private as "isPrivate", is_web_public as "isWebPublic",
      is_history_public as "isHistoryPublic", retention_days as "retentionDays",
      topics_policy as "topicsPolicy", has_link_previews as "hasLinkPreviews", folder_id as "folderId", is_archived as "isArchived",
      permissions, is_default as "isDefault",
      (select m.id from messages m where m.channel_id = channels.id order by m.id limit 1) as "firstMessageId",
      (select m.sent_at from messages m where m.channel_id = channels.id order by m.id desc limit 1) as "lastMessageAt"
    from channels order by id`
}

/** Each channel's messages per day, counted from 1970 in UTC, since a time in UNIX seconds. */
export async function loadDailyCounts(
  sql: Sql | Transaction,
  since: number,
): Promise<{ channelId: ChannelId; day: number; count: number }[]> {
  return sql<{ channelId: ChannelId; day: number; count: number }[]>`
    select channel_id as "channelId", (sent_at / 86400)::int as day, count(*)::int as count from messages
    where channel_id is not null and sent_at >= ${since} group by 1, 2`
}
