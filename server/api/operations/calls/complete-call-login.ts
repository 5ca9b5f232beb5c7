/** How a user comes back from the provider of video calls, by a browser that has no session here. */

import { takeTicket } from '../../../../db/tickets.ts'
import { submit } from '../../../changes/submit.ts'
import { decideProviderToken } from '../../../decisions/calls/change-provider-token.ts'
import type { User } from '../../../domain/entities.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import { readTicket, type TicketUse } from '../../tickets.ts'
import { GrantRefusedError, ProviderFailureError } from '../../../changes/calls/call-provider.ts'

/** For what the state of an authorization is good, and for how long: a log-in at the provider, perhaps by a telephone. */
export const CALL_LOGIN: TicketUse = { name: 'call login', seconds: 600 }
/** Where the provider sends people back to; the operator tells the provider so. */
export const CALL_LOGIN_PATH = '/calls/provider/complete'

/** What came of coming back. */
export type CallLogin = 'connected' | 'expired' | 'refused' | 'failed'

/** Where the provider sends users back to, as it knows it beforehand. */
export function providerRedirectUrl(publicUrl: string): string {
  return publicUrl + CALL_LOGIN_PATH
}

/** Whose authorization a state is of; undefined where it is over or nobody's. It is not used up by this. */
export function findCallLogin({ state, clock }: Services, stateText: string): User | undefined {
  return readState({ state, clock }, stateText)?.user
}

function readState({ state, clock }: Pick<Services, 'state' | 'clock'>, text: string) {
  try {
    return readTicket(text, state, clock.nowMs(), CALL_LOGIN)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Takes what the provider's code is good for as the user's; the state is good for it once. */
export async function completeCallLogin(
  services: Services,
  stateText: string,
  code: string,
): Promise<CallLogin> {
  const { calls, sql, publicUrl, onError } = services
  const ticket = readState(services, stateText)
  if (!calls || !ticket || !(await takeTicket(sql, ticket.id)) || !ticket.isAllowed()) return 'expired'
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
