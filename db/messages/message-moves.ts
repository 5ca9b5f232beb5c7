/** Plans moves of messages: which messages of the topic move along, and how both channels change. */

import type { ChannelMove, PropagateMode } from '../../server/domain/events/messages.ts'
import type { ChannelId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { countByDay, readHolders } from './message-deletion.ts'
import { joinEnds, readEnds } from './message-edits.ts'
import { spansOf, type TopicReader } from './topics.ts'

/** The requested move. */
export interface WantedMove {
  readonly messageId: MessageId
  /** Their present topic. */
  readonly topic: string
  readonly newTopic: string
  readonly mode: PropagateMode
  /** Set if they leave their channel. */
  readonly toChannelId: ChannelId | undefined
}

/** A message to move. */
export interface MovedMessage {
  readonly id: MessageId
  readonly senderId: UserId
  readonly sentAt: number
}

/** Limits of a move: in total, and per change. */
export interface MoveBounds {
  readonly countMax: number
  readonly perChangeMax: number
}

/** The messages of the move, and those of its next change. */
export interface MovePlan {
  /** Ascending; includes the requested message. */
  readonly messages: readonly MovedMessage[]
  /** Messages of one change, ascending. The requested message moves last, so that a repeated request moves the rest. */
  readonly part: readonly MovedMessage[]
  readonly toChannel: ChannelMove | undefined
  /** Users who were subscribed when one of the part arrived in the channel. */
  readonly receiverIds: readonly UserId[]
  /** Users who starred or collapsed one of the part. */
  readonly markerIds: readonly UserId[]
  /** Whether the topic becomes empty. */
  readonly isWhole: boolean
}

/**
 * Plans the move of a message with the messages of its topic that the mover may read and wants to move along. Undefined
 * if the message is gone, or if there are more than `countMax`.
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

/** One topic as a range of its index: for an equality, the planner scans the channel in another order. */
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
