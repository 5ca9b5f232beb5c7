/** Whether the company's provider of identities, which writes accounts by SCIM, can reach this server. */

import { connect } from '../../db/connection/connect.ts'
import type { Config } from '../config.ts'
import { SCIM_PATH } from '../domain/scim/attributes.ts'
import { type Checked, CheckError } from './finding.ts'

/** Whether there is a token. Not without a database, or before its schema: another line says that. */
export async function isScimOn({ databaseUrl }: Config): Promise<boolean> {
  if (databaseUrl === undefined) return false
  const sql = connect(databaseUrl, 1, 'parley-check', { work: 'requests' })
  try {
    const [row] = await sql<{ isOn: boolean }[]>`select exists (select from scim_tokens) as "isOn"`
    return row?.isOn ?? false
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Providers send the token with each request, and take addresses with TLS alone. */
export function checkScim({ publicUrl }: Config): Checked {
  if (publicUrl === undefined || new URL(publicUrl).protocol !== 'https:')
    throw new CheckError(
      `there is a token, and providers take addresses with https:// alone: set PUBLIC_URL, or end it by "admin -- scim off"`,
    )
  return `on at ${publicUrl}${SCIM_PATH}; wrong tokens show in the audit log`
}
