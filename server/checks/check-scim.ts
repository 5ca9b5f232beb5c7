/** Whether the company's provider of identities, which writes accounts by SCIM, can reach this server. */

import type { Sql } from '../../db/connection/connect.ts'
import type { Config } from '../config.ts'
import { SCIM_PATH } from '../domain/scim/attributes.ts'
import { reasonOf } from '../run-process.ts'
import { type Checked, CheckError } from './finding.ts'
import { withDatabase } from './with-database.ts'

/** Providers send the token with each request, and take addresses with TLS alone. */
export async function checkScim({ databaseUrl, publicUrl }: Config): Promise<Checked> {
  if (databaseUrl === undefined)
    return { unused: 'DATABASE_URL is not set, and the token is in the database' }
  if (!(await withDatabase(databaseUrl, hasToken)))
    return { unused: 'there is no token: "admin -- scim token" makes one' }
  if (publicUrl === undefined || new URL(publicUrl).protocol !== 'https:')
    throw new CheckError(
      `there is a token, and providers take addresses with https:// alone: set PUBLIC_URL, or end it by "admin -- scim off"`,
    )
  return `on at ${publicUrl}${SCIM_PATH}; wrong tokens show in the audit log`
}

export function explainScim(error: unknown): string {
  return `whether there is a token is unknown: ${reasonOf(error)}`
}

/** A database before its schema, or of an earlier release, has none. */
async function hasToken(sql: Sql): Promise<boolean> {
  const [table] = await sql<
    { isThere: boolean }[]
  >`select to_regclass('scim_tokens') is not null as "isThere"`
  if (!table?.isThere) return false
  const [row] = await sql<{ isOn: boolean }[]>`select exists (select from scim_tokens) as "isOn"`
  return row?.isOn ?? false
}
