/** Messages with the link of a call at a provider that says who is in it. Workers look while somebody may be. */

import type { MessageId } from '../../server/domain/ids.ts'
import type { CallAtProvider } from '../../server/domain/messages/call-links.ts'
import type { Sql } from '../connection/connect.ts'
import { claimedFor, findNextDue } from '../due-work.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { StaleMessageError } from './stale-message.ts'

/** The channel of the database that wakes workers for calls. */
export const CALLS_NOTICE = 'parley_calls'
/** Seconds after which a claim expires whose worker hangs: an answer of a provider takes ten at most. */
const CLAIM_SECONDS = 60
/** Seconds for which an empty call is looked at, after its message and after each click on its link. */
const WATCHED_SECONDS = 180
/** Seconds from a click, or from word of the provider, to the look: several in a row cost one. */
const GATHERING_SECONDS = 1
/** Messages of one call that are looked at, each by requests of its own: more are rare, and show nothing. */
const MESSAGES_MAX = 3

/** A message whose call a worker looks at. */
export interface WatchedCall extends CallAtProvider {
  readonly messageId: MessageId
  /** Of the row: an edit of the message ends it. */
  readonly id: string
  /** Characters of the message's own HTML. */
  readonly ownLength: number
  /** Looks since the last one that succeeded, this one included. */
  readonly tries: number
  /** Whether to look on while nobody is there. */
  readonly isFresh: boolean
  /** The end of the claim: a click on the link sets another time. */
  readonly claimedUntil: string
}

/** Notes the call of a message that waits for its previews, unless it was edited meanwhile, and has it looked at. */
export async function noteCall(
  sql: Sql,
  {
    messageId,
    id,
    ownLength,
  }: { readonly messageId: MessageId; readonly id: string; readonly ownLength: number },
  { provider, room, place }: CallAtProvider,
): Promise<void> {
  await sql`
    with noted as (
      insert into call_messages (message_id, provider, room, place, own_length, watched_until)
      select message_id, ${provider}, ${room}, ${place === null ? null : sql.json(place as never)}, ${ownLength},
        now() + ${WATCHED_SECONDS} * interval '1 second'
      from waiting_previews where message_id = ${messageId} and id = ${id}
        and (select count(*) from call_messages
             where room = ${room} and provider = ${provider} and due_at is not null) < ${MESSAGES_MAX}
      on conflict do nothing returning 1)
    select pg_notify(${CALLS_NOTICE}, '') from noted`
}

/** Has a call looked at soon: somebody follows its link, or its provider says that somebody came or went. */
export async function watchCall(
  sql: Sql,
  { provider, room }: Pick<CallAtProvider, 'provider' | 'room'>,
): Promise<void> {
  await sql`
    with newest as materialized (
      select message_id from call_messages where room = ${room} and provider = ${provider}
      order by message_id desc limit ${MESSAGES_MAX} for update
    ), watched as (
      update call_messages
      set due_at = least(due_at, now() + ${GATHERING_SECONDS} * interval '1 second'),
        watched_until = now() + ${WATCHED_SECONDS} * interval '1 second'
      where message_id in (table newest)
      returning 1)
    select pg_notify(${CALLS_NOTICE}, '') from (select from watched limit 1) any_watched`
}

/** Claims the call that has been due longest; undefined if none is. */
export async function claimCall(sql: Sql): Promise<WatchedCall | undefined> {
  const [row] = await sql<WatchedCall[]>`
    with due as materialized (
      select message_id from call_messages where due_at <= now()
      order by due_at, message_id limit 1 for update skip locked
    )
    update call_messages c set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where c.message_id = due.message_id
    returning c.message_id as "messageId", id, provider, room, place, own_length as "ownLength",
      tries, watched_until > now() as "isFresh", c.due_at::text as "claimedUntil"`
  return row
}

/** Has a call looked at again, or not until somebody follows its link; a click since the claim has it looked at soon. */
export async function settleCall(
  sql: Sql,
  { messageId, id, claimedUntil }: Pick<WatchedCall, 'messageId' | 'id' | 'claimedUntil'>,
  { seconds, hasFailed }: { readonly seconds: number | undefined; readonly hasFailed: boolean },
): Promise<void> {
  await sql`
    update call_messages set tries = ${hasFailed ? sql`tries` : sql`0`}, claimed_by = null,
      due_at = case when due_at::text = ${claimedUntil}
        then now() + ${seconds ?? null}::float8 * interval '1 second' else due_at end
    where message_id = ${messageId} and id = ${id}`
}

/** Forgets the call of a message, which is in another channel now. */
export async function forgetCall(
  sql: Sql,
  { messageId, id }: Pick<WatchedCall, 'messageId' | 'id'>,
): Promise<void> {
  await sql`delete from call_messages where message_id = ${messageId} and id = ${id}`
}

/** When the next look is due; undefined for none. */
export const findNextCall = (sql: Sql) => findNextDue(sql, sql`call_messages`)

/** Demands that a message still has the call of a row. */
export function requireCall(writes: WriteBatch, messageId: MessageId, id: string): void {
  writes.require(
    writes.sql`exists (select from call_messages where message_id = ${messageId} and id = ${id})`,
    () => new StaleMessageError(),
  )
}

/** Forgets the call of an edited message: it is noted anew if its link is still there. */
export function removeCall(writes: WriteBatch, messageId: MessageId): void {
  writes.add(writes.sql`delete from call_messages where message_id = ${messageId}`)
}
