/** Named keys: keys of programs with a scope, beside the API key of a person or bot. */

import type { ChannelId, UserId } from '../ids.ts'

/**
 * A key opens reading as its user, the same with writing messages, one channel, or the webhooks of a bot. The door has the
 * operations of each (`server/api/door/key-scopes.ts`).
 */
export const KEY_SCOPES = ['read', 'messages', 'channel', 'webhooks'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** A named key, as every process needs it. */
export interface NamedKey {
  readonly id: string
  /** The SHA-256 hash of the key, in hex. */
  readonly keyHash: string
  readonly name: string
  readonly scope: KeyScope
  /** The channel of the scope `channel`; null for others. */
  readonly channelId: ChannelId | null
  /** UNIX seconds. */
  readonly createdAt: number
  /** UNIX seconds; null for none. */
  readonly expiresAt: number | null
  /**
   * Of an agent that logged in: when its token is over, and it must get another one for the same key, in UNIX seconds. Null
   * for a key that people copy.
   */
  readonly tokenExpiresAt: number | null
}

/** Another text for a key of an agent. */
export interface NamedKeyRenewal {
  readonly keyId: string
  readonly keyHash: string
  readonly expiresAt: number
  readonly tokenExpiresAt: number
}

/** A named key with its user. */
export interface FoundNamedKey extends NamedKey {
  readonly userId: UserId
}

/** Keys of a user: one for each program, and each is compared with the key of a request. */
export const NAMED_KEYS_PER_USER_MAX = 30
/** Characters of a name: that of a program, in one line. */
export const KEY_NAME_LENGTH_MAX = 60
const DAY_SECONDS = 24 * 3600
/** Shorter lives would end before a program is set up. */
export const KEY_AGE_SECONDS_MIN = 60
/** Longer ones outlast the programs; a key without an end is for those. */
export const KEY_AGE_SECONDS_MAX = 3_660 * DAY_SECONDS

/** Whether a key is not over at a time, in UNIX seconds. */
export function isLiveKey({ expiresAt }: Pick<NamedKey, 'expiresAt'>, nowSeconds: number): boolean {
  return expiresAt === null || nowSeconds < expiresAt
}

/** Whether the text of a key opens the server at a time: that of an agent is over before its key. */
export function opensAt(key: NamedKey, nowSeconds: number): boolean {
  // Events of earlier releases have no such time.
  const { tokenExpiresAt = null } = key as Partial<NamedKey>
  return isLiveKey(key, nowSeconds) && (tokenExpiresAt === null || nowSeconds < tokenExpiresAt)
}

/** Whether an agent got the key by a log-in: it opens nothing but the address of agents. */
export function isOfAgent({ tokenExpiresAt }: Partial<Pick<NamedKey, 'tokenExpiresAt'>>): boolean {
  return tokenExpiresAt !== null && tokenExpiresAt !== undefined
}

/** The oldest first; the same order in the state and in the tables. */
export function byKeyAge(a: NamedKey, b: NamedKey): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}
