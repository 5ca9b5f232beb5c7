/** API keys of bots, for the users who manage them. */

import { API_KEYS_PER_USER_MAX } from '../../domain/limits.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { addApiKey, type NewKeyRequest, rotateApiKeys } from '../users/change-api-keys.ts'
import { findManagedBot, MANAGED_BOT_ERRORS, type ManagedBotRequest } from './find-managed-bot.ts'

/** A new key for a bot. */
export type BotKeyRequest = ManagedBotRequest & Pick<NewKeyRequest, 'keyHash'>

/** How adding a key to a bot can fail. */
export const MORE_BOT_KEYS_ERRORS = [...MANAGED_BOT_ERRORS, 'TOO_MANY_API_KEYS'] as const

/** Adds a key to a bot's. A bot with the most keys gets no other, since its oldest key would be lost. */
export function decideMoreBotKeys(
  scope: Scope<(typeof MORE_BOT_KEYS_ERRORS)[number]>,
  { botId, keyHash }: BotKeyRequest,
): Decision<void> {
  const bot = findManagedBot(scope, { botId })
  if ((scope.state.apiKeyHashes.get(bot.id)?.length ?? 0) >= API_KEYS_PER_USER_MAX)
    throw scope.fail('TOO_MANY_API_KEYS', { countMax: API_KEYS_PER_USER_MAX })
  return done(addApiKey(scope, { userId: bot.id, keyHash }))
}

/** Makes a key the only valid one of a bot. */
export function decideNewBotKey(
  scope: Scope<(typeof MANAGED_BOT_ERRORS)[number]>,
  { botId, keyHash }: BotKeyRequest,
): Decision<void> {
  const bot = findManagedBot(scope, { botId })
  return done(rotateApiKeys(scope, { userId: bot.id, keyHash }))
}
