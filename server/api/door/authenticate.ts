/** Authenticates requests by HTTP Basic: the email address, real or stand-in, and an API key. */

import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { derived } from '../../domain/messages/derived.ts'
import { readStandInAddress } from '../../domain/users/email-addresses.ts'
import { BOT_TYPES, type User } from '../../domain/entities.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { hashApiKey, isApiKey } from '../../changes/passwords.ts'

const SCHEME = 'basic '
const NO_KEYS: readonly string[] = []
const DECOY_HASH = hashApiKey('')

/** Cached headers, and the length of the longest: a few for each active user. */
const CACHED_MAX = 10_000
const CACHED_LENGTH_MAX = 500
/** Including the other memory of an entry. */
const BYTES_PER_HEADER = CACHED_LENGTH_MAX + 300
export const CREDENTIALS_BYTES_MAX = CACHED_MAX * BYTES_PER_HEADER

/**
 * Headers that were valid, with the user and the keys that matched. The state replaces both when they change: while it
 * has the same objects a header is valid, and after a change the header is checked again.
 */
const cachedOf = derived<OrganizationState, LRUCache<string, Found>>(() => new LRUCache({ max: CACHED_MAX }))

/** The most bytes that the cached headers take. */
export function credentialsBytes(state: OrganizationState): number {
  return cachedOf(state).size * BYTES_PER_HEADER
}

/** A user, and their keys at that time. */
interface Found {
  readonly user: User
  readonly hashes: readonly string[] | undefined
}

/**
 * The user of an `Authorization` header; throws the matching error. Incoming webhooks are admitted only if the policy
 * says so.
 */
export function authenticate(authorization: string, state: OrganizationState, isForWebhooks = false): User {
  const user = identify(authorization, state)
  if (user.botType === BOT_TYPES.incomingWebhook && !isForWebhooks) throw fail('WEBHOOK_BOT_REFUSED')
  return user
}

/** The bot of a key that an address has; throws the matching error. The key of a person does not belong there. */
export function authenticateBot(key: string, state: OrganizationState): User {
  if (key === '') throw fail('PARAMETER_MISSING', { name: 'api_key' })
  if (!isApiKey(key)) throw fail('API_KEY_MALFORMED')
  const keyHash = hashApiKey(key)
  for (const botId of state.bots.toArray()) {
    if (!state.apiKeyHashes.get(botId)?.includes(keyHash)) continue
    const bot = state.getUser(botId)
    if (!bot.isActive) throw fail('ACCOUNT_DEACTIVATED')
    return bot
  }
  throw fail('API_KEY_INVALID')
}

function identify(authorization: string, state: OrganizationState): User {
  const cached = cachedOf(state)
  const known = cached.get(authorization)
  if (known) {
    const { user, hashes } = known
    if (state.users.get(user.id) === user && state.apiKeyHashes.get(user.id) === hashes) return user
    cached.delete(authorization)
  }
  const user = check(authorization, state)
  if (authorization.length <= CACHED_LENGTH_MAX) {
    cached.set(authorization, { user, hashes: state.apiKeyHashes.get(user.id) })
  }
  return user
}

/** Whether a header is valid. */
export function isAuthentic(authorization: string, state: OrganizationState): boolean {
  try {
    authenticate(authorization, state)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function check(authorization: string, state: OrganizationState): User {
  if (authorization === '') throw fail('AUTHORIZATION_MISSING')
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) throw fail('AUTHORIZATION_MALFORMED')
  const { email, key } = readCredentials(authorization)
  if (email === '') throw fail('AUTHORIZATION_MALFORMED')
  if (!isApiKey(key)) throw fail('API_KEY_MALFORMED')
  const user = findClaimed(authorization, state)
  const hashes = (user && state.apiKeyHashes.get(user.id)) ?? NO_KEYS
  // An unknown account is compared with a dummy hash: absent and wrong look alike.
  const given = Buffer.from(hashApiKey(key))
  let isKnown = timingSafeEqual(given, Buffer.from(DECOY_HASH))
  for (const known of hashes) isKnown = timingSafeEqual(given, Buffer.from(known)) || isKnown
  if (!user || !isKnown) throw fail('API_KEY_INVALID')
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  return user
}

/** The user whom a header names, whether or not its key is theirs; undefined if there is none. */
export function findClaimed(authorization: string, state: OrganizationState): User | undefined {
  const { email } = readCredentials(authorization)
  // The stand-in address is as valid as the real one.
  const standsFor = readStandInAddress(email, state.emailHost)
  return state.findUserByEmail(email) ?? (standsFor === undefined ? undefined : state.users.get(standsFor))
}

/** The hash of the API key in a header that has authenticated its user. */
export function keyHashOf(authorization: string): string {
  return hashApiKey(readCredentials(authorization).key)
}

/** The credentials of HTTP Basic; without an address if they are malformed. */
function readCredentials(authorization: string): { readonly email: string; readonly key: string } {
  const text = Buffer.from(authorization.slice(SCHEME.length), 'base64').toString('utf8')
  const colon = Math.max(text.indexOf(':'), 0)
  return { email: text.slice(0, colon), key: text.slice(colon + 1) }
}
