/** Mails that wait to be sent: workers claim them, so that a crash loses none and two workers do not send one twice. */

import type { Sql } from './connect.ts'
import type { NextDue } from './push-devices.ts'

/** The kinds of mails; each has a template. */
export type MailKind = 'password_reset'

/** Mails that one batch sends at a time: each has a connection of its own to the mail server. */
const CLAIMS_MAX = 5
/** Seconds after which a claim expires: its worker is gone. Longer than the mail server may take. */
const CLAIM_SECONDS = 120
/** Seconds before the first retry; each further wait is twice as long. */
const BACKOFF_SECONDS = 15
/** The longest wait before a retry. */
const BACKOFF_SECONDS_MAX = 3_600
/** Seconds after which a mail is given up: nobody waits for it any more. */
const AGE_SECONDS_MAX: Readonly<Record<MailKind, number>> = { password_reset: 3_600 }
/** Seconds for which mails that are done count against others to the same address. */
const DONE_SECONDS = 3_600
/** Links for a new password that one address may get in that time: nobody may flood a mailbox. */
const RESETS_PER_ADDRESS_MAX = 5
/** Mails in the table, above which nobody may ask for a new password: the table must not fill the disk. */
const MAILS_MAX = 20_000
/** The database channel that announces mails. */
export const MAIL_NOTICE = 'parley_mail'

/** A mail that a worker has claimed. */
export interface ClaimedMail {
  readonly id: string
  readonly kind: MailKind
  readonly recipient: string
  /** Counts this one. */
  readonly tries: number
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
          and asked_at > now() - ${DONE_SECONDS} * interval '1 second'
      ) < ${RESETS_PER_ADDRESS_MAX}
        and (select count(*) from (select from mails limit ${MAILS_MAX}) m) < ${MAILS_MAX}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from asked`
}

/** Claims mails that are due. */
export function claimMails(sql: Sql): Promise<ClaimedMail[]> {
  return sql<ClaimedMail[]>`
    update mails m set tries = tries + 1, due_at = now() + ${CLAIM_SECONDS} * interval '1 second'
    from (
      select id, least(${BACKOFF_SECONDS} * 2 ^ least(tries, 20), ${BACKOFF_SECONDS_MAX})::int as "nextSeconds"
      from mails where due_at <= now() order by due_at limit ${CLAIMS_MAX} for update skip locked
    ) due
    where m.id = due.id
    returning m.id, kind, recipient, tries, "nextSeconds",
      now() + "nextSeconds" * interval '1 second'
        > asked_at + (${JSON.stringify(AGE_SECONDS_MAX)}::text::json ->> kind)::int * interval '1 second' as "isLast"`
}

/** Ends the life of a mail, which is sent or given up; does nothing if its claim has expired. */
export async function settleMail(sql: Sql, { id, tries }: ClaimedMail): Promise<void> {
  await sql`update mails set due_at = null where id = ${id} and tries = ${tries}`
}

/** Makes a mail due again; does nothing if its claim has expired. */
export async function postponeMail(sql: Sql, { id, tries, nextSeconds }: ClaimedMail): Promise<void> {
  await sql`update mails set due_at = now() + ${nextSeconds} * interval '1 second'
    where id = ${id} and tries = ${tries}`
}

/** When the next mail is due; undefined for none. */
export async function findNextMail(sql: Sql): Promise<NextDue | undefined> {
  const [row] = await sql<{ atMs: number | null; delayMs: number }[]>`
    select ceil(extract(epoch from min(due_at)) * 1000)::float8 as "atMs",
      greatest(0, ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000))::float8 as "delayMs"
    from mails where due_at is not null`
  return row && row.atMs !== null ? { atMs: row.atMs, delayMs: row.delayMs } : undefined
}

/** Removes mails that are done and count no longer. */
export async function removeOldMails(sql: Sql, lengthMax: number): Promise<number> {
  const { count } = await sql`
    delete from mails where id in (
      select id from mails
      where due_at is null and asked_at < now() - ${DONE_SECONDS} * interval '1 second' limit ${lengthMax}
    )`
  return count
}
