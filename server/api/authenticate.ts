/** Who a request comes from, by HTTP Basic: the email address, real or as others see it, and an API key. */

import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { derived } from '../domain/derived.ts'
import { readStandInAddress } from '../domain/email-addresses.ts'
import { BOT_TYPES, type User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import { hashApiKey, isApiKey } from '../changes/passwords.ts'

const SCHEME = 'basic '
const NO_KEYS: readonly string[] = []
const DECOY_HASH = hashApiKey('')

/** Headers that are remembered, and the length of the longest: there are some for each user who is there. */
const REMEMBERED_MAX = 10_000
const REMEMBERED_LENGTH_MAX = 500
/** With what else an entry takes. */
export const CREDENTIALS_BYTES_MAX = REMEMBERED_MAX * (REMEMBERED_LENGTH_MAX + 300)

/**
 * Headers that were found right, with the user and the keys by which they were. The state changes neither in
 * place: as long as it holds the very same, a header is right, and after any change it is checked anew.
 */
const rememberedOf = derived<OrganizationState, LRUCache<string, Found>>(
  () => new LRUCache({ max: REMEMBERED_MAX }),
)

/** A user, and the keys by which they were found. */
interface Found {
  readonly user: User
  readonly hashes: readonly string[] | undefined
}

/**
 * The user of an `Authorization` header; throws the failure that fits. Bots that are incoming webhooks are let in only
 * where it is said that they may be.
 */
export function authenticate(authorization: string, state: OrganizationState, isForWebhooks = false): User {
  const user = identify(authorization, state)
  if (user.botType === BOT_TYPES.incomingWebhook && !isForWebhooks) throw fail('WEBHOOK_BOT_REFUSED')
  return user
}

function identify(authorization: string, state: OrganizationState): User {
  const remembered = rememberedOf(state)
  const known = remembered.get(authorization)
  if (known) {
    const { user, hashes } = known
    if (state.users.get(user.id) === user && state.apiKeyHashes.get(user.id) === hashes) return user
    remembered.delete(authorization)
  }
  const user = check(authorization, state)
  if (authorization.length <= REMEMBERED_LENGTH_MAX) {
    remembered.set(authorization, { user, hashes: state.apiKeyHashes.get(user.id) })
  }
  return user
}

/** Whether a header is right. */
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
  // The address that others see is as good as the real one.
  const standsFor = readStandInAddress(email, state.emailHost)
  const user = state.findUserByEmail(email) ?? (standsFor && state.users.get(standsFor))
  const hashes = (user && state.apiKeyHashes.get(user.id)) ?? NO_KEYS
  // An unknown account is compared with something, too: absent and wrong look alike.
  const given = Buffer.from(hashApiKey(key))
  let isKnown = timingSafeEqual(given, Buffer.from(DECOY_HASH))
  for (const known of hashes) isKnown = timingSafeEqual(given, Buffer.from(known)) || isKnown
  if (!user || !isKnown) throw fail('API_KEY_INVALID')
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  return user
}

/** The hash of the API key in a header that has authenticated its user. */
export function keyHashOf(authorization: string): string {
  return hashApiKey(readCredentials(authorization).key)
}

/** What HTTP Basic carries; without an address where it is malformed. */
function readCredentials(authorization: string): { readonly email: string; readonly key: string } {
  const text = Buffer.from(authorization.slice(SCHEME.length), 'base64').toString('utf8')
  const colon = Math.max(text.indexOf(':'), 0)
  return { email: text.slice(0, colon), key: text.slice(colon + 1) }
}
