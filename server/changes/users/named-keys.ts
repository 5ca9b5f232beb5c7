/** Makes and ends named keys. */

import { randomUUID } from 'node:crypto'
import { decideKeyExpiry } from '../../decisions/users/change-named-keys.ts'
import type { NamedKey } from '../../domain/accounts/named-keys.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** A new key with its text, which is shown once. */
export function newNamedKey(
  given: Pick<NamedKey, 'name' | 'scope' | 'channelId' | 'createdAt' | 'expiresAt'> &
    Partial<Pick<NamedKey, 'id' | 'tokenExpiresAt'>>,
): {
  readonly apiKey: string
  readonly key: NamedKey
} {
  const { apiKey, keyHash } = newApiKey()
  return { apiKey, key: { id: randomUUID(), keyHash, tokenExpiresAt: null, ...given } }
}

/** Removes keys that are over. Concurrent runs are safe. */
export async function endExpiredKeys(writer: Writer): Promise<void> {
  await submitForServer(writer, decideKeyExpiry)
}
