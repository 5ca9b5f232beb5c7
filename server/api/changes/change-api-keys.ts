/** Changes of a user's API keys. */

import type { Change } from '../../actors/committer.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { API_KEYS_PER_USER_MAX } from '../../domain/limits.ts'
import { hashApiKey } from '../passwords.ts'

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
