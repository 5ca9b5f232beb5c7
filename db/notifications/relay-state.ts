/** Whether the push relay serves the organization, by its last answer, and since when it has not answered. */

import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Stores an answer that differs from the last one. */
export function storeRelayAnswer(writes: WriteBatch, canPush: boolean): void {
  writes.add(writes.sql`insert into relay_state (can_push) values (${canPush})
    on conflict (is_only) do update set can_push = excluded.can_push, noted_at = now()`)
}

/** The state of the relay. */
export interface RelayState {
  /** Whether clients hear that it serves the organization; false before the first answer. */
  readonly canPush: boolean
  /** Seconds since it has failed or could not be reached; null if its last request was answered. */
  readonly failingSeconds: number | null
}

export async function readRelayState(sql: Sql): Promise<RelayState> {
  const [row] = await sql<RelayState[]>`
    select can_push as "canPush", ${failingSeconds(sql)} from relay_state`
  return row ?? { canPush: false, failingSeconds: null }
}

/** Notes that the relay has failed or could not be reached; returns the state. */
export async function storeRelayFailure(sql: Sql): Promise<RelayState> {
  const [row] = await sql<[RelayState]>`
    insert into relay_state (can_push, failing_since) values (false, now())
    on conflict (is_only) do update set failing_since = coalesce(relay_state.failing_since, now())
    returning can_push as "canPush", ${failingSeconds(sql)}`
  return row
}

/** Notes that the relay answers again. */
export async function clearRelayFailure(sql: Sql): Promise<void> {
  await sql`update relay_state set failing_since = null where failing_since is not null`
}

const failingSeconds = (sql: Sql) =>
  sql`extract(epoch from now() - failing_since)::float8 as "failingSeconds"`

/** The parts of the organization that the relay learns. */
export interface AnnouncedOrganization {
  readonly name: string
  /** UNIX seconds. */
  readonly createdAt: number
}

export async function readAnnouncedOrganization(sql: Sql): Promise<AnnouncedOrganization | undefined> {
  const [row] = await sql<AnnouncedOrganization[]>`select name, created_at as "createdAt" from organization`
  return row
}
