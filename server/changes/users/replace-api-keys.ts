/** Replaces all API keys of a user with a new one. Devices with an old key may be lost, so they are removed. */

import type { Sql } from '../../../db/connect.ts'
import { findDeviceIds, MissingDeviceError } from '../../../db/push-devices.ts'
import { removePushTokensOf } from '../../../db/push-tokens.ts'
import { done } from '../../decisions/decision.ts'
import { rotateApiKeys } from '../../decisions/users/change-api-keys.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import type { Fact } from '../../domain/event-traits.ts'
import type { UserId } from '../../domain/ids.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

/**
 * Makes a new key the only valid one of a user, and removes their devices and push tokens, together with what else
 * changes; answers the key. Without an actor it is the operator's doing.
 */
export async function replaceApiKeys(
  writer: Writer & { readonly sql: Sql },
  userId: UserId,
  actorId?: UserId,
  besides: (scope: ServerScope) => readonly Fact[] = () => [],
): Promise<string> {
  const { sql, committer } = writer
  const { apiKey, keyHash } = newApiKey()
  await committer.turns.change(`keys of ${userId}`, MissingDeviceError, async () => {
    const deviceIds = await findDeviceIds(sql, userId)
    const removals = deviceIds.map((deviceId): Fact => ({ type: 'device/remove', userId, deviceId }))
    const replaced = [...rotateApiKeys({ userId, keyHash }), ...removals]
    await submitForServer(writer, (scope) => done([...besides(scope), ...replaced]), { actorId })
  })
  await removePushTokensOf(sql, userId)
  return apiKey
}
