/** Profile fields and their values. */

import type { ProfileFieldId, UserId } from '../../server/domain/ids.ts'
import type { ProfileField, ProfileValue } from '../../server/domain/organization/profile-fields.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The value of a field in a user's profile. */
interface StoredValue {
  readonly userId: UserId
  readonly fieldId: ProfileFieldId
  readonly value: string
  /** Null if the field holds no Markdown. */
  readonly rendered: string | null
}

/** Replaces all fields, in this order; values of removed fields are deleted. */
export function storeProfileFields(writes: WriteBatch, fields: readonly ProfileField[]): void {
  const ids = fields.map(({ id }) => id)
  writes.add(writes.sql`delete from profile_values where field_id <> all(${ids}::int[])`)
  writes.add(writes.sql`update profile_fields set is_deleted = true where id <> all(${ids}::int[])`)
  writes.add(writes.sql`
    insert into profile_fields (id, type, name, hint, data, is_in_summary, is_required, is_editable, position)
    select id, type, name, hint, data, "isInSummary", "isRequired", "isEditable", place
    from json_array_elements(${JSON.stringify(fields)}::text::json) with ordinality as t (field, place),
      json_to_record(field) as f (id integer, type smallint, name text, hint text, data json,
        "isInSummary" boolean, "isRequired" boolean, "isEditable" boolean)
    on conflict (id) do update set name = excluded.name, hint = excluded.hint, data = excluded.data,
      is_in_summary = excluded.is_in_summary, is_required = excluded.is_required,
      is_editable = excluded.is_editable, position = excluded.position`)
}

/** A field of a profile with its new value; null clears it. */
interface ProfileValueChange {
  readonly fieldId: ProfileFieldId
  readonly filled: ProfileValue | null
}

/** Sets fields of a profile, each once. */
export function storeProfileValues(
  writes: WriteBatch,
  userId: UserId,
  values: readonly ProfileValueChange[],
): void {
  const emptied = values.filter(({ filled }) => filled === null).map(({ fieldId }) => fieldId)
  const filled = values.flatMap(({ fieldId, filled: one }) => (one === null ? [] : [{ fieldId, ...one }]))
  if (emptied.length > 0)
    writes.add(writes.sql`
      delete from profile_values where user_id = ${userId} and field_id = any(${emptied}::int[])`)
  if (filled.length > 0)
    writes.add(writes.sql`
      insert into profile_values (user_id, field_id, value, rendered)
      select ${userId}, "fieldId", value, rendered
      from json_to_recordset(${JSON.stringify(filled)}::text::json) as v ("fieldId" integer, value text, rendered text)
      on conflict (user_id, field_id) do update set value = excluded.value, rendered = excluded.rendered`)
}

/** All fields in order, and the highest id that a field ever had, 0 for none. */
export async function loadProfileFields(
  sql: Sql | Transaction,
): Promise<{ fields: ProfileField[]; lastId: number }> {
  const rows = await sql<ProfileField[]>`
    select id, type, name, hint, data, is_in_summary as "isInSummary", is_required as "isRequired",
      is_editable as "isEditable"
    from profile_fields where not is_deleted order by position, id`
  const [last] = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from profile_fields`
  return { fields: [...rows], lastId: last?.id ?? 0 } // Only the rows, without the driver's result metadata.
}

export async function loadProfileValues(sql: Sql | Transaction): Promise<StoredValue[]> {
  return sql<StoredValue[]>`
    select user_id as "userId", field_id as "fieldId", value, rendered
    from profile_values order by user_id, field_id`
}
