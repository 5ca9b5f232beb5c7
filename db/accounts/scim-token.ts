/** The token of the provider that writes accounts by SCIM; there is one at most. The state has its hash. */

import type { WriteBatch } from '../log/write-batch.ts'

/** Replaces the token by one with this hash, or removes it. */
export function storeScimToken(writes: WriteBatch, tokenHash: string | null): void {
  writes.add(
    tokenHash === null
      ? writes.sql`delete from scim_tokens`
      : writes.sql`
          insert into scim_tokens (token_hash) values (${tokenHash})
          on conflict (is_only) do update set token_hash = excluded.token_hash`,
  )
}
