/** The disk space of a month, and from it that of a year. */

import { connect } from '../../db/connection/connect.ts'
import { boundSize } from '../measure/figure.ts'
import type { Work } from '../measure/work.ts'
import { createPeople } from '../start/create-people.ts'
import { ASSUMPTIONS, fillMonth } from '../start/fill-month.ts'
import { sized } from '../measure/sizes.ts'

/** Fewer for a quick check. */
const PEOPLE = sized(Number(process.env.PARLEY_BENCH_STORAGE_PEOPLE ?? 1_000), 20)
const MONTHS = 12
/** Tables that do not grow with the months: the log has eight days, the others an entry for each user and place. */
const STEADY = [
  'event_log',
  'message_sends',
  'event_queues',
  'read_marks',
  'subscription_spans',
  'channels',
  'conversations',
  'users',
  'user_group_members',
]
/** Bytes of a table below which its line says nothing. */
const SHOWN_MIN = 64 * 1024
const MIB = 1024 * 1024
/** Disk space of a message with everything that follows it, indexes included. */
const BYTES_PER_MESSAGE_MAX = 3_000

export const storage: Work = {
  name: 'storage',
  title: `the disk space of ${PEOPLE.toLocaleString('en')} people in a month`,
  limit: 'bytes for each message',
  async run({ createDatabase, say }) {
    const databaseUrl = await createDatabase()
    await createPeople(databaseUrl, PEOPLE)
    const messages = await fillMonth(databaseUrl, PEOPLE)
    say(`storage: ${messages} messages; ${ASSUMPTIONS}`)
    const sql = connect(databaseUrl, 1, 'bench')
    try {
      const tables = await sql<{ name: string; bytes: number; indexBytes: number; rows: number }[]>`
        select c.relname as name, pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as "indexBytes",
          greatest(c.reltuples, 0)::bigint as rows
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname = 'public' order by bytes desc`
      const isSteady = (name: string) => STEADY.includes(name)
      const inYear = ({ name, bytes }: { name: string; bytes: number }) =>
        isSteady(name) ? bytes : bytes * MONTHS
      for (const table of tables) {
        if (table.bytes < SHOWN_MIN) continue
        const month = (table.bytes / MIB).toFixed(1)
        const indexes = (table.indexBytes / MIB).toFixed(1)
        const year = (inYear(table) / MIB).toFixed(0)
        say(`storage: | \`${table.name}\` | ${table.rows} | ${month} | ${indexes} | ${year} |`)
      }
      const sum = (bytes: readonly number[]) => bytes.reduce((total, one) => total + one, 0)
      const growing = sum(tables.filter(({ name }) => !isSteady(name)).map(({ bytes }) => bytes))
      return [
        boundSize(
          'disk for each message',
          growing / messages,
          { unit: 'bytes', max: BYTES_PER_MESSAGE_MAX },
          {
            'MiB after a month': sum(tables.map(({ bytes }) => bytes)) / MIB,
            'MiB after a year': sum(tables.map(inYear)) / MIB,
          },
        ),
      ]
    } finally {
      await sql.end()
    }
  },
}
