/** Sizes, growth and waiting work of the organization, for owners and operators. Read anew for each question. */

import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { type Reach, readReach } from './reach.ts'
import { readWork, type Work } from './waiting-work.ts'

/** The number of days that stand for a month. */
const MONTH_DAYS = 30
/** Channels and users that the lists hold. */
export const LARGEST_MAX = 10
/** Messages that are counted; of more, a sample of about this size is. */
const SAMPLE_MESSAGES = 200_000

/** How much the organization stores. Sizes are in bytes, with indexes; times in the last month. */
export interface Usage extends Reach {
  readonly storage: {
    readonly database: number
    /** Messages with what belongs to them: reactions, edits, marks, and their search index. */
    readonly messages: number
    /** The event log and the audit log. */
    readonly logs: number
    /** Uploads, in the file store. */
    readonly files: number
  }
  readonly counts: {
    readonly messages: number
    readonly files: number
    readonly messagesLastMonth: number
    readonly filesLastMonth: number
    readonly fileBytesLastMonth: number
    /** Whether the numbers of messages come from a sample. */
    readonly isEstimated: boolean
  }
  readonly largestChannels: readonly LargeChannel[]
  readonly largestUsers: readonly LargeUser[]
  readonly work: readonly Work[]
}

/** A channel with many messages. The name of a deleted one is empty. */
export interface LargeChannel {
  readonly channelId: ChannelId
  readonly name: string
  readonly messages: number
}

/** A user with many messages or large uploads. */
export interface LargeUser {
  readonly userId: UserId
  readonly name: string
  readonly messages: number
  readonly fileBytes: number
}

/** Reads all figures. Takes some hundred milliseconds with millions of messages. */
export async function readUsage(sql: Sql | Transaction): Promise<Usage> {
  const sizes = await readSizes(sql)
  const files = await readFiles(sql)
  const messages = await readMessages(sql)
  return {
    storage: { ...sizes, files: files.bytes },
    counts: {
      messages: messages.all,
      messagesLastMonth: messages.lastMonth,
      isEstimated: messages.isEstimated,
      files: files.all,
      filesLastMonth: files.lastMonth,
      fileBytesLastMonth: files.bytesLastMonth,
    },
    largestChannels: await readLargeChannels(sql, messages.channels),
    largestUsers: await readLargeUsers(sql, messages.users, files.users),
    work: await readWork(sql),
    ...(await readReach(sql)),
  }
}

async function readSizes(sql: Sql | Transaction) {
  const [row] = await sql<{ database: number; messages: number; logs: number }[]>`
    select pg_database_size(current_database()) as database,
      coalesce(sum(size) filter (where name = any(${MESSAGE_TABLES}::text[])), 0)::bigint as messages,
      coalesce(sum(size) filter (where name = any(${LOG_TABLES}::text[])), 0)::bigint as logs
    from (
      select relname::text as name, pg_total_relation_size(oid) as size from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
    ) tables`
  return row as NonNullable<typeof row>
}

const MESSAGE_TABLES = [
  'messages',
  'reactions',
  'submessages',
  'mentions',
  'message_marks',
  'message_edits',
  'message_uploads',
  'message_sends',
  'search_postings',
  'search_words',
  'search_changes',
]
const LOG_TABLES = ['event_log', 'audit_log']

interface OfUser {
  readonly userId: UserId
  readonly amount: number
}

async function readFiles(sql: Sql | Transaction) {
  const [sum] = await sql<{ all: number; bytes: number; lastMonth: number; bytesLastMonth: number }[]>`
    select count(*) as all, coalesce(sum(size), 0)::bigint as bytes,
      count(*) filter (where is_new) as "lastMonth",
      coalesce(sum(size) filter (where is_new), 0)::bigint as "bytesLastMonth"
    from (
      select size, created_at > now() - make_interval(days => ${MONTH_DAYS}) as is_new
      from uploads where state = 'whole'
    ) files`
  const users = await sql<OfUser[]>`
    select owner_id as "userId", sum(size)::bigint as amount from uploads where state = 'whole'
    group by owner_id order by amount desc, owner_id limit ${LARGEST_MAX}`
  return { ...(sum as NonNullable<typeof sum>), users }
}

/** Counts all messages, or a part of the pages of their table, which stays the same. */
async function readMessages(sql: Sql | Transaction) {
  const [table] = await sql<{ rows: number }[]>`
    select reltuples::float8 as rows from pg_class where oid = 'messages'::regclass`
  const share = Math.min(1, SAMPLE_MESSAGES / Math.max(1, table?.rows ?? 0))
  const rows = await sql<{ channelId: ChannelId | null; userId: UserId; sampled: number; isNew: boolean }[]>`
    select channel_id as "channelId", sender_id as "userId",
      sent_at > extract(epoch from now()) - ${MONTH_DAYS * 86_400} as "isNew", count(*) as sampled
    from messages tablesample system (${share * 100}) repeatable (0) group by 1, 2, 3`
  const sums = {
    all: 0,
    lastMonth: 0,
    channels: new Map<ChannelId, number>(),
    users: new Map<UserId, number>(),
  }
  for (const { channelId, userId, sampled, isNew } of rows) {
    sums.all += sampled
    if (isNew) sums.lastMonth += sampled
    if (channelId !== null) sums.channels.set(channelId, (sums.channels.get(channelId) ?? 0) + sampled)
    sums.users.set(userId, (sums.users.get(userId) ?? 0) + sampled)
  }
  const whole = (sampled: number) => Math.round(sampled / share)
  const scale = <Id extends number>(amounts: ReadonlyMap<Id, number>) =>
    new Map([...amounts].map(([id, sampled]) => [id, whole(sampled)]))
  return {
    all: whole(sums.all),
    lastMonth: whole(sums.lastMonth),
    isEstimated: share < 1,
    channels: scale(sums.channels),
    users: scale(sums.users),
  }
}

async function readLargeChannels(
  sql: Sql | Transaction,
  messages: ReadonlyMap<ChannelId, number>,
): Promise<LargeChannel[]> {
  const found = largest(messages)
  const rows = await sql<{ id: ChannelId; name: string }[]>`
    select id, name from channels where id = any(${found.map(([id]) => id)}::integer[])`
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return found.map(([channelId, count]) => ({ channelId, name: names.get(channelId) ?? '', messages: count }))
}

/** The people with most messages, then those with the largest uploads. */
async function readLargeUsers(
  sql: Sql | Transaction,
  messages: ReadonlyMap<UserId, number>,
  files: readonly OfUser[],
): Promise<LargeUser[]> {
  const bytes = new Map(files.map(({ userId, amount }) => [userId, amount]))
  const ids = [...new Set([...largest(messages).map(([userId]) => userId), ...bytes.keys()])]
  const rows = await sql<{ id: UserId; name: string }[]>`
    select id, full_name as name from users where id = any(${ids}::integer[])`
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((userId) => ({
    userId,
    name: names.get(userId) ?? '',
    messages: messages.get(userId) ?? 0,
    fileBytes: bytes.get(userId) ?? 0,
  }))
}

function largest<Id extends number>(amounts: ReadonlyMap<Id, number>): [Id, number][] {
  return [...amounts].sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, LARGEST_MAX)
}
