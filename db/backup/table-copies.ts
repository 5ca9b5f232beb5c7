/** Copies whole tables out of the database and into it, as streams of PostgreSQL's own text format. */

import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReservedSql, Sql, Transaction } from '../connection/connect.ts'

/** A table with its stored columns, in order. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
}

/** A column that takes its values from a sequence, and the last value that the sequence gave. */
export interface SequenceState {
  readonly table: string
  readonly column: string
  /** Null if it gave none. */
  readonly last: number | null
}

type AnySql = Sql | Transaction | ReservedSql

/** The tables of the schema, by name. */
export async function listTables(sql: AnySql): Promise<TableShape[]> {
  return sql<TableShape[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`
}

/** The sequences behind columns of the schema's tables. */
export async function listSequences(sql: AnySql): Promise<SequenceState[]> {
  return sql<SequenceState[]>`
    select t.relname as table, a.attname as column, v.last_value as last
    from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    join pg_sequences v on v.schemaname = current_schema() and v.sequencename = s.relname
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
    order by t.relname, a.attname`
}

/** Lets the sequences continue after the values that they gave elsewhere. */
export async function setSequences(sql: AnySql, sequences: readonly SequenceState[]): Promise<void> {
  for (const { table, column, last } of sequences) {
    if (last === null) continue
    await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), ${last}::bigint)`
  }
}

/** The rows of a table, one line for each; nothing is read ahead of the consumer but a few buffers. */
export async function copyOut(sql: AnySql, table: TableShape): Promise<Readable> {
  return sql.unsafe(`copy ${nameOf(table)} to stdout`).readable() as Promise<Readable>
}

/** Adds rows to a table; resolves when the database has checked and stored all of them. */
export async function copyIn(
  sql: AnySql,
  table: TableShape,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = (await sql.unsafe(`copy ${nameOf(table)} from stdin`).writable()) as Writable
  await pipeline(chunks, target)
}

function nameOf({ name, columns }: TableShape): string {
  return `${quoteName(name)} (${columns.map(quoteName).join(', ')})`
}

/** A name as PostgreSQL reads it, whatever it holds. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
