/** Subscriptions to web push, and the server's key for it. Their keys are secret, so no event carries them. */

import type { EventId, UserId, WebPushId } from '../../server/domain/ids.ts'
import { WEB_PUSHES_MAX } from '../../server/domain/limits.ts'
import type { NewWebPush, PushReceiver, WebPush } from '../../server/domain/personal/web-push.ts'
import type { Sql } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** The server's key: a number on P-256 and its point. */
export interface ServerKey {
  readonly privateKey: Buffer
  readonly publicKey: Buffer
}

/** Reads the server's key; the first one who asks stores it. */
export async function readServerKey(sql: Sql, make: () => ServerKey): Promise<ServerKey> {
  const read = () =>
    sql<ServerKey[]>`select private_key as "privateKey", public_key as "publicKey" from web_push_keys`
  const [found] = await read()
  if (found) return found
  const { privateKey, publicKey } = make()
  await sql`insert into web_push_keys (private_key, public_key) values (${privateKey}, ${publicKey})
    on conflict do nothing`
  const [stored] = await read()
  if (!stored) throw new Error('the key for web push is not stored')
  return stored
}

/** Replaces the server's key. Browsers hold subscriptions for the former one, so these end; returns how many. */
export async function replaceServerKey(sql: Sql, { privateKey, publicKey }: ServerKey): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`insert into web_push_keys (private_key, public_key) values (${privateKey}, ${publicKey})
      on conflict (is_only) do update set private_key = excluded.private_key, public_key = excluded.public_key,
        made_at = now()`
    const ended = await tx`delete from web_push_subscriptions where id in (
      select id from web_push_subscriptions order by id for update)`
    return ended.count
  })
}

/**
 * Stores a subscription, unless its holder has ended meanwhile. It replaces those of the same receiver: a browser belongs to
 * the user who asked last. Beyond the limit it replaces the one that was reached the longest time ago.
 */
export function storeWebPush(
  writes: WriteBatch,
  id: InSql<EventId>,
  userId: UserId,
  { endpoint, p256dh, auth, holder, client }: NewWebPush,
): void {
  const { sessionId, keyHash } = { sessionId: null, keyHash: null, ...holder }
  writes.add(writes.sql`
    delete from web_push_subscriptions where id in (
      select id from web_push_subscriptions
      where endpoint = ${endpoint} and (user_id = ${userId} or auth = ${Buffer.from(auth)}) order by id for update)`)
  writes.add(writes.sql`
    delete from web_push_subscriptions where id in (
      select id from web_push_subscriptions where id in (
        select id from web_push_subscriptions where user_id = ${userId}
        order by coalesce(last_success_at, created_at) desc, id desc offset ${WEB_PUSHES_MAX - 1})
      order by id for update)`)
  writes.add(writes.sql`
    insert into web_push_subscriptions (id, user_id, endpoint, p256dh, auth, session_id, key_hash, client)
    select ${id}, ${userId}, ${endpoint}, ${Buffer.from(p256dh)}, ${Buffer.from(auth)}, ${sessionId}, ${keyHash}, ${client}
    where exists (select from login_sessions where id = ${sessionId} and user_id = ${userId})
      or exists (select from users where id = ${userId} and ${keyHash} = any(api_key_hashes))`)
}

/** The id of the subscription if it is stored as it is given. */
export async function findSameWebPush(
  sql: Sql,
  userId: UserId,
  { endpoint, p256dh, auth, holder }: NewWebPush,
): Promise<WebPushId | undefined> {
  const { sessionId, keyHash } = { sessionId: null, keyHash: null, ...holder }
  const [row] = await sql<{ id: WebPushId }[]>`
    select id from web_push_subscriptions where user_id = ${userId} and endpoint = ${endpoint}
      and p256dh = ${Buffer.from(p256dh)} and auth = ${Buffer.from(auth)}
      and session_id is not distinct from ${sessionId} and key_hash is not distinct from ${keyHash}`
  return row?.id
}

/** A user's subscriptions, the newest first. */
export function readWebPushes(sql: Sql, userId: UserId): Promise<WebPush[]> {
  return sql<WebPush[]>`
    select id, endpoint, client, session_id as "sessionId",
      extract(epoch from created_at)::bigint as "createdAt",
      extract(epoch from last_success_at)::bigint as "lastSuccessAt", last_answer as "lastAnswer"
    from web_push_subscriptions where user_id = ${userId} order by id desc`
}

/** Removes a subscription of a user; returns whether it existed. */
export async function removeWebPush(sql: Sql, userId: UserId, id: WebPushId): Promise<boolean> {
  const removed = await sql`delete from web_push_subscriptions where id = ${id} and user_id = ${userId}`
  return removed.count > 0
}

/** Removes the subscriptions that ended API keys of a user asked for, as part of the batch. */
export function removeWebPushesOfKeys(writes: WriteBatch, userId: UserId, left: readonly string[]): void {
  writes.add(writes.sql`
    delete from web_push_subscriptions where id in (
      select id from web_push_subscriptions where user_id = ${userId} and key_hash <> all(${[...left]}::text[])
      order by id for update)`)
}

/** Removes all subscriptions of a user, as part of the batch. */
export function removeWebPushesOf(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    delete from web_push_subscriptions where id in (
      select id from web_push_subscriptions where user_id = ${userId} order by id for update)`)
}

/** The receiver of a user's subscription; undefined if there is none. */
export async function findReceiver(
  sql: Sql,
  userId: UserId,
  id: WebPushId,
): Promise<PushReceiver | undefined> {
  const [row] = await sql<PushReceiver[]>`
    select endpoint, p256dh, auth from web_push_subscriptions where id = ${id} and user_id = ${userId}`
  return row
}

/** The receiver of a subscription, with its user. */
export interface StoredReceiver extends PushReceiver {
  readonly id: WebPushId
  readonly userId: UserId
}

/** The receivers of subscriptions, by their ids. */
export async function findReceivers(
  sql: Sql,
  ids: readonly WebPushId[],
): Promise<ReadonlyMap<WebPushId, StoredReceiver>> {
  const rows = await sql<StoredReceiver[]>`
    select id, user_id as "userId", endpoint, p256dh, auth from web_push_subscriptions
    where id = any(${[...ids]}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** An answer of a push service. */
export interface WebPushAnswer {
  readonly id: WebPushId
  readonly isTaken: boolean
  readonly answer: string
}

/** Records answers of push services: the last one of each subscription. */
export async function noteWebPushAnswers(sql: Sql, answers: readonly WebPushAnswer[]): Promise<void> {
  const last = [...new Map(answers.map((one) => [one.id, one])).values()]
  await sql`
    with answer as (
      select s.id, a.answer, a.is_taken
      from unnest(${last.map(({ id }) => id)}::bigint[], ${last.map(({ answer }) => answer)}::text[],
          ${last.map(({ isTaken }) => Number(isTaken))}::int[]) a (id, answer, is_taken)
        join web_push_subscriptions s using (id)
      order by s.id for update of s
    )
    update web_push_subscriptions s set last_answer = a.answer,
      last_success_at = case when a.is_taken = 1 then now() else s.last_success_at end
    from answer a where s.id = a.id`
}

/** Removes a subscription that its push service no longer knows. */
export async function dropWebPush(sql: Sql, id: WebPushId): Promise<void> {
  await sql`delete from web_push_subscriptions where id = ${id}`
}
