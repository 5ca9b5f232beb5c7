/** Handles a browser that returns from the provider of video calls, without a session here. */

import { submit } from '../../../changes/submit.ts'
import { decideProviderToken } from '../../../decisions/calls/change-provider-token.ts'
import type { User } from '../../../domain/entities.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import { readTicket, redeemTicket, type TicketUse } from '../../tickets.ts'
import { GrantRefusedError, ProviderFailureError } from '../../../changes/calls/call-provider.ts'

/** The purpose of an authorization's state, and its lifetime: a log-in at the provider, perhaps with a telephone. */
export const CALL_LOGIN: TicketUse = { name: 'call login', seconds: 600 }
/** The path to which the provider sends users back; the operator registers it with the provider. */
export const CALL_LOGIN_PATH = '/calls/provider/complete'

/** The outcome of the return. */
export type CallLogin = 'connected' | 'expired' | 'refused' | 'failed'

/** The address to which the provider sends users back, as registered with it. */
export function providerRedirectUrl(publicUrl: string): string {
  return publicUrl + CALL_LOGIN_PATH
}

/** The user of an authorization's state; undefined if it was used, has expired or is invalid. The state stays valid. */
export async function findCallLogin(services: Services, stateText: string): Promise<User | undefined> {
  return (await readTicket(services, stateText, CALL_LOGIN))?.user
}

/** Stores the grant for a provider's code; a state is valid once. */
export async function completeCallLogin(
  services: Services,
  stateText: string,
  code: string,
): Promise<CallLogin> {
  const { calls, publicUrl, onError } = services
  if (!calls) return 'expired'
  const ticket = await redeemTicket(services, stateText, CALL_LOGIN)
  if (!ticket) return 'expired'
  const userId = ticket.user.id
  try {
    const tokenId = await calls.redeem(userId, code, providerRedirectUrl(publicUrl))
    await submit(services, userId, decideProviderToken, { tokenId })
    return 'connected'
  } catch (error) {
    if (error instanceof ApiError && error.errorName === 'TICKET_INVALID') return 'expired'
    if (error instanceof GrantRefusedError) return 'refused'
    if (!(error instanceof ProviderFailureError)) throw error
    onError(error)
    return 'failed'
  }
}
