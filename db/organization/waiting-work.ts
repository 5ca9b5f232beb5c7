/** The work that waits for workers, by kind. */

import type { Sql, Transaction } from '../connection/connect.ts'

/** Work of one kind that waits for a worker. */
export interface Work {
  readonly kind: WorkKind
  readonly waiting: number
  /** Seconds for which the first of it has been due; 0 if none is. */
  readonly lateSeconds: number
}

/** The tables of work, and when a row waits and is due. */
const WORK = {
  scheduled_messages: {
    table: 'scheduled_messages where sent_id is null and not has_failed',
    due: 'to_timestamp(deliver_at)',
  },
  notifications: { table: 'pending_notifications', due: 'due_at' },
  pushes: { table: 'pushes where due_at is not null', due: 'due_at' },
  emails: { table: 'mails where due_at is not null', due: 'due_at' },
  received_emails: { table: 'received_mails where due_at is not null', due: 'due_at' },
  previews: { table: 'waiting_previews', due: 'due_at' },
  search_index: { table: 'search_changes', due: 'null::timestamptz' },
  exports: {
    table: "organization_exports where outcome ->> 'phase' = 'pending'",
    due: 'to_timestamp(requested_at)',
  },
  imports: {
    table: "organization_imports where state ->> 'phase' in ('checking', 'running')",
    due: "to_timestamp((state ->> 'at')::bigint)",
  },
  removed_files: { table: 'removed_files', due: 'null::timestamptz' },
} as const

export type WorkKind = keyof typeof WORK
export const WORK_KINDS = Object.keys(WORK) as readonly WorkKind[]

/** Counts what waits. */
export async function readWork(sql: Sql | Transaction): Promise<Work[]> {
  const counts = WORK_KINDS.map((kind) => {
    const { table, due } = WORK[kind]
    return `select '${kind}' as kind, count(*) as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(${due})), 0))::float8 as "lateSeconds" from ${table}`
  })
  return [...(await sql.unsafe<Work[]>(counts.join(' union all ')))]
}
