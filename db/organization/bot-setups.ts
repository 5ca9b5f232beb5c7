/** Setups of bots that differ from the default. */

import type { BotSetup } from '../../server/domain/users/bots.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

export function storeBotSetup(writes: WriteBatch, botId: UserId, setup: BotSetup): void {
  const { service, sendingChannelId, eventsChannelId, hearsPublicChannels, webhookSecret } = setup
  const serviceText = service ? JSON.stringify(service) : null
  writes.add(writes.sql`
    insert into bot_setups (bot_id, service, sending_channel_id, events_channel_id, hears_public_channels,
      webhook_secret)
    values (${botId}, ${serviceText}::text::json, ${sendingChannelId}, ${eventsChannelId}, ${hearsPublicChannels},
      ${webhookSecret ?? null})
    on conflict (bot_id) do update set service = excluded.service,
      sending_channel_id = excluded.sending_channel_id, events_channel_id = excluded.events_channel_id,
      hears_public_channels = excluded.hears_public_channels, webhook_secret = excluded.webhook_secret`)
}

/** All stored setups. */
export async function loadBotSetups(
  sql: Sql | Transaction,
): Promise<(BotSetup & { readonly botId: UserId })[]> {
  return sql<(BotSetup & { botId: UserId })[]>`
    select bot_id as "botId", service, sending_channel_id as "sendingChannelId",
      events_channel_id as "eventsChannelId", hears_public_channels as "hearsPublicChannels",
      webhook_secret as "webhookSecret"
    from bot_setups order by bot_id`
}
