/** Whether mails leave the server: the newest results of sending, and mails that test it. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { MAIL_NOTICE } from './mails.ts'

/** Test mails that one user may ask for in an hour. */
const TESTS_MAX = 5
/** The row is written at most this often while all is well. */
const NOTED_SECONDS = 60

/** The newest results. */
export interface MailResults {
  /** UNIX seconds; null if no mail was sent yet, or failed. */
  readonly sentAt: number | null
  readonly failedAt: number | null
  /** The reason of the newest failure; null if there was none. */
  readonly problem: string | null
}

/** Notes that the mail server took a mail. */
export async function noteMailSent(sql: Sql): Promise<void> {
  await sql`update mail_results set sent_at = now()
    where sent_at is null or sent_at < now() - ${NOTED_SECONDS} * interval '1 second' or failed_at >= sent_at`
}

/** Notes that the mail server took no mail. */
export async function noteMailFailure(sql: Sql, problem: string): Promise<void> {
  await sql`update mail_results set failed_at = now(), problem = ${problem}`
}

/** Reads the newest results. */
export async function readMailResults(sql: Sql): Promise<MailResults> {
  const [row] = await sql<MailResults[]>`
    select extract(epoch from sent_at)::int as "sentAt", extract(epoch from failed_at)::int as "failedAt", problem
    from mail_results`
  return row ?? { sentAt: null, failedAt: null, problem: null }
}

/** Asks for a test mail to a user's own address; false if they asked for too many. */
export async function askForTestMail(sql: Sql, userId: UserId, recipient: string): Promise<boolean> {
  const rows = await sql`
    with asked as (
      insert into mails (kind, recipient, user_id) select 'test', ${recipient}, ${userId}
      where (
        select count(*) from mails
        where user_id = ${userId} and kind = 'test' and asked_at > now() - interval '1 hour'
      ) < ${TESTS_MAX}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from asked`
  return rows.length > 0
}
