/** Changes of a user's API keys. */

import type { Change } from '../../actors/committer.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { API_KEYS_PER_USER_MAX } from '../../domain/limits.ts'
import { hashApiKey } from '../../changes/passwords.ts'

/** Adds a key to those of a user; the oldest give way where there are too many. */
export function addApiKey(userId: UserId, key: string): Change<void> {
  const hash = hashApiKey(key)
  return {
    kind: 'structure',
    decide(state) {
      const keys = [...(state.apiKeyHashes.get(userId) ?? []), hash].slice(-API_KEYS_PER_USER_MAX)
      return { events: [keysChanged(userId, keys)], reply: () => undefined }
    },
  }
}

/** Somebody logs in and gets one more key. To an account that was made for them, they join when they first do. */
export function logIn(userId: UserId, key: string, nowSeconds: number): Change<void> {
  const added = addApiKey(userId, key)
  return {
    kind: 'structure',
    decide(state) {
      const decision = added.decide(state)
      if (!state.awaitingLogin.has(userId)) return decision
      const joined: NewEvent = {
        event: { type: 'realm_user/update', userId, changes: { joinedAt: nowSeconds } },
        audience: { kind: 'users', users: state.rights.activeUsers },
      }
      return { ...decision, events: [...decision.events, joined] }
    },
  }
}

/** Makes one key the only valid one of a user. */
export function rotateApiKeys(userId: UserId, key: string): Change<void> {
  const hash = hashApiKey(key)
  return {
    kind: 'structure',
    decide: () => ({ events: [keysChanged(userId, [hash])], reply: () => undefined }),
  }
}

function keysChanged(userId: UserId, keyHashes: readonly string[]): NewEvent {
  return { event: { type: 'api_keys_changed', userId, keyHashes }, audience: { kind: 'nobody' } }
}
