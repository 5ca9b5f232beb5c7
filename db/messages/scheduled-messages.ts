/**
 * Scheduled messages and reminders, which are private to their user. A sent row stays for some days, so that it differs
 * from one that never existed.
 */

import type {
  ReminderRemoved,
  ScheduledMessageRemoved,
} from '../../server/domain/events/scheduled-messages.ts'
import type {
  ChannelId,
  EventId,
  MessageId,
  ReminderId,
  ScheduledId,
  UserId,
} from '../../server/domain/ids.ts'
import {
  REMINDERS_MAX,
  SCHEDULED_MESSAGES_MAX,
  SCHEDULED_TEXT_LENGTH_MAX,
} from '../../server/domain/limits.ts'
import type {
  Due,
  Reminder,
  ReminderContent,
  ScheduledContent,
  ScheduledMessage,
} from '../../server/domain/messages/scheduled-messages.ts'
import type { Sql } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** The database channel that announces new scheduled messages and reminders. */
export const SCHEDULED_NOTICE = 'parley_scheduled'

/** A user has reached the limit. */
export class TooManyScheduledError extends Error {
  override readonly name = 'TooManyScheduledError'
}

/** It does not exist, belongs to another user, has been sent, or has changed since it was read. */
export class StaleScheduledError extends Error {
  override readonly name = 'StaleScheduledError'
}

/** How much a user has scheduled. */
export interface ScheduledAmount {
  readonly count: number
  /** Characters of Markdown and of HTML. */
  readonly length: number
}

/** A user's scheduled messages or reminders, for a refusal that renders nothing and does not lock the log. */
export async function measureScheduled(
  sql: Sql,
  userId: UserId,
  kind: 'messages' | 'reminders',
  exceptId: ScheduledId | null = null,
): Promise<ScheduledAmount> {
  const [row] = await sql<ScheduledAmount[]>`
    select count(*)::int as count, coalesce(sum(text_length), 0)::int as length from scheduled_messages
    where user_id = ${userId} and sent_id is null and (target_id is not null) = ${kind === 'reminders'}
      and id is distinct from ${exceptId}::bigint`
  return row ?? { count: 0, length: 0 }
}

/** Stores a new scheduled message. The log is locked until the commit, so the count holds. */
export function storeScheduled(
  writes: WriteBatch,
  id: InSql<EventId>,
  userId: UserId,
  scheduled: ScheduledContent,
): void {
  const { channelId, topic, userIds, content, rendered, deliverAt, isReadBySender, client, requestId } =
    columnsOf(scheduled)
  writes.change(
    writes.sql`
    insert into scheduled_messages (id, user_id, channel_id, topic, user_ids, content, rendered, deliver_at,
      is_read_by_sender, client, changed_id, request_id)
    select ${id}, ${userId}, ${channelId}::int, ${topic}, ${userIds}::int[], ${content}, ${rendered}, ${deliverAt},
      ${isReadBySender}, ${client}, ${id}, ${requestId}
    from (select count(*), coalesce(sum(text_length), 0) as length from scheduled_messages
      where user_id = ${userId} and sent_id is null and target_id is null) held
    where held.count < ${SCHEDULED_MESSAGES_MAX}
      and held.length + ${content.length + rendered.length}::bigint <= ${SCHEDULED_TEXT_LENGTH_MAX}`,
    1,
    () => new TooManyScheduledError(`user ${userId} has scheduled too many messages`),
  )
  notify(writes)
}

