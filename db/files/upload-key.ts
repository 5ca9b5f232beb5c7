/** The key of an upload in the file store, in SQL. */

import type { Sql, Transaction } from '../connection/connect.ts'

/** The key of a row `u` by its path, `<organization>/<folder>/<random>/<name>`; written as in the index `uploads_key`. */
export const uploadKey = (sql: Sql | Transaction) =>
  sql`split_part(u.path, '/', 2) || '/' || split_part(u.path, '/', 3)`
