/** Test notifications: a request waits, and a worker sends the test once and stores the result. */

import type { DeviceId, UserId, WebPushId } from '../../server/domain/ids.ts'
import type { PushTestOutcome } from '../../server/domain/personal/push-devices.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql } from '../connection/connect.ts'
import { wakeWorkers } from './push-devices.ts'
import type { PushToken } from './push-tokens.ts'

/** Pending tests of one user; more would only fill the queue. */
const TESTS_PER_USER_MAX = 20
/** Tests that a sweep sends at once: by then most requests have stopped waiting. */
const UNCLAIMED_MAX = 20
/** The database channel that announces results of tests. */
export const PUSH_TEST_NOTICE = 'parley_push_tested'

/** The target and content of a test notification. */
export type PushTestTarget = {
  readonly organizationName: string
  readonly organizationUrl: string
} & (
  | { readonly kind: 'devices'; readonly deviceIds: readonly DeviceId[] }
  | { readonly kind: 'tokens'; readonly tokens: readonly PushToken[] }
  | { readonly kind: 'web'; readonly webPushId: WebPushId }
)

/** Stores a test and wakes a worker for it; undefined if the user has too many pending ones. */
export async function storePushTest(
  sql: Sql,
  userId: UserId,
  target: PushTestTarget,
  { msMax, requestId }: { readonly msMax: number; readonly requestId?: string | undefined },
): Promise<string | undefined> {
  return transact(sql, async (tx) => {
    await tx`
      delete from push_tests where id in (
        select id from push_tests where expires_at < now() - interval '1 minute' for update skip locked)`
    const [row] = await tx<{ id: string }[]>`
      insert into push_tests (user_id, target, expires_at)
      select ${userId}, ${tx.json(target as never)}, now() + ${msMax} * interval '1 millisecond'
      where (
        select count(*) from push_tests where user_id = ${userId} and expires_at > now() and outcome is null
      ) < ${TESTS_PER_USER_MAX}
      returning id`
    if (row) await wakeWorkers(tx, 'send-push-test', row.id, requestId)
    return row?.id
  })
}

/** Claims a test, which is sent at most once; undefined if another worker has it, or no request waits any more. */
export async function claimPushTest(
  sql: Sql,
  id: string,
): Promise<{ readonly userId: UserId; readonly target: PushTestTarget } | undefined> {
  const [row] = await sql<{ userId: UserId; target: PushTestTarget }[]>`
    update push_tests set is_claimed = true where id = ${id} and not is_claimed and expires_at > now()
    returning user_id as "userId", target`
  return row
}

/** Tests that no worker has claimed. */
export async function findUnclaimedPushTests(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from push_tests where not is_claimed and expires_at > now() limit ${UNCLAIMED_MAX}`
  return rows.map(({ id }) => id)
}

/** Stores the result of a test. */
export async function settlePushTest(sql: Sql, id: string, outcome: PushTestOutcome): Promise<void> {
  await sql`with settled as (update push_tests set outcome = ${outcome} where id = ${id})
    select pg_notify(${PUSH_TEST_NOTICE}, ${id})`
}

/** The known results of some tests. */
export function readPushTestOutcomes(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; outcome: PushTestOutcome }[]> {
  return sql<{ id: string; outcome: PushTestOutcome }[]>`
    select id, outcome from push_tests where id = any(${[...ids]}::uuid[]) and outcome is not null`
}
