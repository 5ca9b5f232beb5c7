/**
 * Authenticates requests: by HTTP Basic with the email address, real or stand-in, and an API key; or for agents by an API
 * key alone, as a bearer token.
 */

import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type FoundNamedKey, isOfAgent, type NamedKey, opensAt } from '../../domain/accounts/named-keys.ts'
import { derived } from '../../domain/messages/derived.ts'
import { readStandInAddress } from '../../domain/users/email-addresses.ts'
import { BOT_TYPES, type User } from '../../domain/entities.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { hashApiKey, isApiKey } from '../../changes/passwords.ts'

const SCHEME = 'basic '
const BEARER = 'bearer '
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

/** The user of a request, and the named key that it has; undefined for the API key of the user. */
export interface KeyHolder {
  readonly user: User
  readonly key: FoundNamedKey | undefined
}

/** A holder, and the keys of the user at that time. */
interface Found extends KeyHolder {
  readonly hashes: readonly string[] | undefined
  readonly named: readonly NamedKey[]
}

/**
 * The holder of an `Authorization` header at a time in UNIX seconds; throws the matching error. Incoming webhooks are
 * admitted only if the policy says so. A named key that is over, or that of an agent, looks like none.
 */
export function authenticate(
  authorization: string,
  state: OrganizationState,
  nowSeconds: number,
  isForWebhooks = false,
): KeyHolder {
  const found = identify(authorization, state)
  if (found.key && (isOfAgent(found.key) || !opensAt(found.key, nowSeconds))) throw fail('API_KEY_INVALID')
  if (found.user.botType === BOT_TYPES.incomingWebhook && !isForWebhooks) throw fail('WEBHOOK_BOT_REFUSED')
  return found
}

/**
 * The holder of an API key that is a bearer token, at a time in UNIX seconds; throws the matching error. The hash of the
 * key finds its holder, so an unknown key takes as long as a known one, and the time says nothing about any other key.
 */
export function authenticateBearer(
  authorization: string,
  state: OrganizationState,
  nowSeconds: number,
): KeyHolder {
  const key = readBearer(authorization)
  if (key === undefined) throw fail('BEARER_MISSING')
  if (!isApiKey(key)) throw fail('API_KEY_MALFORMED')
  const keyHash = hashApiKey(key)
  const userId = state.keyHolders.get(keyHash)
  const user = userId === undefined ? undefined : state.users.get(userId)
  if (!user) throw fail('API_KEY_INVALID')
  const named = state.namedKeysOf(user.id).find((one) => one.keyHash === keyHash)
  if (named && !opensAt(named, nowSeconds)) throw fail('API_KEY_INVALID')
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  if (user.botType === BOT_TYPES.incomingWebhook) throw fail('WEBHOOK_BOT_REFUSED')
  return { user, key: named && { ...named, userId: user.id } }
}

/** The token of a bearer; undefined for other credentials. */
function readBearer(authorization: string): string | undefined {
  if (authorization.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined
  return authorization.slice(BEARER.length).trim()
}

/** Throws unless a bearer token is that of the company's provider of identities. Without one it is compared, too. */
export function authenticateProvider(authorization: string, { scimTokenHash }: OrganizationState): void {
  const token = readBearer(authorization)
  if (token === undefined) throw fail('BEARER_MISSING')
  if (!isApiKey(token)) throw fail('API_KEY_MALFORMED')
  const isKnown = timingSafeEqual(Buffer.from(hashApiKey(token)), Buffer.from(scimTokenHash ?? DECOY_HASH))
  if (!isKnown || scimTokenHash === null) throw fail('API_KEY_INVALID')
}

/** The bot of a key that an address has; throws the matching error. The key of a person does not belong there. */
export function authenticateBot(key: string, state: OrganizationState, nowSeconds: number): KeyHolder {
  if (key === '') throw fail('PARAMETER_MISSING', { name: 'api_key' })
  if (!isApiKey(key)) throw fail('API_KEY_MALFORMED')
  const keyHash = hashApiKey(key)
  for (const botId of state.bots.toArray()) {
    const named = state.namedKeysOf(botId).find((one) => one.keyHash === keyHash)
    if (!named && !state.apiKeyHashes.get(botId)?.includes(keyHash)) continue
    if (named && !opensAt(named, nowSeconds)) break
    const bot = state.getUser(botId)
    if (!bot.isActive) throw fail('ACCOUNT_DEACTIVATED')
    return { user: bot, key: named && { ...named, userId: botId } }
  }
  throw fail('API_KEY_INVALID')
}

function identify(authorization: string, state: OrganizationState): KeyHolder {
  const cached = cachedOf(state)
  const known = cached.get(authorization)
  if (known) {
    if (isAsBefore(known, state)) return known
    cached.delete(authorization)
  }
  const { user, key } = check(authorization, state)
  const found = { user, key, hashes: state.apiKeyHashes.get(user.id), named: state.namedKeysOf(user.id) }
  if (authorization.length <= CACHED_LENGTH_MAX) cached.set(authorization, found)
  return found
}

function isAsBefore({ user: { id }, user, hashes, named }: Found, state: OrganizationState): boolean {
  return (
    state.users.get(id) === user && state.apiKeyHashes.get(id) === hashes && state.namedKeysOf(id) === named
  )
}

/** Whether a header is valid at a time, in UNIX seconds. */
export function isAuthentic(authorization: string, state: OrganizationState, nowSeconds: number): boolean {
  try {
    authenticate(authorization, state, nowSeconds)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function check(authorization: string, state: OrganizationState): KeyHolder {
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
  let named: NamedKey | undefined
  for (const one of user ? state.namedKeysOf(user.id) : [])
    if (timingSafeEqual(given, Buffer.from(one.keyHash))) named = one
  if (!user || !(isKnown || named)) throw fail('API_KEY_INVALID')
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  return { user, key: named && { ...named, userId: user.id } }
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
  return hashApiKey(readBearer(authorization) ?? readCredentials(authorization).key)
}

/** The credentials of HTTP Basic; without an address if they are malformed. */
function readCredentials(authorization: string): { readonly email: string; readonly key: string } {
  const text = Buffer.from(authorization.slice(SCHEME.length), 'base64').toString('utf8')
  const colon = Math.max(text.indexOf(':'), 0)
  return { email: text.slice(0, colon), key: text.slice(colon + 1) }
}
