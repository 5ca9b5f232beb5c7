/**
 * The links of mails that are sent again because nobody knows whether they arrived. Receivers may show either mail, so the
 * links of both work. The row is the same, so using one ends both.
 */

import type { Sql, Transaction } from '../connection/connect.ts'
import type { ClaimedMail } from './mails.ts'

/** The condition that a row has a token, as that of its mail or of the mail before that it repeats. */
export const hasToken = (sql: Sql | Transaction, tokenHash: string) =>
  sql`${tokenHash} in (token_hash, former_hash)`

/** Stores the token of a repeated mail beside the former one; false if that was used, replaced or too old meanwhile. */
export async function renewLink(
  sql: Sql,
  { kind, recipient, invitationId, userId }: ClaimedMail,
  tokenHash: string,
): Promise<boolean> {
  const renewed = sql`former_hash = token_hash, token_hash = ${tokenHash}`
  const isTheirs = sql`lower(email) = lower(${recipient})`
  switch (kind) {
    case 'password_reset':
      return isOne(sql`update password_resets set ${renewed}
        where user_id = (select id from users where ${isTheirs}) and expires_at > now()`)
    case 'invitation':
      return isOne(
        sql`update invitations set ${renewed} where id = ${invitationId} and token_hash is not null`,
      )
    case 'join':
      return isOne(sql`update joinings set ${renewed}
        where ${isTheirs} and invitation_id = ${invitationId} and expires_at > now()`)
    case 'address_change':
      return isOne(sql`update address_changes set ${renewed}
        where user_id = ${userId} and ${isTheirs} and token_hash is not null and expires_at > now()`)
    default:
      throw new Error(`a mail of the kind ${kind} has no link with a token`)
  }
}

async function isOne(update: PromiseLike<{ readonly count: number }>): Promise<boolean> {
  return (await update).count === 1
}
