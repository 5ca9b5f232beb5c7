/**
 * The log-in of agents, by OAuth 2.1: a code for a person's consent, a key for the code, and a new text for the key each
 * hour. The keys are named keys, so that people see and revoke them in their settings.
 */

import { hash, randomBytes, randomUUID } from 'node:crypto'
import {
  findByRefreshHash,
  replaceRefreshHash,
  storeAgentGrant,
  storeRefreshHash,
  takeAgentCode,
} from '../../../db/accounts/agent-grants.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import {
  decideKeyRenewal,
  decideNewOwnKey,
  decideOwnKeyEnd,
} from '../../decisions/users/change-named-keys.ts'
import {
  type AgentClient,
  type AgentScope,
  CODE_SECONDS,
  GRANT_SECONDS,
  TOKEN_SECONDS,
  TWICE_SECONDS,
} from '../../domain/accounts/agent-grants.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { newApiKey } from '../passwords.ts'
import { submit, type Writer } from '../submit.ts'
import { newNamedKey } from '../users/named-keys.ts'

/** Random bytes of a code, and of a token that renews. */
const SECRET_BYTES = 32

/** Services of grants. */
export interface GrantServices extends Writer {
  readonly sql: Sql
  readonly state: OrganizationState
}

/** The answer to a client for a code, or for a token that renews. */
export interface AgentTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scope: AgentScope
}

/** Thrown for a code or a token that is not valid, for whatever reason: absent, used and foreign look alike. */
export class GrantInvalidError extends Error {
  override readonly name = 'GrantInvalidError'
}

const hashOf = (secret: string) => hash('sha256', secret, 'hex')
const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

/** A code for what a person allows a client; it is valid for a minute, once. */
export async function allowAgent(
  services: GrantServices,
  userId: UserId,
  given: {
    readonly client: AgentClient
    readonly redirectUrl: string
    readonly challenge: string
    readonly scope: AgentScope
  },
): Promise<string> {
  const code = newSecret()
  const { client, redirectUrl, challenge, scope } = given
  await storeAgentGrant(services.sql, {
    keyId: randomUUID(),
    userId,
    clientId: client.id,
    redirectUrl,
    challenge,
    name: client.name,
    scope,
    codeHash: hashOf(code),
    codeExpiresAt: nowSeconds(services.clock) + CODE_SECONDS,
  })
  return code
}

/** The parts of a request with a code. */
export interface CodeRequest {
  readonly code: string
  readonly clientId: string
  readonly redirectUrl: string
  readonly verifier: string
}

/** The tokens of a code. A code that is shown twice was stolen, or its tokens are: they end. */
export async function redeemCode(services: GrantServices, given: CodeRequest): Promise<AgentTokens> {
  const { sql, clock } = services
  const grant = await takeAgentCode(sql, hashOf(given.code))
  if (!grant) throw new GrantInvalidError('no such code')
  const { keyId, userId, name, scope } = grant
  if (grant.wasRedeemed) {
    await endKey(services, userId, keyId)
    throw new GrantInvalidError('the code was used')
  }
  const now = nowSeconds(clock)
  const isRight =
    grant.clientId === given.clientId &&
    grant.redirectUrl === given.redirectUrl &&
    grant.challenge === hash('sha256', given.verifier, 'base64url') &&
    now < grant.codeExpiresAt
  if (!isRight || !isActive(services, userId)) throw new GrantInvalidError('the code is for another request')
  const { apiKey, key } = newNamedKey({
    id: keyId,
    name,
    scope,
    channelId: null,
    createdAt: now,
    ...endsFrom(now),
  })
  const refreshToken = newSecret()
  // First: a token without a key opens nothing, and a key without one could not be renewed.
  await storeRefreshHash(sql, keyId, hashOf(refreshToken), now)
  await refuseAsInvalid(submit(services, userId, decideNewOwnKey, { key }))
  return { accessToken: apiKey, refreshToken, scope }
}

/**
 * Other tokens for the one that renews, which ends. A token that is shown again later was copied: then the key ends, since
 * nobody can tell who has the newer one.
 */
export async function refreshTokens(
  services: GrantServices,
  { refreshToken, clientId }: { readonly refreshToken: string; readonly clientId: string },
): Promise<AgentTokens> {
  const now = nowSeconds(services.clock)
  const given = hashOf(refreshToken)
  const next = newSecret()
  const grant = await replaceRefreshHash(services.sql, {
    clientId,
    hash: given,
    next: hashOf(next),
    nowSeconds: now,
  })
  if (!grant) {
    const former = await findByRefreshHash(services.sql, given)
    if (former?.isFormer && now >= former.refreshedAt + TWICE_SECONDS)
      await endKey(services, former.userId, former.keyId)
    throw new GrantInvalidError('no such token')
  }
  const { keyId, userId, scope } = grant
  if (!isActive(services, userId)) throw new GrantInvalidError('the account is deactivated')
  const { apiKey, keyHash } = newApiKey()
  const renewal = { keyId, keyHash, ...endsFrom(now) }
  await refuseAsInvalid(submit(services, userId, decideKeyRenewal, renewal))
  return { accessToken: apiKey, refreshToken: next, scope }
}

/** Ends the key of a token of either kind, if the client has one (RFC 7009). */
export async function revokeToken(
  services: GrantServices,
  { token, clientId }: { readonly token: string; readonly clientId: string },
): Promise<void> {
  const grant = await findByRefreshHash(services.sql, hashOf(token))
  if (grant) {
    if (grant.clientId === clientId) await endKey(services, grant.userId, grant.keyId)
    return
  }
  // A client that has the token could use it, so it may end it without another proof.
  const userId = services.state.keyHolders.get(hashOf(token))
  const key =
    userId === undefined
      ? undefined
      : services.state.namedKeysOf(userId).find(({ keyHash }) => keyHash === hashOf(token))
  if (userId !== undefined && key && key.tokenExpiresAt !== null) await endKey(services, userId, key.id)
}

const endsFrom = (now: number) => ({ expiresAt: now + GRANT_SECONDS, tokenExpiresAt: now + TOKEN_SECONDS })

function isActive({ state }: GrantServices, userId: UserId): boolean {
  return state.users.get(userId)?.isActive === true
}

/** A key that its user has revoked meanwhile is as good as ended. */
async function endKey(services: GrantServices, userId: UserId, keyId: string): Promise<void> {
  try {
    await submit(services, userId, decideOwnKeyEnd, { keyId })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Errors of the decision are answers to the client: the person has too many keys, or revoked this one. */
async function refuseAsInvalid(submitted: Promise<void>): Promise<void> {
  try {
    await submitted
  } catch (error) {
    if (error instanceof ApiError) throw new GrantInvalidError(error.errorName, { cause: error })
    throw error
  }
}
