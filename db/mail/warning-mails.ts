/** Mails that warn users of changes of their accounts, written in the commit of the change. */

import type { UserId } from '../../server/domain/ids.ts'
import { MAIL_NOTICE, type WarningDetails } from './mails.ts'
import type { Statement, WriteBatch } from '../log/write-batch.ts'

/**
 * Warnings of a kind that a user gets in an hour: a thief who goes on and on must not flood the mailbox, and the first
 * ones say enough. They count for the user alone: nobody else can use up their room.
 */
const WARNINGS_PER_HOUR_MAX = 10

/** The kinds of warnings about credentials. */
export type Warning =
  | { readonly kind: 'password_changed'; readonly details: WarningDetails['password_changed'] }
  | { readonly kind: 'factors_changed'; readonly details: WarningDetails['factors_changed'] }

/** Warns a user at the address that the account has at this point of the batch, if a condition holds there. */
export function warnUser(
  writes: WriteBatch,
  userId: UserId,
  { kind, details }: Warning,
  condition?: Statement,
): void {
  const { sql } = writes
  writes.add(sql`
    with warned as (
      insert into mails (kind, recipient, user_id, details)
      select ${kind}, email, id, ${sql.json({ ...details })} from users
      where id = ${userId} and ${condition ?? sql`true`} and (
        select count(*) from mails
        where kind = ${kind} and user_id = ${userId} and asked_at > now() - interval '1 hour'
      ) < ${WARNINGS_PER_HOUR_MAX}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from warned`)
}
