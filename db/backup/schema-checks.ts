/**
 * Takes the foreign keys, triggers and secondary indexes off all tables, and puts them back. Rows can then be copied in
 * any order, and an index is built at once instead of row by row. Putting them back checks all rows.
 */

import type { Transaction } from '../connection/connect.ts'
import { quoteName } from './table-copies.ts'

/** The dropped parts, as the statements that make them again. */
export interface DroppedChecks {
  readonly tables: readonly string[]
  readonly statements: readonly string[]
}

/** Drops them, in a transaction that puts them back. */
export async function dropChecks(tx: Transaction): Promise<DroppedChecks> {
  const tables = await tx<{ name: string }[]>`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace order by 1`
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace order by 1, 2`
  const indexes = await tx<{ name: string; definition: string }[]>`
    select i.relname as name, pg_get_indexdef(i.oid) as definition
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where i.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and not exists (select from pg_constraint k where k.conindid = i.oid) order by 1`
  for (const { name } of tables) await tx.unsafe(`alter table ${quoteName(name)} disable trigger user`)
  for (const { table, name } of keys)
    await tx.unsafe(`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`)
  for (const { name } of indexes) await tx.unsafe(`drop index ${quoteName(name)}`)
  const added = keys.map(
    ({ table, name, definition }) =>
      `alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`,
  )
  return {
    tables: tables.map(({ name }) => name),
    statements: [...indexes.map(({ definition }) => definition), ...added],
  }
}

/** Puts them back; rejects if a row violates one. */
export async function restoreChecks(tx: Transaction, { tables, statements }: DroppedChecks): Promise<void> {
  for (const statement of statements) await tx.unsafe(statement)
  for (const name of tables) await tx.unsafe(`alter table ${quoteName(name)} enable trigger user`)
}
