/**
 * Mails that arrived: stored before their senders get an answer, and done by one worker each. Those that are done stay for
 * some days without their text, so that a mail that is delivered again is posted once.
 */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { claimedFor, dueAgainIn, dueNever, findNextDue } from '../due-work.ts'
import { MAIL_NOTICE, type RefusalDetails } from './mails.ts'

/** The database channel that announces mails that arrived. */
export const RECEIVED_NOTICE = 'parley_received'

/** Mails that wait, and their bytes: above either, senders try again later. The table must not fill the disk. */
const WAITING_MAX = 2_000
const WAITING_BYTES_MAX = 1_000_000_000
/** Mails to one address in an hour: a person answers less, and a channel is not to be flooded. */
const MAILS_PER_ADDRESS_MAX = 60
/** Seconds after which a claim expires whose worker hangs. Longer than the work on the largest mail takes. */
const CLAIM_SECONDS = 300
/** Seconds before the first retry; each further wait is twice as long, up to the longest. */
const BACKOFF_SECONDS = 15
const BACKOFF_SECONDS_MAX = 3_600
/** Seconds after which a mail that cannot be posted is given up. */
const AGE_SECONDS_MAX = 86_400
/** Days for which a mail that is done is known: mail servers repeat deliveries for up to five. */
const KNOWN_DAYS = 8
/** Mails in an hour that say to one user why theirs were not posted. */
const REFUSALS_PER_HOUR_MAX = 10

/** A mail at the door. */
export interface ArrivedMail {
  readonly mark: string
  readonly recipient: string
  readonly envelopeFrom: string
  readonly raw: Uint8Array
}

/** Its result: it is stored, or was before; or it must come later, because of its address or of all mails. */
export type Storing = 'stored' | 'repeated' | 'too_many' | 'full'

/** A mail that a worker has claimed. */
export interface ClaimedReceived {
  readonly id: string
  readonly recipient: string
  readonly envelopeFrom: string
  readonly raw: Uint8Array
  /** Counts this one. */
  readonly tries: number
  /** Whether a failure of this try is final. */
  readonly isLast: boolean
}

/** Stores a mail and wakes a worker, in one statement. */
export async function storeReceived(
  sql: Sql,
  { mark, recipient, envelopeFrom, raw }: ArrivedMail,
): Promise<Storing> {
  const [row] = await sql<{ isKnown: boolean; isStored: boolean; isBusy: boolean }[]>`
    with known as (select 1 from received_mails where mark = ${mark}),
      busy as (
        select 1 where (
          select count(*) from received_mails
          where recipient = ${recipient} and received_at > now() - interval '1 hour'
        ) >= ${MAILS_PER_ADDRESS_MAX}
      ), room as (
        select 1 where (
          select count(*) < ${WAITING_MAX} and coalesce(sum(size), 0) + ${raw.length} <= ${WAITING_BYTES_MAX}
          from received_mails where due_at is not null)
      ), stored as (
        insert into received_mails (mark, recipient, envelope_from, raw, size)
        select ${mark}, ${recipient}, ${envelopeFrom}, ${Buffer.from(raw)}::bytea, ${raw.length}
        where not exists (select from known) and not exists (select from busy) and exists (select from room)
        on conflict (mark) do nothing
        returning 1
      ), notified as (select pg_notify(${RECEIVED_NOTICE}, '') from stored)
    select exists (select from known) as "isKnown", exists (select from stored) as "isStored",
      exists (select from busy) as "isBusy", (select count(*) from notified) as notified`
  if (!row || row.isKnown) return 'repeated'
  if (row.isStored) return 'stored'
  return row.isBusy ? 'too_many' : 'full'
}

/** Claims the mail that has waited longest; undefined if none is due. */
export async function claimReceived(sql: Sql): Promise<ClaimedReceived | undefined> {
  const [row] = await sql<ClaimedReceived[]>`
    with due as materialized (
      select id from received_mails where due_at <= now() order by due_at limit 1 for update skip locked
    )
    update received_mails m set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where m.id = due.id
    returning m.id, recipient, envelope_from as "envelopeFrom", raw, tries,
      received_at < now() - ${AGE_SECONDS_MAX} * interval '1 second' as "isLast"`
  return row
}

type Claim = Pick<ClaimedReceived, 'id' | 'tries'>

/** Ends the life of a mail and drops its text; does nothing if its claim has expired. */
export async function settleReceived(sql: Sql, { id, tries }: Claim): Promise<void> {
  await sql`update received_mails set ${dueNever(sql)}, raw = null where id = ${id} and tries = ${tries}`
}

/** The same, together with a mail that says why it was not posted; users get some of these in an hour. */
export async function refuseReceived(
  sql: Sql,
  { id, tries }: Claim,
  { userId, email, ...details }: { readonly userId: UserId; readonly email: string } & RefusalDetails,
): Promise<void> {
  await sql`
    with settled as (
      update received_mails set ${dueNever(sql)}, raw = null
      where id = ${id} and tries = ${tries} and due_at is not null returning 1
    ), asked as (
      insert into mails (kind, recipient, user_id, details)
      select 'mail_refused', ${email}, ${userId}, ${sql.json({ ...details })} from settled
      where (
        select count(*) from mails
        where kind = 'mail_refused' and user_id = ${userId} and asked_at > now() - interval '1 hour'
      ) < ${REFUSALS_PER_HOUR_MAX}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from asked`
}

/** Makes a mail due again; does nothing if its claim has expired. */
export async function postponeReceived(sql: Sql, { id, tries }: Claim): Promise<void> {
  const waitSeconds = Math.min(BACKOFF_SECONDS * 2 ** Math.min(tries - 1, 20), BACKOFF_SECONDS_MAX)
  await sql`
    update received_mails set ${dueAgainIn(sql, waitSeconds)}
    where id = ${id} and tries = ${tries} and due_at is not null`
}

/** When the next mail is due; undefined for none. */
export const findNextReceived = (sql: Sql) => findNextDue(sql, sql`received_mails where due_at is not null`)

/** Mails that wait to be posted. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from received_mails where due_at is not null`
  return row?.count ?? 0
}

/** Removes mails that are done and that no mail server repeats any more. */
export async function removeOldReceived(sql: Sql, lengthMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select id from received_mails
      where due_at is null and received_at < now() - ${KNOWN_DAYS} * interval '1 day'
      limit ${lengthMax} for update skip locked
    )
    delete from received_mails where id in (table old)`
  return count
}
