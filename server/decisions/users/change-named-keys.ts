/** Changes of named keys, by their user, and by the users who manage a bot. */

import {
  isLiveKey,
  isOfAgent,
  type NamedKey,
  type NamedKeyRenewal,
  NAMED_KEYS_PER_USER_MAX,
} from '../../domain/accounts/named-keys.ts'
import type { User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { findManagedBot, MANAGED_BOT_ERRORS, type ManagedBotRequest } from '../bots/find-managed-bot.ts'
import { type Decision, done } from '../decision.ts'
import { findChannel } from '../channels/find-channel.ts'
import type { Scope, ServerScope } from '../scope.ts'

/** A key to make. */
export interface NewNamedKeyRequest {
  readonly key: NamedKey
}

/** How making a key for a bot can fail. */
export const NEW_BOT_KEY_ERRORS = [...MANAGED_BOT_ERRORS, 'CHANNEL_UNKNOWN', 'TOO_MANY_NAMED_KEYS'] as const
/** How making a key for oneself can fail. */
export const NEW_OWN_KEY_ERRORS = ['KEY_NOT_FOR_PEOPLE', 'CHANNEL_UNKNOWN', 'TOO_MANY_NAMED_KEYS'] as const

/** Adds a key to the caller's. */
export function decideNewOwnKey(
  scope: Scope<(typeof NEW_OWN_KEY_ERRORS)[number]>,
  { key }: NewNamedKeyRequest,
): Decision<void> {
  const { caller, fail } = scope
  if (key.scope === 'webhooks' && caller.botType === null) throw fail('KEY_NOT_FOR_PEOPLE')
  return done(addKey(scope, caller, key))
}

/** Adds a key to those of a bot. */
export function decideKeyOfBot(
  scope: Scope<(typeof NEW_BOT_KEY_ERRORS)[number]>,
  { botId, key }: NewNamedKeyRequest & ManagedBotRequest,
): Decision<void> {
  return done(addKey(scope, findManagedBot(scope, { botId }), key))
}

/** Keys that are over make room for the new one. The channel of a key is one that its user can see. */
function addKey(
  { state, now, fail }: Scope<'CHANNEL_UNKNOWN' | 'TOO_MANY_NAMED_KEYS'>,
  user: User,
  key: NamedKey,
): Fact[] {
  if (key.channelId !== null) findChannel({ state, caller: user, fail }, key.channelId)
  const own = state.namedKeysOf(user.id)
  const over = own.filter((one) => !isLiveKey(one, now))
  if (own.length - over.length >= NAMED_KEYS_PER_USER_MAX)
    throw fail('TOO_MANY_NAMED_KEYS', { countMax: NAMED_KEYS_PER_USER_MAX })
  return [...endKeys(user.id, over), { type: 'named_key_made', userId: user.id, key }]
}

/** A key to end. */
export interface KeyRequest {
  readonly keyId: string
}

/** How revoking a key of a bot can fail. */
export const REVOKE_BOT_KEY_ERRORS = [...MANAGED_BOT_ERRORS, 'KEY_UNKNOWN'] as const

/** Ends a key of the caller. */
export function decideOwnKeyEnd(scope: Scope<'KEY_UNKNOWN'>, { keyId }: KeyRequest): Decision<void> {
  return done(endKey(scope, scope.caller, keyId))
}

/** Ends a key of a bot. */
export function decideKeyEndOfBot(
  scope: Scope<(typeof REVOKE_BOT_KEY_ERRORS)[number]>,
  { botId, keyId }: KeyRequest & ManagedBotRequest,
): Decision<void> {
  return done(endKey(scope, findManagedBot(scope, { botId }), keyId))
}

/** Keys of others, and those that are over, look like none. */
function endKey({ state, now, fail }: Scope<'KEY_UNKNOWN'>, user: User, keyId: string): Fact[] {
  const key = state.namedKeysOf(user.id).find((one) => one.id === keyId && isLiveKey(one, now))
  if (!key) throw fail('KEY_UNKNOWN')
  return endKeys(user.id, [key])
}

/** Gives the caller's key of an agent another text. */
export function decideKeyRenewal(
  { state, now, caller, fail }: Scope<'KEY_UNKNOWN'>,
  renewal: NamedKeyRenewal,
): Decision<void> {
  const key = state.namedKeysOf(caller.id).find(({ id }) => id === renewal.keyId)
  if (!key || !isOfAgent(key) || !isLiveKey(key, now)) throw fail('KEY_UNKNOWN')
  return done([{ type: 'named_key_renewed', userId: caller.id, ...renewal }])
}

/** Ends the keys of all users that are over. */
export function decideKeyExpiry({ state, now }: ServerScope): Decision<void> {
  return done(
    [...state.namedKeys].flatMap(([userId, keys]) =>
      endKeys(
        userId,
        keys.filter((key) => !isLiveKey(key, now)),
      ),
    ),
  )
}

function endKeys(userId: UserId, keys: readonly NamedKey[]): Fact[] {
  return keys.length === 0 ? [] : [{ type: 'named_keys_ended', userId, keyIds: keys.map(({ id }) => id) }]
}
