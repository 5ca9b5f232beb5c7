/** Whether the push relay serves the organization, by its last answer. */

import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Stores an answer that differs from the last one. */
export function storeRelayAnswer(writes: WriteBatch, canPush: boolean): void {
  writes.add(writes.sql`insert into relay_state (can_push) values (${canPush})
    on conflict (is_only) do update set can_push = excluded.can_push, noted_at = now()`)
}

/** False before the first answer. */
export async function readRelayAnswer(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ canPush: boolean }[]>`select can_push as "canPush" from relay_state`
  return row?.canPush === true
}

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
