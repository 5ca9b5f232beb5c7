/** Whether mails leave the server, and whether those about messages reach each user: the newest results, and mails that test it. */

import type { User } from '../../server/domain/entities.ts'
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

/** The answer to the newest mail about messages to a user. */
export interface MailAnswer {
  /** UNIX seconds; null if none was taken. */
  readonly lastSuccessAt: number | null
  /** The status that the mail server answered, or a word for none. */
  readonly lastAnswer: string
}

/** Notes the answer to a mail about messages; one like the last is noted each minute. */
export async function noteMailAnswer(
  sql: Sql,
  { userId, email }: { readonly userId: UserId; readonly email: string },
  { answer, isTaken }: { readonly answer: string; readonly isTaken: boolean },
): Promise<void> {
  await sql`
    insert into mail_answers as former (user_id, email, last_answer, last_success_at)
    values (${userId}, ${email}, ${answer}, case when ${isTaken} then now() end)
    on conflict (user_id) do update set email = excluded.email, last_answer = excluded.last_answer,
      last_success_at = case when ${isTaken} or former.email <> excluded.email then excluded.last_success_at
        else former.last_success_at end
    where former.email <> excluded.email or former.last_answer <> excluded.last_answer
      or (${isTaken} and former.last_success_at < now() - ${NOTED_SECONDS} * interval '1 second')`
}

/** The answer to the newest mail about messages to the address of a user; undefined if there was none. */
export async function findMailAnswer(
  sql: Sql,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<MailAnswer | undefined> {
  const [row] = await sql<MailAnswer[]>`
    select extract(epoch from last_success_at)::int as "lastSuccessAt", last_answer as "lastAnswer"
    from mail_answers where user_id = ${id} and email = ${email}`
  return row
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
