/** Changes of a user's API keys. */

import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { API_KEYS_PER_USER_MAX } from '../../domain/limits.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { tellEveryone } from '../tell-everyone.ts'

/** A new key of a user. */
export interface NewKeyRequest {
  readonly userId: UserId
  /** What is stored of the key; see `hashApiKey`. */
  readonly keyHash: string
}

/** Adds a key to those of a user; the oldest give way where there are too many. */
export function addApiKey(
  { state }: Pick<ServerScope, 'state'>,
  { userId, keyHash }: NewKeyRequest,
): NewEvent[] {
  const keys = [...(state.apiKeyHashes.get(userId) ?? []), keyHash].slice(-API_KEYS_PER_USER_MAX)
  return [keysChanged(userId, keys)]
}

/** Gives a user who logs in one more key. A user whose account was made for them joins by their first log-in. */
export function decideLogIn(scope: ServerScope, request: NewKeyRequest): Decision<void> {
  const { state, now } = scope
  const { userId } = request
  const events = addApiKey(scope, request)
  if (!state.awaitingLogin.has(userId)) return done(events)
  const joined = { joinedAt: now }
  return done([...events, tellEveryone(scope, { type: 'realm_user/update', userId, changes: joined })])
}

/** Makes one key the only valid one of a user. */
export function rotateApiKeys({ userId, keyHash }: NewKeyRequest): NewEvent[] {
  return [keysChanged(userId, [keyHash])]
}

function keysChanged(userId: UserId, keyHashes: readonly string[]): NewEvent {
  return { event: { type: 'api_keys_changed', userId, keyHashes }, audience: { kind: 'nobody' } }
}
