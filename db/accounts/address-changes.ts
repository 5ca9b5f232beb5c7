/** New addresses that users want: one of each user, confirmed by the token of a mail to it. */

import type { OwnAddressStep } from '../../server/domain/events/credentials.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { isRoomForMail, MAIL_NOTICE } from '../mail/mails.ts'
import { hasToken } from '../mail/repeated-links.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Mails for a new address that one user may cause in an hour: they go to mailboxes of others, too. */
const ASKED_PER_USER_MAX = 5
/** Seconds for which a confirmation is valid: people may read mail the next morning. */
const CONFIRMING_SECONDS = 24 * 3_600

/** A user has asked for too many mails. */
export class TooManyAddressMailsError extends Error {
  override readonly name = 'TooManyAddressMailsError'
}

/** A link for a new address is used, too old or replaced. */
export class MissingAddressChangeError extends Error {
  override readonly name = 'MissingAddressChangeError'
}

/** Stores that a user wants an address, or confirms it; with the mails that follow. */
export function storeOwnAddress(writes: WriteBatch, userId: UserId, step: OwnAddressStep): void {
  const { sql } = writes
  if (step.kind === 'asked') {
    const asked = sql`select count(*) from mails
      where kind = 'address_change' and user_id = ${userId} and asked_at > now() - interval '1 hour'`
    writes.require(
      sql`(${asked}) < ${ASKED_PER_USER_MAX} and ${isRoomForMail(sql, 'address_change')}`,
      () => new TooManyAddressMailsError(`user ${userId} asked for too many mails`),
    )
    writes.add(sql`
      insert into address_changes (user_id, email, expires_at)
      values (${userId}, ${step.email}, now() + ${CONFIRMING_SECONDS} * interval '1 second')
      on conflict (user_id) do update
        set email = excluded.email, token_hash = null, former_hash = null, expires_at = excluded.expires_at`)
  } else {
    writes.change(
      sql`delete from address_changes
        where user_id = ${userId} and ${hasToken(sql, step.tokenHash)} and expires_at > clock_timestamp()`,
      1,
      () => new MissingAddressChangeError(`the link of user ${userId} is not valid any more`),
    )
  }
  const mail = step.kind === 'asked' ? 'address_change' : 'address_changed'
  const recipients = step.kind === 'asked' ? [step.email] : [step.former, step.email]
  writes.add(sql`insert into mails (kind, recipient, user_id)
    select ${mail}, unnest(${recipients}::text[]), ${userId}`)
  writes.add(sql`select pg_notify(${MAIL_NOTICE}, '')`)
}

/** The user who wants an address, unless somebody has it by now or the wish is void. */
export async function findAddressChange(
  sql: Sql,
  userId: UserId,
  email: string,
): Promise<{ readonly fullName: string } | undefined> {
  const [row] = await sql<{ fullName: string }[]>`
    select u.full_name as "fullName" from address_changes a join users u on u.id = a.user_id
    where a.user_id = ${userId} and a.email = ${email} and a.expires_at > now() and u.is_active
      and not exists (select from users where lower(email) = lower(a.email) and id <> a.user_id)`
  return row
}

/** Stores the token of the newest mail; false if the wish is void. */
export async function storeAddressToken(
  sql: Sql,
  userId: UserId,
  email: string,
  tokenHash: string,
): Promise<boolean> {
  const { count } = await sql`
    update address_changes set token_hash = ${tokenHash}, former_hash = null
    where user_id = ${userId} and email = ${email}`
  return count === 1
}

/** The user and the address that a token confirms, if the token is valid. */
export async function findConfirmedAddress(
  sql: Sql,
  tokenHash: string,
): Promise<{ readonly userId: UserId; readonly email: string } | undefined> {
  const [row] = await sql<{ userId: UserId; email: string }[]>`
    select user_id as "userId", email from address_changes
    where ${hasToken(sql, tokenHash)} and expires_at > now()`
  return row
}
