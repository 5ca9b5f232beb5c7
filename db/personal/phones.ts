/** The phones of a user, as their page of devices lists them: devices, and tokens of older apps. */

import type { DeviceId, UserId } from '../../server/domain/ids.ts'
import type { TokenKind } from '../../server/domain/personal/push-devices.ts'
import type { Sql } from '../connection/connect.ts'
import type { PushToken } from './push-tokens.ts'

/** Seconds after which a success is noted again: a phone may get many pushes a minute. */
const NOTE_SECONDS = 60

/** A phone. Times are UNIX seconds. */
export interface StoredPhone {
  /** Null for the token of an older app. */
  readonly deviceId: DeviceId | null
  readonly kind: TokenKind
  readonly registeredAt: number
  readonly lastSuccessAt: number | null
  readonly lastAnswer: string | null
  /** Whether the relay has its token. */
  readonly isRegistered: boolean
}

/** An answer of the relay to a push for phones. */
export interface PhoneAnswer {
  readonly isTaken: boolean
  /** `200`, or a word. */
  readonly answer: string
}

/** A user's phones, the newest first. */
export function readPhones(sql: Sql, userId: UserId): Promise<StoredPhone[]> {
  const seconds = (time: ReturnType<Sql>) => sql`extract(epoch from ${time})::int`
  return sql<StoredPhone[]>`
    select id as "deviceId", token_kind as kind, coalesce(token_updated_at, 0)::int as "registeredAt",
      ${seconds(sql`last_success_at`)} as "lastSuccessAt", last_answer as "lastAnswer", token_id is not null as "isRegistered"
    from client_devices where user_id = ${userId} and token_kind is not null
    union all
    select null, kind, ${seconds(sql`added_at`)}, ${seconds(sql`last_success_at`)}, last_answer, due_at is null
    from push_tokens where user_id = ${userId} and not is_removed
    order by "registeredAt" desc, "deviceId" desc`
}

/** Notes the answer for devices. */
export async function noteDeviceAnswer(
  sql: Sql,
  ids: readonly DeviceId[],
  answer: PhoneAnswer,
): Promise<void> {
  await sql`
    with phone as (
      select id from client_devices where id = any(${ids}::bigint[]) and ${isNews(sql, answer)} order by id for update)
    update client_devices d set ${noted(sql, answer)} from phone where d.id = phone.id`
}

/** Notes the answer for some tokens of a user's older apps. */
export async function noteTokenAnswer(
  sql: Sql,
  userId: UserId,
  tokens: readonly Pick<PushToken, 'kind' | 'token'>[],
  answer: PhoneAnswer,
): Promise<void> {
  await sql`
    with phone as (
      select user_id, kind, token from push_tokens
        join unnest(${tokens.map(({ kind }) => kind)}::text[], ${tokens.map(({ token }) => token)}::text[])
          asked (kind, token) using (kind, token)
      where user_id = ${userId} and not is_removed and ${isNews(sql, answer)}
      order by user_id, kind, token for update of push_tokens)
    update push_tokens t set ${noted(sql, answer)} from phone
    where (t.user_id, t.kind, t.token) = (phone.user_id, phone.kind, phone.token)`
}

const noted = (sql: Sql, { answer, isTaken }: PhoneAnswer) =>
  isTaken ? sql`last_answer = ${answer}, last_success_at = now()` : sql`last_answer = ${answer}`

const isNews = (sql: Sql, { answer, isTaken }: PhoneAnswer) =>
  isTaken
    ? sql`(last_answer is distinct from ${answer} or last_success_at < now() - ${NOTE_SECONDS} * interval '1 second')`
    : sql`last_answer is distinct from ${answer}`
