/**
 * Pushes of messages, one for each target. Pending notifications become pushes in one statement, so a worker that ends there
 * leaves either the one or the others.
 */

import type { ChannelId, GroupId, MessageId, UserId, WebPushId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { claimedFor, dueAgainIn, dueNever, findNextDue } from '../due-work.ts'
import { partners } from '../messages/message-rows.ts'
import type { ClaimedPending } from './pending-notifications.ts'

/** Pushes that one batch sends at a time. */
const CLAIMS_MAX = 64
/** Seconds after which a claim expires whose worker hangs. Longer than a push service may take. */
const CLAIM_SECONDS = 60
/** Seconds after a push was taken until its message is looked at again, if its worker ended before it did so. */
const LOOK_AGAIN_SECONDS = 60
/** Shown pushes of one target: with more, the oldest are no longer withdrawn. Two requests of the relay remove as many. */
const SHOWN_MAX = 400
/** Seconds for which a push is withdrawn when its message is read; later nobody has it on the screen. */
const SHOWN_SECONDS_MAX = 7 * 86_400

/** A push that a worker has claimed. */
export interface ClaimedPush {
  readonly id: number
  readonly userId: UserId
  /** Null for the phones of the user. */
  readonly subscriptionId: WebPushId | null
  readonly messageId: MessageId
  readonly groupId: GroupId | null
  /** UNIX seconds. */
  readonly askedAt: number
  /** Counts this one. */
  readonly tries: number
  readonly isShown: boolean
  /** The mark of the conversation that a browser shows it under; null if it is not shown, and for phones. */
  readonly mark: string | null
}

/** A push that was taken. */
export type TakenPush = Pick<ClaimedPush, 'id' | 'tries' | 'userId' | 'subscriptionId' | 'mark'>

/** Turns claimed notifications into a push for each browser and app of their users, and one for the phones. */
export async function spreadPushes(sql: Sql, claimed: readonly ClaimedPending[]): Promise<void> {
  await sql`
    with claim as (
      select * from unnest(${claimed.map(({ userId }) => userId)}::int[],
        ${claimed.map(({ messageId }) => messageId)}::bigint[], ${claimed.map(({ tries }) => tries)}::int[])
        c (user_id, message_id, tries)
    ), taken as (
      delete from pending_notifications p using claim c
      where p.way = 'push' and p.user_id = c.user_id and p.message_id = c.message_id and p.tries = c.tries
      returning p.user_id, p.message_id, p.group_id, p.asked_at
    ), target as (
      select user_id, id from web_push_subscriptions where user_id in (select user_id from taken)
      union
      select user_id, null from client_devices
      where user_id in (select user_id from taken) and token_id is not null and push_key is not null
      union
      select user_id, null from push_tokens where user_id in (select user_id from taken) and not is_removed
    )
    insert into pushes (user_id, subscription_id, message_id, group_id, asked_at)
    select t.user_id, target.id, t.message_id, t.group_id, t.asked_at
    from taken t join target on target.user_id = t.user_id
    on conflict do nothing`
}

/** Claims pushes that are due, oldest first. Several workers share them. */
export function claimPushes(sql: Sql): Promise<ClaimedPush[]> {
  return sql<ClaimedPush[]>`
    with due as materialized (
      select id from pushes where due_at <= now() order by due_at, id limit ${CLAIMS_MAX} for update skip locked
    )
    update pushes p set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where p.id = due.id
    returning p.id, user_id as "userId", subscription_id as "subscriptionId", message_id as "messageId",
      group_id as "groupId", extract(epoch from asked_at)::float8 as "askedAt", tries, shown_at is not null as "isShown", mark`
}

/** Claims further pushes of the same target and kind, so that they go out together. */
export function claimMore(
  sql: Sql,
  { userId, subscriptionId }: ClaimedPush,
  countMax: number,
): Promise<ClaimedPush[]> {
  return sql<ClaimedPush[]>`
    with due as materialized (
      select id from pushes where user_id = ${userId} and subscription_id is not distinct from ${subscriptionId}
        and shown_at is not null and due_at <= now()
      order by id desc limit ${countMax} for update skip locked
    )
    update pushes p set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where p.id = due.id
    returning p.id, user_id as "userId", subscription_id as "subscriptionId", message_id as "messageId",
      group_id as "groupId", extract(epoch from asked_at)::float8 as "askedAt", tries, true as "isShown", mark`
}

/** Removes pushes that are done with, unless their claim has expired. */
export async function dropPushes(sql: Sql, claimed: readonly ClaimedPush[]): Promise<void> {
  await sql`delete from pushes p using ${claims(sql, claimed)} where p.id = c.id and p.tries = c.tries`
}

/** Records that pushes were taken; they may have been read meanwhile, so the caller looks at their messages once more. */
export async function notePushesShown(sql: Sql, taken: readonly TakenPush[]): Promise<void> {
  await sql`update pushes p set shown_at = now(), tries = 0, mark = c.mark,
      ${dueAgainIn(sql, LOOK_AGAIN_SECONDS)}
    from unnest(${taken.map(({ id }) => id)}::bigint[], ${taken.map(({ tries }) => tries)}::int[],
      ${taken.map(({ mark }) => mark)}::text[]) c (id, tries, mark)
    where p.id = c.id and p.tries = c.tries`
}

/** Removes the oldest shown pushes of the same targets, above the limit. */
export async function trimShown(sql: Sql, taken: readonly ClaimedPush[]): Promise<void> {
  await sql`delete from pushes where id in (
    select id from pushes where id in (
      select old.id from unnest(${taken.map(({ userId }) => userId)}::int[],
          ${taken.map(({ subscriptionId }) => subscriptionId)}::bigint[]) target (user_id, subscription_id), lateral (
        select id from pushes p where p.user_id = target.user_id
          and p.subscription_id is not distinct from target.subscription_id and p.shown_at is not null
        order by id desc offset ${SHOWN_MAX}) old)
    order by id for update skip locked)`
}

/** Lets shown pushes wait until their user reads. */
export async function restPushes(sql: Sql, claimed: readonly ClaimedPush[]): Promise<void> {
  await sql`update pushes p set tries = 0, ${dueNever(sql)} from ${claims(sql, claimed)}
    where p.id = c.id and p.tries = c.tries`
}

/** Makes resting pushes due. */
export async function wakePushes(sql: Sql, pushes: readonly ClaimedPush[]): Promise<void> {
  await sql`update pushes set due_at = now() where id in (
    select id from pushes where id = any(${pushes.map(({ id }) => id)}::bigint[]) and due_at is null
    order by id for update)`
}

/** Makes pushes due again after some seconds. */
export async function postponePushes(
  sql: Sql,
  claimed: readonly ClaimedPush[],
  seconds: number,
): Promise<void> {
  await sql`update pushes p set ${dueAgainIn(sql, seconds)} from ${claims(sql, claimed)}
    where p.id = c.id and p.tries = c.tries`
}

/** The same for pushes that were not tried: the claim does not count. */
export async function returnPushes(
  sql: Sql,
  claimed: readonly ClaimedPush[],
  seconds: number,
): Promise<void> {
  await sql`update pushes p set tries = p.tries - 1, ${dueAgainIn(sql, seconds)} from ${claims(sql, claimed)}
    where p.id = c.id and p.tries = c.tries`
}

const claims = (sql: Sql, claimed: readonly ClaimedPush[]) => sql`
  unnest(${claimed.map(({ id }) => id)}::bigint[], ${claimed.map(({ tries }) => tries)}::int[]) c (id, tries)`

/** When the next push is due; undefined for none. */
export const findNextPush = (sql: Sql) => findNextDue(sql, sql`pushes where due_at is not null`)

/** Another push of the same target. */
export interface NeighborPush extends Pick<PushedMessage, 'channelId' | 'topic' | 'userIds'> {
  /** Null if it is not shown yet. */
  readonly mark: string | null
  /** Whether a worker looks at it now, perhaps to withdraw it. */
  readonly isLookedAt: boolean
}

/** Pushes of the same target, except some, that are shown under a mark, or not yet under any. */
export async function findNeighbors(
  sql: Sql,
  { userId, subscriptionId }: ClaimedPush,
  mark: string,
  except: readonly ClaimedPush[],
): Promise<readonly NeighborPush[]> {
  return sql<NeighborPush[]>`
    select p.mark, p.shown_at is not null and p.tries > 0 as "isLookedAt", m.channel_id as "channelId",
      coalesce(m.topic, '') as topic, ${partners(sql)}
    from pushes p left join messages m on m.id = p.message_id
    where p.user_id = ${userId} and p.subscription_id is not distinct from ${subscriptionId}
      and p.id <> all(${except.map(({ id }) => id)}::bigint[]) and (p.mark = ${mark} or (p.mark is null and m.id is not null))`
}

/** How many pushes a target has, for the number on its icon. */
export async function countPushes(sql: Sql, { userId, subscriptionId }: ClaimedPush): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pushes
    where user_id = ${userId} and subscription_id is not distinct from ${subscriptionId}`
  return row?.count ?? 0
}

/** A message as a notification shows it, and the reader's settings. */
export interface PushedMessage {
  readonly id: MessageId
  readonly senderId: UserId
  readonly senderName: string
  readonly senderAvatarVersion: number
  /** Null for direct messages, whose users follow, sender and reader included. */
  readonly channelId: ChannelId | null
  readonly channelName: string | null
  readonly topic: string
  readonly userIds: readonly UserId[] | null
  readonly groupName: string | null
  readonly rendered: string
  /** UNIX seconds. */
  readonly sentAt: number
  readonly organizationName: string
  /** Settings of the reader that differ from the defaults. */
  readonly userSettings: Readonly<Record<string, unknown>>
  /** How many messages of the target are pushed and not read, for the number on its icon. */
  readonly pushedCount: number
}

/** Reads the messages of pushes for notifications, whatever the rights of their readers; by the id of the push. */
export async function readPushedMessages(
  sql: Sql,
  pushes: readonly Pick<ClaimedPush, 'id' | 'userId' | 'subscriptionId' | 'messageId' | 'groupId'>[],
): Promise<ReadonlyMap<number, PushedMessage>> {
  const rows = await sql<(PushedMessage & { readonly pushId: number })[]>`
    select p.id as "pushId", m.id, m.sender_id as "senderId", s.full_name as "senderName",
      s.avatar_version as "senderAvatarVersion", m.channel_id as "channelId", c.name as "channelName", m.topic,
      ${partners(sql)}, (select name from user_groups where id = p.group_id) as "groupName", m.rendered,
      m.sent_at as "sentAt", o.name as "organizationName", r.settings as "userSettings",
      (select count(*)::int from pushes own where own.user_id = p.user_id
        and own.subscription_id is not distinct from p.subscription_id) as "pushedCount"
    from unnest(${pushes.map(({ id }) => id)}::bigint[], ${pushes.map(({ userId }) => userId)}::int[],
        ${pushes.map(({ subscriptionId }) => subscriptionId)}::bigint[],
        ${pushes.map(({ messageId }) => messageId)}::bigint[], ${pushes.map(({ groupId }) => groupId)}::int[])
        p (id, user_id, subscription_id, message_id, group_id)
      join messages m on m.id = p.message_id join users s on s.id = m.sender_id join users r on r.id = p.user_id
      cross join organization o left join channels c on c.id = m.channel_id`
  return new Map(rows.map(({ pushId, ...message }) => [pushId, message]))
}

/** Removes pushes that nobody withdraws any more; some at a time. */
export async function removeOldPushes(sql: Sql, countMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select id from pushes where asked_at < now() - ${SHOWN_SECONDS_MAX} * interval '1 second'
      order by id limit ${countMax} for update skip locked
    )
    delete from pushes where id in (table old)`
  return count
}
