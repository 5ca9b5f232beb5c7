/** Tokens for push notifications as older apps register them: no event tells of them. */

import type { UserId } from '../server/domain/ids.ts'
import { PUSH_TOKENS_MAX } from '../server/domain/limits.ts'
import type { TokenKind } from '../server/domain/push-devices.ts'
import type { Sql, Transaction } from './connect.ts'
import { BACKOFF_MS, BACKOFF_MS_MAX, CLAIM_MS, CLAIMS_MAX, wakeWorkers, wakingOf } from './push-devices.ts'
import type { WriteBatch } from './write-batch.ts'

/** A token of a user. */
export interface PushToken {
  readonly kind: TokenKind
  readonly token: string
  /** The app, where the kind asks for it. */
  readonly appId: string | null
}

/** Stores a token, and has the relay told of it. Of too many the oldest go: an app that registers anew never says so of the last. */
export async function storePushToken(
  sql: Sql,
  userId: UserId,
  { kind, token, appId }: PushToken,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into push_tokens (user_id, kind, token, app_id) values (${userId}, ${kind}, ${token}, ${appId})
      on conflict (user_id, kind, token) do update set app_id = ${appId}, is_removed = false, attempts = 0,
        due_at = now(), added_at = clock_timestamp()
      where push_tokens.is_removed or push_tokens.app_id is distinct from ${appId}`
    await tx`
      update push_tokens set is_removed = true, attempts = 0, due_at = now()
      where (user_id, kind, token) in (
        select user_id, kind, token from push_tokens where user_id = ${userId} and not is_removed
        order by added_at desc offset ${PUSH_TOKENS_MAX})`
    await forgetRemoved(tx, userId)
    await wakeWorkers(tx, 'register-tokens')
  })
}

/** A relay that is away, or not there, must not let the table grow: it hears of the last that went. */
async function forgetRemoved(tx: Transaction, userId: UserId): Promise<void> {
  await tx`
    delete from push_tokens where (user_id, kind, token) in (
      select user_id, kind, token from push_tokens where user_id = ${userId} and is_removed
      order by due_at desc offset ${PUSH_TOKENS_MAX})`
}

/** Has the relay forget a token; answers whether there was one. */
export async function removePushToken(
  sql: Sql,
  userId: UserId,
  kind: TokenKind,
  token: string,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const removed = await tx`
      update push_tokens set is_removed = true, attempts = 0, due_at = now()
      where user_id = ${userId} and kind = ${kind} and token = ${token} and not is_removed`
    await forgetRemoved(tx, userId)
    if (removed.count > 0) await wakeWorkers(tx, 'register-tokens')
    return removed.count > 0
  }) as Promise<boolean>
}

/** Has the relay forget all tokens of a user, with the batch. */
export function forgetPushTokensOf(writes: WriteBatch, userId: UserId): void {
  writes.add(removalOf(writes.sql, userId))
  writes.add(wakingOf(writes.sql, 'register-tokens'))
}

const removalOf = (sql: Sql | Transaction, userId: UserId) => sql`
  update push_tokens set is_removed = true, attempts = 0, due_at = now()
  where user_id = ${userId} and not is_removed`

/** Has the relay forget all tokens of a user. */
export async function removePushTokensOf(sql: Sql, userId: UserId): Promise<void> {
  const removed = await removalOf(sql, userId)
  if (removed.count > 0) await wakeWorkers(sql, 'register-tokens')
}

/** A user's tokens: all, or the one of some spellings. */
export function readPushTokens(
  sql: Sql,
  userId: UserId,
  spellings: readonly string[] | undefined,
): Promise<PushToken[]> {
  return sql<PushToken[]>`
    select kind, token, app_id as "appId" from push_tokens
    where user_id = ${userId} and not is_removed and (${spellings ?? null}::text[] is null or token = any(${spellings ?? null}::text[]))
    order by added_at`
}

/** A token of which the relay is to be told that it is there, or that it is not any more. */
export interface DueToken extends PushToken {
  readonly userId: UserId
  readonly isRemoved: boolean
  /** Which try this is; what came of it is noted only where no other was made. */
  readonly attempts: number
  /** Milliseconds until it is due again, should this try fail. */
  readonly nextMs: number
}

/** Claims tokens of which the relay is to be told, as `claimRegistrations` does. */
export function claimTokens(sql: Sql): Promise<DueToken[]> {
  return sql<DueToken[]>`
    update push_tokens t set attempts = attempts + 1, due_at = now() + ${CLAIM_MS} * interval '1 millisecond'
    from (
      select user_id, kind, token from push_tokens
      where due_at <= now() order by due_at limit ${CLAIMS_MAX} for update skip locked
    ) due
    where t.user_id = due.user_id and t.kind = due.kind and t.token = due.token
    returning t.user_id as "userId", t.kind, t.token, app_id as "appId", is_removed as "isRemoved", attempts,
      least(${BACKOFF_MS} * 2 ^ least(attempts - 1, 20), ${BACKOFF_MS_MAX})::int as "nextMs"`
}

/** Notes that the relay was told, unless the token has become another since. */
export async function settleToken(sql: Sql, due: DueToken): Promise<void> {
  if (due.isRemoved) await sql`delete from push_tokens where ${isUnchanged(sql, due)}`
  else await sql`update push_tokens set due_at = null where ${isUnchanged(sql, due)}`
}

/** Lets a token be due again. */
export async function postponeToken(sql: Sql, due: DueToken): Promise<void> {
  await sql`update push_tokens set due_at = now() + ${due.nextMs} * interval '1 millisecond'
    where ${isUnchanged(sql, due)}`
}

function isUnchanged(sql: Sql, { userId, kind, token, isRemoved, attempts }: DueToken) {
  return sql`user_id = ${userId} and kind = ${kind} and token = ${token} and is_removed = ${isRemoved}
    and attempts = ${attempts}`
}
