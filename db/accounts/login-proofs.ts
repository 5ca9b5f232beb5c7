/** Checks, in the commit of a log-in, that the credentials that it has proved are still valid. */

import type { UserId } from '../../server/domain/ids.ts'
import type { LoginProof } from '../../server/domain/accounts/login-sessions.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The credentials of a log-in changed since they were checked. */
export class StaleProofError extends Error {
  override readonly name = 'StaleProofError'
}

/** Rejects the batch with a `StaleProofError` unless the user still has these credentials; the log is locked until the commit. */
export function requireProof(writes: WriteBatch, userId: UserId, proof: LoginProof): void {
  const { sql } = writes
  const holds =
    proof.kind === 'passkey'
      ? sql`exists (select from passkeys where id = ${proof.id} and user_id = ${userId})`
      : // An app that was removed since then asks for nothing.
        sql`exists (
          select from users
          where id = ${userId} and password_hash is not distinct from ${proof.passwordHash ?? null}
            and not exists (
              select from totp_factors where user_id = ${userId} and enabled_at is not null
                and secret is distinct from ${proof.totpSecret ?? null}
            )
        )`
  writes.require(holds, () => new StaleProofError(`the credentials of user ${userId} changed meanwhile`))
}
