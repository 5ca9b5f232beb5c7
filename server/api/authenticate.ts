/** Who a request comes from, by HTTP Basic: the email address and an API key. */

import { timingSafeEqual } from 'node:crypto'
import type { User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { fail } from './errors.ts'
import { hashApiKey, isApiKey } from './passwords.ts'

const SCHEME = 'basic '
const NO_KEYS: readonly string[] = []
const DECOY_HASH = hashApiKey('')

/** The user of an `Authorization` header; throws the failure that fits. */
export function authenticate(authorization: string, state: OrganizationState): User {
  if (authorization === '') throw fail('AUTHORIZATION_MISSING')
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) throw fail('AUTHORIZATION_MALFORMED')
  const credentials = Buffer.from(authorization.slice(SCHEME.length), 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon <= 0) throw fail('AUTHORIZATION_MALFORMED')
  const key = credentials.slice(colon + 1)
  if (!isApiKey(key)) throw fail('API_KEY_MALFORMED')
  const user = state.findUserByEmail(credentials.slice(0, colon))
  const hashes = (user && state.apiKeyHashes.get(user.id)) ?? NO_KEYS
  // An unknown account is compared with something, too: absent and wrong look alike.
  const given = Buffer.from(hashApiKey(key))
  let isKnown = timingSafeEqual(given, Buffer.from(DECOY_HASH))
  for (const known of hashes) isKnown = timingSafeEqual(given, Buffer.from(known)) || isKnown
  if (!user || !isKnown) throw fail('API_KEY_INVALID')
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  return user
}
