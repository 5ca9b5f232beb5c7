/** Logging in. */

import { decideLogIn } from '../../decisions/users/change-api-keys.ts'
import type { UserId } from '../../domain/ids.ts'
import type { LoginProof } from '../../domain/accounts/login-sessions.ts'
import { Secret } from '../../domain/secret.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

/**
 * Gives a user whose identity was checked one more API key; answers the key, or undefined if the user is deactivated.
 * Rejects with a `StaleProofError` if the credentials have changed since they were checked.
 */
export async function logIn(writer: Writer, userId: UserId, proof?: LoginProof): Promise<string | undefined> {
  const { apiKey, keyHash } = newApiKey()
  const secret = proof && new Secret(proof)
  const isDone = await submitForServer(
    writer,
    (scope) => decideLogIn(scope, { userId, keyHash, proof: secret }),
    { actorId: userId },
  )
  return isDone ? apiKey : undefined
}
