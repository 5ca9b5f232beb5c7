/** Push tokens that older apps register; no event reports them. */

import type { UserId } from '../../server/domain/ids.ts'
import { PUSH_TOKENS_MAX } from '../../server/domain/limits.ts'
import type { TokenKind } from '../../server/domain/personal/push-devices.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import {
  BACKOFF_MS,
  BACKOFF_MS_MAX,
  CLAIM_SECONDS,
  CLAIMS_MAX,
  wakeWorkers,
  wakeStatement,
} from './push-devices.ts'
import { claimedFor, dueAgainIn, dueNever } from '../due-work.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A token of a user. */
export interface PushToken {
  readonly kind: TokenKind
  readonly token: string
  /** The app, if the kind requires it. */
  readonly appId: string | null
}

/**
 * Stores a token, and queues its registration with the relay. Beyond the limit the oldest is removed: an app that
 * registers again never removes its last token.
 */
export async function storePushToken(
  sql: Sql,
  userId: UserId,
  { kind, token, appId }: PushToken,
): Promise<void> {
  await transact(sql, async (tx) => {
    await tx`
      insert into push_tokens (user_id, kind, token, app_id) values (${userId}, ${kind}, ${token}, ${appId})
      on conflict (user_id, kind, token) do update set app_id = ${appId}, is_removed = false, attempts = 0,
        due_at = now(), added_at = clock_timestamp()
      where push_tokens.is_removed or push_tokens.app_id is distinct from ${appId}`
    await tx`
      update push_tokens set is_removed = true, attempts = 0, due_at = now()
      where (user_id, kind, token) in (
        select user_id, kind, token from push_tokens where (user_id, kind, token) in (
          select user_id, kind, token from push_tokens where user_id = ${userId} and not is_removed
          order by added_at desc offset ${PUSH_TOKENS_MAX})
        for update skip locked)`
    await forgetRemoved(tx, userId)
    await wakeWorkers(tx, 'register-tokens')
  })
}

/** The table must not grow while the relay is unreachable: only the last removed tokens are sent to it. */
async function forgetRemoved(tx: Transaction, userId: UserId): Promise<void> {
  await tx`
    delete from push_tokens where (user_id, kind, token) in (
      select user_id, kind, token from push_tokens where (user_id, kind, token) in (
        select user_id, kind, token from push_tokens where user_id = ${userId} and is_removed
        order by due_at desc offset ${PUSH_TOKENS_MAX})
      for update skip locked)`
}

/** Queues a token's removal at the relay; returns whether it existed. */
export async function removePushToken(
  sql: Sql,
  userId: UserId,
  kind: TokenKind,
  token: string,
): Promise<boolean> {
  return transact(sql, async (tx) => {
    const removed = await tx`
      update push_tokens set is_removed = true, attempts = 0, due_at = now()
      where user_id = ${userId} and kind = ${kind} and token = ${token} and not is_removed`
    await forgetRemoved(tx, userId)
    if (removed.count > 0) await wakeWorkers(tx, 'register-tokens')
    return removed.count > 0
  })
}

/** Queues the removal of all of a user's tokens at the relay, as part of the batch. */
export function forgetPushTokensOf(writes: WriteBatch, userId: UserId): void {
  writes.add(removalOf(writes.sql, userId))
  writes.add(wakeStatement(writes.sql, 'register-tokens'))
}

const removalOf = (sql: Sql | Transaction, userId: UserId) => sql`
  update push_tokens set is_removed = true, attempts = 0, due_at = now()
  where (user_id, kind, token) in (
    select user_id, kind, token from push_tokens where user_id = ${userId} and not is_removed
    order by kind, token for update)`

/** Queues the removal of all of a user's tokens at the relay. */
export async function removePushTokensOf(sql: Sql, userId: UserId): Promise<void> {
  const removed = await removalOf(sql, userId)
  if (removed.count > 0) await wakeWorkers(sql, 'register-tokens')
}

/** A user's tokens: all of them, or one by its possible spellings. */
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

/** Deletes tokens that the relay no longer has, because the phone is gone. */
export async function dropPushTokens(
  sql: Sql,
  userId: UserId,
  kind: TokenKind,
  tokens: readonly string[],
): Promise<void> {
  await sql`delete from push_tokens
    where user_id = ${userId} and kind = ${kind} and token = any(${[...tokens]}::text[]) and not is_removed`
}

/** A token to register or remove at the relay. */
export interface DueToken extends PushToken {
  readonly userId: UserId
  readonly isRemoved: boolean
  /** The number of this attempt; its result counts only if no other attempt was made. */
  readonly attempts: number
  /** Milliseconds until the next attempt, if this one fails. */
  readonly nextMs: number
}

/** Claims tokens to send to the relay, like `claimRegistrations`. */
export function claimTokens(sql: Sql): Promise<DueToken[]> {
  return sql<DueToken[]>`
    with due as materialized (
      select user_id, kind, token from push_tokens
      where due_at <= now() order by due_at limit ${CLAIMS_MAX} for update skip locked
    )
    update push_tokens t set attempts = attempts + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where t.user_id = due.user_id and t.kind = due.kind and t.token = due.token
    returning t.user_id as "userId", t.kind, t.token, app_id as "appId", is_removed as "isRemoved", attempts,
      least(${BACKOFF_MS} * 2 ^ least(attempts - 1, 20), ${BACKOFF_MS_MAX})::int as "nextMs"`
}

/** Records that the relay has the token, unless it changed since. */
export async function settleToken(sql: Sql, due: DueToken): Promise<void> {
  if (due.isRemoved) await sql`delete from push_tokens where ${isUnchanged(sql, due)}`
  else await sql`update push_tokens set ${dueNever(sql)} where ${isUnchanged(sql, due)}`
}

/** Makes a token due again. */
export async function postponeToken(sql: Sql, due: DueToken): Promise<void> {
  await sql`update push_tokens set ${dueAgainIn(sql, due.nextMs / 1_000)}
    where ${isUnchanged(sql, due)}`
}

function isUnchanged(sql: Sql, { userId, kind, token, isRemoved, attempts }: DueToken) {
  return sql`user_id = ${userId} and kind = ${kind} and token = ${token} and is_removed = ${isRemoved}
    and attempts = ${attempts}`
}
