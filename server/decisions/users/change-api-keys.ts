/** Changes of a user's API keys. */

import type { Fact } from '../../domain/events.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import type { LoginProof } from '../../domain/accounts/login-sessions.ts'
import { API_KEYS_PER_USER_MAX } from '../../domain/limits.ts'
import type { Secret } from '../../domain/secret.ts'
import { answering, type Decision } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** A new key of a user. */
export interface NewKeyRequest {
  readonly userId: UserId
  /** The stored form of the key; see `hashApiKey`. */
  readonly keyHash: string
  /** The credentials of a log-in. */
  readonly proof?: Secret<LoginProof> | undefined
}

/** Adds a key to those of a user; too many replace the oldest. */
export function addApiKey(
  { state }: Pick<ServerScope, 'state'>,
  { userId, keyHash, proof }: NewKeyRequest,
): Fact[] {
  const keys = [...(state.apiKeyHashes.get(userId) ?? []), keyHash].slice(-API_KEYS_PER_USER_MAX)
  return [{ type: 'api_keys_changed', userId, keyHashes: keys, ...(proof ? { proof } : {}) }]
}

/**
 * Gives a user who logs in one more key. If an administrator made the account, the first log-in joins. The result is
 * false if the user is deactivated.
 */
export function decideLogIn(scope: ServerScope, request: NewKeyRequest): Decision<boolean> {
  const { state, now } = scope
  const { userId } = request
  if (!state.getUser(userId).isActive) return answering(false, [])
  const events = addApiKey(scope, request)
  if (!state.awaitingLogin.has(userId)) return answering(true, events)
  return answering(true, [...events, { type: 'realm_user/update', userId, changes: { joinedAt: now } }])
}

/** Ends all named keys of a user; nothing changes if there are none. */
function endNamedKeys({ state }: Pick<ServerScope, 'state'>, userId: UserId): Fact[] {
  const keyIds = state.namedKeysOf(userId).map(({ id }) => id)
  return keyIds.length === 0 ? [] : [{ type: 'named_keys_ended', userId, keyIds }]
}

/** Ends the keys of a user, except one, and the named ones; nothing changes if there are no others. */
export function endApiKeys(
  scope: Pick<ServerScope, 'state'>,
  { userId, exceptHash }: { readonly userId: UserId; readonly exceptHash?: string },
): Fact[] {
  const own = scope.state.apiKeyHashes.get(userId) ?? []
  const left = own.filter((one) => one === exceptHash)
  const ended = endNamedKeys(scope, userId)
  return left.length === own.length
    ? ended
    : [{ type: 'api_keys_changed', userId, keyHashes: left }, ...ended]
}

/** Removes devices of a user, which may have a key that ends. */
export function removeDevices(userId: UserId, deviceIds: readonly DeviceId[]): Fact[] {
  return deviceIds.map((deviceId) => ({ type: 'device/remove', userId, deviceId }))
}

/** Makes one key the only valid one of a user. Named keys end, too: a thief of the former key may have made some. */
export function rotateApiKeys(scope: Pick<ServerScope, 'state'>, { userId, keyHash }: NewKeyRequest): Fact[] {
  return [{ type: 'api_keys_changed', userId, keyHashes: [keyHash] }, ...endNamedKeys(scope, userId)]
}
