/** Mails that wait to be sent: workers claim them, so that a crash loses none and two workers do not send one twice. */

import type { NewPassword } from '../../server/domain/events/credentials.ts'
import type { InvitationId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { FactorChange } from '../../server/domain/accounts/second-factors.ts'
import type { DigestDetails } from '../../server/domain/personal/digests.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { claimedFor, dueAgainIn, dueNever, findNextDue } from '../due-work.ts'

/** The kinds of mails; each has a template. */
export type MailKind =
  | 'password_reset'
  | 'invitation'
  | 'join'
  | 'new_device'
  | 'address_change'
  | 'address_changed'
  | 'password_changed'
  | 'factors_changed'
  | 'messages'
  | 'test'
  | 'digest'
  | 'mail_refused'

/** Mails that one batch sends at a time: each has a connection of its own to the mail server. */
const CLAIMS_MAX = 5
/** Seconds after which a claim expires whose worker hangs. Longer than the mail server may take. */
const CLAIM_SECONDS = 120
/**
 * How often a mail is handed to the mail server without an answer that a worker has noted: it may have arrived each time, so
 * it is repeated once.
 */
export const HANDED_MAX = 2
/** Seconds before the first retry; each further wait is twice as long. */
const BACKOFF_SECONDS = 15
/** The longest wait before a retry. */
const BACKOFF_SECONDS_MAX = 3_600
/** Seconds after which a mail is given up: nobody waits for it any more. */
const AGE_SECONDS_MAX: Readonly<Record<MailKind, number>> = {
  password_reset: 3_600,
  invitation: 86_400,
  new_device: 86_400,
  join: 3_600,
  address_change: 86_400,
  address_changed: 86_400,
  password_changed: 86_400,
  factors_changed: 86_400,
  messages: 86_400,
  test: 3_600,
  digest: 86_400,
  mail_refused: 86_400,
}
/** Seconds for which mails that are done count against others to the same address, or of the same user. */
const DONE_SECONDS: Readonly<Record<MailKind, number>> = {
  password_reset: 3_600,
  invitation: 86_400,
  new_device: 3_600,
  join: 3_600,
  address_change: 3_600,
  address_changed: 3_600,
  password_changed: 3_600,
  factors_changed: 3_600,
  messages: 3_600,
  test: 3_600,
  digest: 604_800,
  mail_refused: 3_600,
}
/** All kinds. */
export const MAIL_KINDS = Object.keys(DONE_SECONDS) as readonly MailKind[]
/** Links for a new password that one address may get in that time: nobody may flood a mailbox. */
const RESETS_PER_ADDRESS_MAX = 5
/** Kinds of mails that anybody may ask for, or to any address; those of the others have a limit for each user. */
type AskedKind = 'password_reset' | 'join' | 'address_change'
/**
 * Mails of such a kind that wait, above which nobody may ask for another: the table must not fill the disk. Each kind has a
 * room of its own, and requests for addresses without an account leave theirs as soon as a worker sees them.
 */
const WAITING_MAX = 20_000
/**
 * Mails of a kind that are done and still count for their address: above this the oldest go. So a flood from many networks
 * loosens the limit of an address, rather than keep everybody from asking.
 */
export const SETTLED_MAX = 20_000
/** Rows removed after a batch: many more than it settles. */
const SURPLUS_LENGTH_MAX = 1_000
/** The database channel that announces mails. */
export const MAIL_NOTICE = 'parley_mail'

/** The log-in that a mail about a new device describes. */
export interface NewDeviceDetails {
  readonly userId: UserId
  /** The browser or program. */
  readonly client: string
  /** The network address. */
  readonly address: string
  /** UNIX seconds. */
  readonly at: number
}

/** The changes that warnings describe. */
export interface WarningDetails {
  readonly password_changed: { readonly way: Exclude<NewPassword['kind'], 'first'> }
  readonly factors_changed: { readonly change: FactorChange }
}

/** The messages of a mail about a conversation. */
export interface MessagesDetails {
  /** Ascending. */
  readonly messageIds: readonly MessageId[]
}

/** A mail of a user that did not become a message. */
export interface RefusalDetails {
  /** Its subject, perhaps empty. */
  readonly subject: string
  /** A whole sentence. */
  readonly reason: string
}

/** A mail that a worker has claimed. */
export interface ClaimedMail {
  readonly id: string
  readonly kind: MailKind
  readonly recipient: string
  /** Null if it is about something else. */
  readonly invitationId: InvitationId | null
  /** Null unless it is about a new device or messages, a digest, a refused mail, or warns of a change of credentials. */
  readonly details:
    | NewDeviceDetails
    | MessagesDetails
    | DigestDetails
    | RefusalDetails
    | WarningDetails[keyof WarningDetails]
    | null
  /** The user who caused it, or whom it is about; null for others. */
  readonly userId: UserId | null
  /** UNIX seconds. */
  readonly askedAt: number
  /** Counts this one. */
  readonly tries: number
  /** How often it was handed to the mail server before, without a noted answer. */
  readonly handed: number
  /** Seconds before the next try, if this one fails. */
  readonly nextSeconds: number
  /** Whether a failure of this try is final. */
  readonly isLast: boolean
}

/**
 * Asks for a link with which the account of an address gets a new password. Does the same for every address, whether it
 * has an account or not; too many requests are ignored.
 */
export async function askForReset(sql: Sql, recipient: string): Promise<void> {
  await sql`
    with asked as (
      insert into mails (kind, recipient) select 'password_reset', ${recipient}
      where (
        select count(*) from mails where lower(recipient) = lower(${recipient}) and kind = 'password_reset'
          and asked_at > now() - ${DONE_SECONDS.password_reset} * interval '1 second'
      ) < ${RESETS_PER_ADDRESS_MAX}
        and ${isRoomForMail(sql, 'password_reset')}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from asked`
}

/** The condition that another mail of a kind may wait. */
export const isRoomForMail = (sql: Sql | Transaction, kind: AskedKind) =>
  sql`(select count(*) from (
    select from mails where kind = ${kind} and due_at is not null limit ${WAITING_MAX}) m) < ${WAITING_MAX}`

/** Claims mails that are due. */
export function claimMails(sql: Sql): Promise<ClaimedMail[]> {
  return sql<ClaimedMail[]>`
    with due as materialized (
      select id, least(${BACKOFF_SECONDS} * 2 ^ least(tries, 20), ${BACKOFF_SECONDS_MAX})::int as "nextSeconds"
      from mails where due_at <= now() order by due_at limit ${CLAIMS_MAX} for update skip locked
    )
    update mails m set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where m.id = due.id
    returning m.id, kind, recipient, invitation_id as "invitationId", user_id as "userId", details,
      extract(epoch from asked_at)::float8 as "askedAt", tries, handed, "nextSeconds",
      now() + "nextSeconds" * interval '1 second'
        > asked_at + (${JSON.stringify(AGE_SECONDS_MAX)}::text::json ->> kind)::int * interval '1 second' as "isLast"`
}

/**
 * Notes that a mail is handed to the mail server now, which renews the claim; false if that has expired. The mail counts as
 * arrived or not from here until `settleMail` or `postponeMail`.
 */
export async function noteHanding(sql: Sql, { id, tries }: ClaimedMail): Promise<boolean> {
  const { count } = await sql`
    update mails set handed = handed + 1, ${claimedFor(sql, CLAIM_SECONDS)}
    where id = ${id} and tries = ${tries} and due_at > now()`
  return count === 1
}

/** Ends the life of a mail, which is sent or given up; does nothing if its claim has expired. */
export async function settleMail(sql: Sql, { id, tries }: ClaimedMail): Promise<void> {
  await sql`update mails set ${dueNever(sql)} where id = ${id} and tries = ${tries}`
}

/** Makes a mail due again; does nothing if its claim has expired. One that surely did not arrive is no repeat then. */
export async function postponeMail(
  sql: Sql,
  { id, tries, handed, nextSeconds }: ClaimedMail,
  isUnclear: boolean,
): Promise<void> {
  await sql`update mails set ${dueAgainIn(sql, nextSeconds)},
      handed = case when ${isUnclear} then handed else ${handed} end
    where id = ${id} and tries = ${tries}`
}

/** Whether the server sent a mail with this id, or will. */
export async function hasMail(sql: Sql, id: string): Promise<boolean> {
  return (await sql`select from mails where id = ${id}`).length > 0
}

/** When the next mail is due; undefined for none. */
export const findNextMail = (sql: Sql) => findNextDue(sql, sql`mails where due_at is not null`)

/** Removes the oldest mails of a kind that are done, above the limit; some at a time. */
export async function removeSurplusMails(sql: Sql, kind: MailKind): Promise<void> {
  // Materialized: PostgreSQL may plan a subquery to run once for each mail while its statistics say that there are none.
  await sql`
    with surplus as materialized (
      select id from mails where kind = ${kind} and due_at is null
      order by asked_at desc offset ${SETTLED_MAX} limit ${SURPLUS_LENGTH_MAX}
    )
    delete from mails where id in (table surplus)`
}

/** Removes mails that are done and count no longer. */
export async function removeOldMails(sql: Sql, lengthMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select id from mails
      where due_at is null
        and asked_at < now() - (${JSON.stringify(DONE_SECONDS)}::text::json ->> kind)::int * interval '1 second'
      limit ${lengthMax} for update skip locked
    )
    delete from mails where id in (table old)`
  return count
}
