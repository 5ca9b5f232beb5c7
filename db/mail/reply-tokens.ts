/** Tokens in the reply addresses of mails about messages. No event carries them, and no row has their text. */

import type { MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Days for which a mail can be answered: answers come within days, and a forgotten mailbox must not speak for years. */
const VALID_DAYS = 30
/** Tokens of one user: twice as many as a busy reader gets mails in a week. The oldest go. */
const TOKENS_PER_USER_MAX = 1_000

/** A user, as a token names them. */
export interface ReplyToken {
  readonly userId: UserId
  /** The address of the account at that time. */
  readonly email: string
  /** An answer goes to the conversation of this message. */
  readonly messageId: MessageId
}

/** Stores a token by its hash. */
export async function storeReplyToken(
  sql: Sql,
  tokenHash: string,
  { userId, email, messageId }: ReplyToken,
): Promise<void> {
  await sql`
    with old as materialized (
      select token_hash from reply_tokens where user_id = ${userId}
      order by created_at desc offset ${TOKENS_PER_USER_MAX - 1} for update skip locked
    ), removed as (
      delete from reply_tokens where token_hash in (table old)
    )
    insert into reply_tokens (token_hash, user_id, email, message_id, expires_at)
    values (${tokenHash}, ${userId}, ${email}, ${messageId}, now() + ${VALID_DAYS} * interval '1 day')`
}

/** A token that is valid now. */
export async function findReplyToken(sql: Sql, tokenHash: string): Promise<ReplyToken | undefined> {
  const [row] = await sql<ReplyToken[]>`
    select user_id as "userId", email, message_id as "messageId" from reply_tokens
    where token_hash = ${tokenHash} and expires_at > now()`
  return row
}

/** Ends all tokens of a user. */
export function forgetReplyTokens(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`delete from reply_tokens where user_id = ${userId}`)
}

/** Removes expired tokens. */
export async function removeOldReplyTokens(sql: Sql, lengthMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select token_hash from reply_tokens where expires_at < now() limit ${lengthMax} for update skip locked
    )
    delete from reply_tokens where token_hash in (table old)`
  return count
}
