/** Logging in. */

import { decideLogIn } from '../../decisions/users/change-api-keys.ts'
import type { UserId } from '../../domain/ids.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** Gives a user whose identity was checked one more API key; answers the key. */
export async function logIn(writer: Writer, userId: UserId): Promise<string> {
  const { apiKey, keyHash } = newApiKey()
  await submitForServer(writer, (scope) => decideLogIn(scope, { userId, keyHash }), { actorId: userId })
  return apiKey
}