/** Changes a pending message that has not changed since it was read; its text may grow within the limit. */
export function storeScheduledChange(
  writes: WriteBatch,
  id: InSql<EventId>,
  scheduled: ScheduledMessage,
): void {
  const { channelId, topic, userIds, content, rendered, deliverAt, requestId } = columnsOf(scheduled)
  writes.change(
    writes.sql`
    update scheduled_messages set channel_id = ${channelId}, topic = ${topic}, user_ids = ${userIds}::int[],
      content = ${content}, rendered = ${rendered}, deliver_at = ${deliverAt}, has_failed = ${scheduled.hasFailed},
      changed_id = ${id}, request_id = ${requestId}
    where id = ${scheduled.id} and user_id = ${scheduled.userId} and changed_id = ${scheduled.changedId}
      and target_id is null and sent_id is null`,
    1,
    () => new StaleScheduledError(`scheduled message ${scheduled.id} is not as it was read`),
  )
  if (!scheduled.hasFailed) checkRoom(writes, scheduled.userId)
  notify(writes)
}

function checkRoom(writes: WriteBatch, userId: UserId): void {
  writes.require(
    writes.sql`${SCHEDULED_TEXT_LENGTH_MAX} >= (
      select coalesce(sum(text_length), 0) from scheduled_messages
      where user_id = ${userId} and sent_id is null and target_id is null)`,
    () => new TooManyScheduledError(`user ${userId} has scheduled too much`),
  )
}

/** Stores a new reminder in the same way. */
export function storeReminder(
  writes: WriteBatch,
  id: InSql<EventId>,
  userId: UserId,
  { targetId, note, content, rendered, deliverAt, requestId }: ReminderContent,
): void {
  writes.change(
    writes.sql`
    insert into scheduled_messages (id, user_id, topic, content, rendered, deliver_at, is_read_by_sender, client,
      target_id, note, changed_id, request_id)
    select ${id}, ${userId}, '', ${content}, ${rendered}, ${deliverAt}, false, '', ${targetId}, ${note}, ${id}, ${requestId ?? null}
    from (select count(*), coalesce(sum(text_length), 0) as length from scheduled_messages
      where user_id = ${userId} and sent_id is null and target_id is not null) held
    where held.count < ${REMINDERS_MAX}
      and held.length + ${content.length + rendered.length}::bigint <= ${SCHEDULED_TEXT_LENGTH_MAX}`,
    1,
    () => new TooManyScheduledError(`user ${userId} has too many reminders`),
  )
  notify(writes)
}

/** Removes a scheduled message or reminder that this event sends, or that its owner cancels. */
export function removeScheduled(
  writes: WriteBatch,
  id: InSql<EventId>,
  { type, userId, scheduledId, sentAsOf }: ScheduledMessageRemoved | ReminderRemoved,
): void {
  const isReminder = type === 'reminders/remove'
  writes.change(
    sentAsOf === undefined
      ? writes.sql`delete from scheduled_messages where id = ${scheduledId} and user_id = ${userId}
          and (target_id is not null) = ${isReminder} and sent_id is null`
      : writes.sql`update scheduled_messages set sent_id = ${id}
          where id = ${scheduledId} and changed_id = ${sentAsOf} and sent_id is null and not has_failed`,
    1,
    () => new StaleScheduledError(`user ${userId} has no scheduled ${scheduledId}`),
  )
}

interface Row {
  readonly id: number
  readonly userId: UserId
  readonly channelId: ChannelId | null
  readonly topic: string
  readonly userIds: UserId[] | null
  readonly content: string
  readonly rendered: string
  readonly deliverAt: number
  readonly isReadBySender: boolean
  readonly client: string
  readonly hasFailed: boolean
  readonly targetId: MessageId | null
  readonly note: string
  readonly changedId: EventId
  readonly isSent: boolean
  readonly requestId: string | null
}

/** A user's pending scheduled messages, the next one first, without any that an event after `asOf` created. */
export async function readScheduled(sql: Sql, userId: UserId, asOf: EventId): Promise<ScheduledMessage[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from scheduled_messages
    where user_id = ${userId} and sent_id is null and target_id is null and id <= ${asOf} order by deliver_at, id`
  return rows.map(toScheduled)
}

/** A user's reminders, in the same way. */
export async function readReminders(sql: Sql, userId: UserId, asOf: EventId): Promise<Reminder[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from scheduled_messages
    where user_id = ${userId} and sent_id is null and target_id is not null and id <= ${asOf} order by deliver_at, id`
  return rows.map(toReminder)
}

