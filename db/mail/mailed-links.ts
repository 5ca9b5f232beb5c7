/** The links of mails and invitations, all of them: an operator ends them when somebody may have read them. */

import type { Sql } from '../connection/connect.ts'

/**
 * Ends each link and each address for answers that a mail or the command line gave somebody, and each log-in that waits for its second step. Mailed
 * invitations stay, so that they can be sent again. Answers how many links ended.
 */
export async function endMailedLinks(sql: Sql): Promise<number> {
  return sql.begin(async (tx) => {
    const counts = [
      await tx`delete from password_resets where user_id in (
        select user_id from password_resets order by user_id for update)`,
      await tx`delete from joinings where token_hash in (
        select token_hash from joinings order by token_hash for update)`,
      await tx`delete from address_changes where user_id in (
        select user_id from address_changes order by user_id for update)`,
      // Its row stays: it says that the operator wants no demo.
      await tx`update setup_links set expires_at = now() where expires_at > now()`,
      await tx`update invitations set token_hash = null, former_hash = null, printed_hash = null where id in (
        select id from invitations where token_hash is not null or printed_hash is not null order by id for update)`,
      await tx`delete from reply_tokens where token_hash in (
        select token_hash from reply_tokens order by token_hash for update)`,
    ]
    await tx`delete from half_logins where token_hash in (
      select token_hash from half_logins order by token_hash for update)`
    return counts.reduce((sum, { count }) => sum + count, 0)
  }) as Promise<number>
}

/** Gives each invitation by a link another link; answers how many there are. */
export async function renewInvitationKeys(sql: Sql, createKey: () => string): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<{ id: string }[]>`
      select id::text from invitations where key is not null order by id for update`
    const keys = rows.map(createKey)
    await tx`
      update invitations i set key = n.key
      from unnest(${rows.map(({ id }) => id)}::text[], ${keys}::text[]) as n (id, key) where i.id = n.id::bigint`
    return rows.length
  }) as Promise<number>
}
