/** Subscriptions as spans of the log: each begins with one event and ends with another. */

import type { SubscriptionSettings } from '../../server/domain/entities.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** One span: subscribed after event `fromId`, through event `untilId`; null while it lasts. */
export interface SubscriptionSpan {
  readonly channelId: ChannelId
  readonly fromId: EventId
  readonly untilId: EventId | null
}

/** Starts a span for each of these users in each of these channels. */
export function startSubscriptions(
  writes: WriteBatch,
  id: InSql<EventId>,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
): void {
  writes.add(writes.sql`insert into subscription_spans (channel_id, user_id, from_id)
    select c, u, ${id} from unnest(${[...channelIds]}::int[]) c, unnest(${[...userIds]}::int[]) u`)
}

/** Ends the current span of each of these users in each of these channels. */
export function endSubscriptions(
  writes: WriteBatch,
  id: InSql<EventId>,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
): void {
  writes.add(writes.sql`update subscription_spans set until_id = ${id}
    where channel_id = any(${[...channelIds]}::int[]) and user_id = any(${[...userIds]}::int[]) and until_id is null`)
}

/** The current subscribers of every channel with any. */
export async function loadSubscribers(
  sql: Sql | Transaction,
): Promise<{ channelId: ChannelId; userIds: UserId[] }[]> {
  return sql<{ channelId: ChannelId; userIds: UserId[] }[]>`
    select channel_id as "channelId", array_agg(user_id) as "userIds"
    from subscription_spans where until_id is null group by channel_id`
}

/** All spans of one user that reach past an event, ended ones included. */
export async function loadSpans(
  sql: Sql | Transaction,
  userId: UserId,
  afterId: EventId,
): Promise<SubscriptionSpan[]> {
  return sql<SubscriptionSpan[]>`
    select channel_id as "channelId", from_id as "fromId", until_id as "untilId"
    from subscription_spans where user_id = ${userId} and (until_id is null or until_id > ${afterId})`
}

/** The channels that a user left before an event, even if they subscribed again. */
export async function loadLeftChannels(sql: Sql, userId: UserId, asOf: EventId): Promise<ChannelId[]> {
  const rows = await sql<{ channelId: ChannelId }[]>`
    select distinct channel_id as "channelId" from subscription_spans
    where user_id = ${userId} and until_id <= ${asOf}`
  return rows.map(({ channelId }) => channelId)
}

/** The subscribers of channels right after an event. */
export async function loadSubscribersAt(
  sql: Sql,
  channelIds: readonly ChannelId[],
  id: EventId,
): Promise<{ channelId: ChannelId; userIds: UserId[] }[]> {
  return sql<{ channelId: ChannelId; userIds: UserId[] }[]>`
    select channel_id as "channelId", array_agg(user_id) as "userIds" from subscription_spans
    where channel_id = any(${[...channelIds]}::int[]) and from_id <= ${id} and (until_id is null or until_id > ${id})
    group by channel_id`
}

/** A subscriber's setting for one channel. */
export interface SettingStored {
  readonly userId: UserId
  readonly channelId: ChannelId
  readonly settings: Partial<SubscriptionSettings>
}

/** Stores subscribers' settings, beside their earlier ones; the last value of each counts. */
export function storeSubscriptionSettings(writes: WriteBatch, stored: readonly SettingStored[]): void {
  const byPlace = new Map<string, SettingStored>()
  for (const one of stored) {
    const place = `${one.userId}/${one.channelId}`
    byPlace.set(place, { ...one, settings: { ...byPlace.get(place)?.settings, ...one.settings } })
  }
  writes.add(writes.sql`insert into subscription_settings (user_id, channel_id, settings)
    select "userId", "channelId", settings
    from json_to_recordset(${JSON.stringify([...byPlace.values()])}::text::json)
      as s ("userId" integer, "channelId" integer, settings json)
    on conflict (user_id, channel_id) do update
    set settings = (subscription_settings.settings::jsonb || excluded.settings::jsonb)::json`)
}

/** The settings of all subscribers. */
export async function loadSubscriptionSettings(
  sql: Sql | Transaction,
): Promise<{ userId: UserId; channelId: ChannelId; settings: Partial<SubscriptionSettings> }[]> {
  return sql<{ userId: UserId; channelId: ChannelId; settings: Partial<SubscriptionSettings> }[]>`
    select user_id as "userId", channel_id as "channelId", settings from subscription_settings`
}
