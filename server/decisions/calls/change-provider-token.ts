/** Whether the caller may start video calls at the provider. */

import { type Decision, done } from '../decision.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

interface ProviderTokenRequest {
  /** The stored token that counts from now on, or no longer. */
  readonly tokenId: string
}

/** The caller may start calls by a token. */
export function decideProviderToken(
  scope: Scope<'TICKET_INVALID'>,
  { tokenId }: ProviderTokenRequest,
): Decision<void> {
  if (!scope.caller.isActive) throw scope.fail('TICKET_INVALID') // Since the provider was asked.
  return done([ownFact(scope, { type: 'has_provider_token', tokenId, value: true })])
}

/** The provider no longer knows a token. */
export function decideProviderTokenRemoval(scope: Scope, { tokenId }: ProviderTokenRequest): Decision<void> {
  return done([ownFact(scope, { type: 'has_provider_token', tokenId, value: false })])
}
