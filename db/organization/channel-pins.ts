/** Pins of messages and topics in their channel. */

import type { NewPin, Pin } from '../../server/domain/channels/pins.ts'
import type { ChannelId, EventId, PinId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'
import { StaleMessageError } from '../messages/stale-message.ts'

/** Stores a pin, if its message is still in the channel: only changes between channels are decided again. */
export function storePin(
  writes: WriteBatch,
  id: InSql<EventId>,
  channelId: ChannelId,
  { messageId, topic, userId, pinnedAt, receivers }: NewPin,
): void {
  writes.change(
    writes.sql`
    insert into channel_pins (id, channel_id, message_id, topic, user_id, pinned_at, receivers)
    select ${id}, ${channelId}, ${messageId}::bigint, ${topic}::text, ${userId}, ${pinnedAt}, ${receivers}
    where ${messageId}::bigint is null
      or exists (select from messages where id = ${messageId}::bigint and channel_id = ${channelId})`,
    1,
    () => new StaleMessageError(),
  )
}

export function removePins(writes: WriteBatch, ids: readonly PinId[]): void {
  writes.add(writes.sql`delete from channel_pins where id = any(${[...ids]}::bigint[])`)
}

export function movePinnedTopic(writes: WriteBatch, id: PinId, topic: string): void {
  writes.add(writes.sql`update channel_pins set topic = ${topic} where id = ${id}`)
}

/** All pins by channel, in the order in which they were made. */
export async function loadPins(sql: Sql | Transaction): Promise<ReadonlyMap<ChannelId, readonly Pin[]>> {
  const rows = await sql<(Pin & { channelId: ChannelId })[]>`
    select id, channel_id as "channelId", message_id as "messageId", topic, user_id as "userId",
      pinned_at as "pinnedAt", receivers
    from channel_pins order by id`
  const pins = new Map<ChannelId, Pin[]>()
  for (const { channelId, ...pin } of rows) pins.set(channelId, [...(pins.get(channelId) ?? []), pin as Pin])
  return pins
}
