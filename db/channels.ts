/** Channels. */

import type { Channel } from '../server/domain/entities.ts'
import type { MessageId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'

/** A channel with its oldest message and the time of its newest, if it has any. */
export interface ChannelWithActivity extends Channel {
  readonly firstMessageId: MessageId | null
  readonly lastMessageAt: number | null
}

export async function storeChannel(tx: Transaction, channel: Channel): Promise<void> {
  await tx`insert into channels (id, name, description, rendered_description, created_at, creator_id,
      is_private, is_history_public, retention_days)
    values (${channel.id}, ${channel.name}, ${channel.description}, ${channel.renderedDescription},
      ${channel.createdAt}, ${channel.creatorId}, ${channel.isPrivate}, ${channel.isHistoryPublic},
      ${channel.retentionDays})`
}

/** Every channel, by id. */
export async function loadChannels(sql: Sql | Transaction): Promise<ChannelWithActivity[]> {
  return sql<ChannelWithActivity[]>`
    select id, name, description, rendered_description as "renderedDescription", created_at as "createdAt",
      creator_id as "creatorId", is_private as "isPrivate", is_history_public as "isHistoryPublic",
      retention_days as "retentionDays",
      (select m.id from messages m where m.channel_id = channels.id order by m.id limit 1) as "firstMessageId",
      (select m.sent_at from messages m where m.channel_id = channels.id order by m.id desc limit 1) as "lastMessageAt"
    from channels order by id`
}
