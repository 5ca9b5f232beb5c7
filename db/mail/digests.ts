/** Weekly digests: the activity of channels, and a mail for each user who was away. */

import type { ChannelId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { DigestDetails } from '../../server/domain/personal/digests.ts'
import type { Sql } from '../connection/connect.ts'
import { MAIL_NOTICE } from './mails.ts'

/** Any number that nothing else in the database locks. */
const LOCK_KEY = 7_274_553_917
/** Messages that one query reads. */
const BATCH_LENGTH = 5_000

/** A message of a person to a channel. */
interface SentToTopic {
  readonly id: MessageId
  readonly channelId: ChannelId | null
  readonly topic: string
  readonly senderId: UserId
}

/** Calls back for each message that a person sent to a channel since a time in UNIX seconds, newest first. */
export async function forEachSentSince(
  sql: Sql,
  since: number,
  visit: (message: SentToTopic & { readonly channelId: ChannelId }) => void,
): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await sql<(SentToTopic & { sentAt: number; isPerson: boolean })[]>`
      select m.id, channel_id as "channelId", topic, sender_id as "senderId", sent_at as "sentAt",
        u.bot_type is null as "isPerson"
      from messages m join users u on u.id = m.sender_id
      where m.id < ${before} order by m.id desc limit ${BATCH_LENGTH}`
    for (const { sentAt, isPerson, channelId, ...message } of rows) {
      if (sentAt < since) return
      if (isPerson && channelId !== null) visit({ ...message, channelId })
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_LENGTH) return
    before = last.id
  }
}

/** The users among some who were last seen on a day or earlier, and got no digest in six days. */
export async function findAway(sql: Sql, userIds: readonly UserId[], lastDay: number): Promise<UserId[]> {
  const rows = await sql<{ id: UserId }[]>`
    select id from users u where id = any(${[...userIds]}::int[]) and seen_day <= ${lastDay} and not exists (
      select from mails m where m.kind = 'digest' and m.user_id = u.id and m.asked_at > now() - interval '6 days')
    order by id`
  return rows.map(({ id }) => id)
}

/** Queues a digest for each of these users, unless another run has done so. */
export async function queueDigests(
  sql: Sql,
  digests: readonly { readonly userId: UserId; readonly details: DigestDetails }[],
): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})` // Two runs would both find no digest yet.
    const { count } = await tx`
      insert into mails (kind, recipient, user_id, details)
      select 'digest', u.email, u.id, d.entry -> 'details'
      from json_array_elements(${JSON.stringify(digests)}::text::json) d (entry)
        join users u on u.id = (d.entry ->> 'userId')::int
      where not exists (
        select from mails m where m.kind = 'digest' and m.user_id = u.id and m.asked_at > now() - interval '6 days')
      order by u.id`
    await tx`select pg_notify(${MAIL_NOTICE}, '')`
    return count
  })
}
