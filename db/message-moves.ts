/** What moving messages comes to: which of their topic go along, and what it changes of both channels. */

import type { ChannelMove, PropagateMode } from '../server/domain/events/messages.ts'
import type { ChannelId, MessageId, UserId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'
import { countByDay, readHolders } from './message-deletion.ts'
import { joinEnds, readEnds } from './message-edits.ts'
import { spansOf, type TopicReader } from './topics.ts'

/** Which messages are wanted where. */
export interface WantedMove {
  readonly messageId: MessageId
  /** Where they are now. */
  readonly topic: string
  readonly newTopic: string
  readonly mode: PropagateMode
  /** Set where they leave their channel. */
  readonly toChannelId: ChannelId | undefined
}

/** A message that is to be moved. */
export interface MovedMessage {
  readonly id: MessageId
  readonly senderId: UserId
  readonly sentAt: number
}

/** How many messages a move may take: in all, and in one change. */
export interface MoveBounds {
  readonly countMax: number
  readonly perChangeMax: number
}

/** What the move takes, and what the next change of it takes and leaves. */
export interface MovePlan {
  /** Ascending; the message that was asked for is among them. */
  readonly messages: readonly MovedMessage[]
  /** Those that one change takes, ascending. The message that was asked for goes last, so that asking again moves the rest. */
  readonly part: readonly MovedMessage[]
  readonly toChannel: ChannelMove | undefined
  /** Those who were subscribed when one of the part came into the channel. */
  readonly receiverIds: readonly UserId[]
  /** Those who starred or collapsed one of the part. */
  readonly markerIds: readonly UserId[]
  /** Whether nothing is left of the topic. */
  readonly isWhole: boolean
}

/**
 * Plans the move of a message, with those of its topic that the mover may read and wants to go along. Undefined where
 * the message is no longer there, or where there are more than `countMax`.
 */
export async function planMove(
  sql: Sql,
  reader: TopicReader,
  wanted: WantedMove,
  { countMax, perChangeMax }: MoveBounds,
): Promise<MovePlan | 'too_many' | undefined> {
  const { channelId } = reader
  const messages = await findMoved(sql, reader, wanted, countMax + 1)
  if (messages.length > countMax) return 'too_many'
  if (!messages.some(({ id }) => id === wanted.messageId)) return undefined
  const isLast = messages.length <= perChangeMax
  const part = isLast ? messages : messages.filter(({ id }) => id !== wanted.messageId).slice(0, perChangeMax)
  const ids = part.map(({ id }) => id)
  return {
    messages,
    part,
    toChannel: wanted.toChannelId && (await planChannels(sql, channelId, wanted.toChannelId, part)),
    ...(await readHolders(sql, channelId, ids)),
    isWhole: isLast && (await isWholeTopic(sql, channelId, wanted.topic, ids)),
  }
}

async function isWholeTopic(
  sql: Sql,
  channelId: ChannelId,
  topic: string,
  ids: readonly MessageId[],
): Promise<boolean> {
  const left = await sql`
    with taken as materialized (select unnest(${[...ids]}::bigint[]) as id)
    select from messages m where ${inTopic(sql, channelId, topic)} and m.id not in (select id from taken) limit 1`
  return left.count === 0
}

async function findMoved(
  sql: Sql,
  reader: TopicReader,
  { messageId, topic, newTopic, mode, toChannelId }: WantedMove,
  countMax: number,
): Promise<MovedMessage[]> {
  const range =
    mode === 'change_one'
      ? sql`m.id = ${messageId}`
      : mode === 'change_later'
        ? sql`m.id >= ${messageId}`
        : sql`true`
  const rows = await sql<MovedMessage[]>`
    with spans as materialized (${spansOf(sql, reader)})
    select m.id, m.sender_id as "senderId", m.sent_at as "sentAt" from messages m
    where ${inTopic(sql, reader.channelId, topic)} and ${range}
      and (${toChannelId !== undefined} or m.topic <> ${newTopic}::text)
      and exists (select 1 from spans s
        where coalesce(m.placed_id, m.id) > s.from_id and coalesce(m.placed_id, m.id) <= s.until_id)
    order by m.id limit ${countMax}`
  return [...rows]
}

/** One topic as a range of its index, since the planner reads the channel in another order for an equal one. */
const inTopic = (sql: Sql, channelId: ChannelId, topic: string) => sql`m.channel_id = ${channelId}
  and lower(m.topic) between lower(${topic}::text) and lower(${topic}::text)`

async function planChannels(
  sql: Sql,
  fromId: ChannelId,
  toId: ChannelId,
  messages: readonly MovedMessage[],
): Promise<ChannelMove> {
  const left = await readEnds(
    sql,
    fromId,
    messages.map(({ id }) => id),
  )
  const first = messages[0] as MovedMessage
  const last = messages.at(-1) as MovedMessage
  return {
    channelId: toId,
    countsByDay: countByDay(messages.map(({ sentAt }) => sentAt)),
    left: { firstMessageId: left.firstMessageId, lastMessageAt: left.lastMessageAt },
    joined: joinEnds(await readEnds(sql, toId), first.id, last),
  }
}
