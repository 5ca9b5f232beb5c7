/** Ends API keys of a user. Devices with such a key may be lost, so they are removed with them. */

import type { Sql } from '../../../db/connection/connect.ts'
import { findDeviceIds, MissingDeviceError } from '../../../db/personal/push-devices.ts'
import { removePushTokensOf } from '../../../db/personal/push-tokens.ts'
import { done } from '../../decisions/decision.ts'
import { endApiKeys, removeDevices, rotateApiKeys } from '../../decisions/users/change-api-keys.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

type KeyWriter = Writer & { readonly sql: Sql }

/** Makes a new key the only valid one of a user; answers it. Without an actor it is the operator's doing. */
export async function replaceApiKeys(writer: KeyWriter, userId: UserId, actorId?: UserId): Promise<string> {
  const { apiKey, keyHash } = newApiKey()
  await commit(writer, userId, (scope) => rotateApiKeys(scope, { userId, keyHash }), actorId)
  return apiKey
}

/** Ends all keys of a user, together with what else changes. */
export async function endAllApiKeys(
  writer: KeyWriter,
  userId: UserId,
  actorId?: UserId,
  besides: (scope: ServerScope) => readonly Fact[] = () => [],
): Promise<void> {
  await commit(writer, userId, (scope) => [...besides(scope), ...endApiKeys(scope, { userId })], actorId)
}

/** The turn for changes of a user's keys and devices. */
export function keyTurn(userId: UserId) {
  return { object: `keys of ${userId}`, Stale: MissingDeviceError }
}

async function commit(
  writer: KeyWriter,
  userId: UserId,
  change: (scope: ServerScope) => readonly Fact[],
  actorId: UserId | undefined,
): Promise<void> {
  const { sql, committer } = writer
  const { object, Stale } = keyTurn(userId)
  await committer.turns.change(object, Stale, async () => {
    const removals = removeDevices(userId, await findDeviceIds(sql, userId))
    await submitForServer(writer, (scope) => done([...change(scope), ...removals]), { actorId })
  })
  await removePushTokensOf(sql, userId)
}
