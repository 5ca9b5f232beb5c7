/** The name of the organization, and the languages of a reader, for all mails. */

import type { UserId } from '../../server/domain/ids.ts'
import { USER_SETTINGS_DEFAULTS } from '../../server/domain/users/user-settings.ts'
import type { Sql } from '../connection/connect.ts'

export interface MailFrame {
  readonly organization: string
  /** The reader's, if they have an account, and the organization's. */
  readonly languages: readonly string[]
}

/** @param userId the account of the reader; null for a reader without one */
export async function readMailFrame(sql: Sql, userId: UserId | null): Promise<MailFrame> {
  const [row] = await sql<{ name: string; organizations: string | null; own: string | null }[]>`
    select name, settings->>'defaultLanguage' as organizations, (
      select coalesce(settings->>'defaultLanguage', ${USER_SETTINGS_DEFAULTS.defaultLanguage})
      from users where id = ${userId}
    ) as own
    from organization`
  const languages = [row?.own, row?.organizations].filter((one) => one != null)
  return { organization: row?.name ?? '', languages }
}