/** A user's scheduled message, sent or not. */
export async function findScheduled(
  sql: Sql,
  userId: UserId,
  id: ScheduledId,
): Promise<ScheduledMessage | undefined> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from scheduled_messages
    where id = ${id} and user_id = ${userId} and target_id is null`
  return row && toScheduled(row)
}

/** A position in the order of delivery. */
export type DuePlace = Pick<Due, 'deliverAt' | 'id'>

const FIRST = { deliverAt: 0, id: 0 }

/** The items due at a second, in order, after a position. */
export async function readDue(
  sql: Sql,
  nowSeconds: number,
  countMax: number,
  after: { readonly deliverAt: number; readonly id: number } = FIRST,
): Promise<Due[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from scheduled_messages
    where sent_id is null and not has_failed and deliver_at <= ${nowSeconds}
      and (deliver_at, id) > (${after.deliverAt}, ${after.id}) order by deliver_at, id limit ${countMax}`
  return rows.map((row) =>
    row.targetId === null
      ? { kind: 'message', ...toScheduled(row) }
      : { kind: 'reminder', ...toReminder(row) },
  )
}

/** The UNIX second of the earliest pending item, which may be in the past. */
export async function readNextDue(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ deliverAt: number }[]>`
    select deliver_at as "deliverAt" from scheduled_messages
    where sent_id is null and not has_failed order by deliver_at limit 1`
  return row?.deliverAt
}

/** Removes items sent so long ago that the log no longer holds them. */
export async function removeOldScheduled(sql: Sql, countMax: number): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select id from scheduled_messages
      where sent_id < (select coalesce(min(id), 0) from event_log) order by sent_id limit ${countMax}
      for update skip locked
    )
    delete from scheduled_messages where id in (table old)`
  return rows.count
}

const columns = (
  sql: Sql,
) => sql`id, user_id as "userId", channel_id as "channelId", topic, user_ids as "userIds",
  content, rendered, deliver_at as "deliverAt", is_read_by_sender as "isReadBySender", client,
  has_failed as "hasFailed", target_id as "targetId", note, changed_id as "changedId", sent_id is not null as "isSent",
  request_id as "requestId"`

function toScheduled(row: Row): ScheduledMessage {
  const { id, userId, content, rendered, deliverAt, isReadBySender, client, hasFailed, changedId, isSent } =
    row
  return {
    id: id as ScheduledId,
    userId,
    target:
      row.channelId === null
        ? { kind: 'direct', userIds: row.userIds ?? [] }
        : { kind: 'channel', channelId: row.channelId, topic: row.topic },
    content,
    rendered,
    deliverAt,
    isReadBySender,
    client,
    hasFailed,
    changedId,
    isSent,
    ...requestOf(row),
  }
}

function toReminder(row: Row): Reminder {
  const { id, userId, targetId, note, content, rendered, deliverAt, changedId } = row
  return {
    id: id as ReminderId,
    userId,
    targetId: targetId as MessageId,
    note,
    content,
    rendered,
    deliverAt,
    changedId,
    ...requestOf(row),
  }
}

function requestOf({ requestId }: Row): { readonly requestId?: string } {
  return requestId === null ? {} : { requestId }
}

function columnsOf({ target, ...rest }: ScheduledContent) {
  return {
    ...rest,
    channelId: target.kind === 'channel' ? target.channelId : null,
    topic: target.kind === 'channel' ? target.topic : '',
    userIds: target.kind === 'direct' ? [...target.userIds] : null,
    requestId: rest.requestId ?? null,
  }
}

/** Sent at the commit to workers that wait for the next delivery. */
function notify(writes: WriteBatch): void {
  writes.add(writes.sql`select pg_notify(${SCHEDULED_NOTICE}, '')`)
}
