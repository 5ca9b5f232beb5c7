/** The metrics of pools of connections. */

import { byLabel, counter, gauge, type Metric } from '../../server/measures/metric.ts'
import { type PoolFigures, poolFigures, type Sql } from './connect.ts'

/** The metrics of pools, each of one or several, by the name of their work. */
export function poolsMetrics(pools: Readonly<Record<string, readonly Sql[]>>): Metric[] {
  const sums = (key: keyof PoolFigures) => () =>
    byLabel(
      'pool',
      Object.fromEntries(
        Object.entries(pools).map(([name, sqls]) => [
          name,
          sqls.reduce((sum, sql) => sum + poolFigures(sql)[key], 0),
        ]),
      ),
    )
  return [
    gauge('parley_database_connections_max', 'Connections that a pool may open.', sums('max')),
    gauge('parley_database_connections_busy', 'Connections with a statement or transaction.', sums('busy')),
    gauge('parley_database_statements_waiting', 'Statements that wait for a connection.', sums('waiting')),
    counter(
      'parley_database_statements_ended_total',
      'Statements that PostgreSQL ended: they took too long, or their client was gone.',
      sums('ended'),
    ),
    counter(
      'parley_database_collisions_total',
      'Statements and transactions that were tried again after a deadlock or a serialization failure.',
      sums('repeated'),
    ),
  ]
}
