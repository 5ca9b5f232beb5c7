/** The table of `docs/export.md` that says of each table of the database whether it comes over. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { createDatabase } from '../harness/databases/create-database.ts'

t.test('[EXPORTTABLE1] the document of exports says for every table whether it comes over', async (t) => {
  const sql = connect(await createDatabase(t), 1, 'parley-test')
  t.teardown(() => sql.end())
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename collate "C"`
  const text = readFileSync(join(import.meta.dirname, '../../docs/export.md'), 'utf8')
  const rows = text
    .slice(text.indexOf('\n## What becomes of each table'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) =>
    [...(row.split('|')[1] as string).matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  t.same(
    listed.toSorted((a = '', b = '') => (a < b ? -1 : 1)),
    tables.map(({ name }) => name),
    'decide what an export and its import do with a new table, and write it down',
  )
})
