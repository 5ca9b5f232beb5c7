/** Video calls. */

import { MissingProviderTokenError } from '../../../db/accounts/provider-tokens.ts'
import type { UserId } from '../../domain/ids.ts'
import { submit } from '../../changes/submit.ts'
import {
  decideProviderToken,
  decideProviderTokenRemoval,
} from '../../decisions/calls/change-provider-token.ts'
import { GrantRefusedError, ProviderFailureError } from '../../changes/calls/call-provider.ts'
import { operation } from '../operation.ts'
import type { Services } from '../services.ts'
import { boolean, defaulted } from '../params.ts'
import { STRING } from '../../domain/json-schema.ts'
import { createTicket, readTicket, redeemTicket, type TicketUse } from '../door/tickets.ts'
import type { User } from '../../domain/entities.ts'
import { ApiError } from '../../errors/api-error.ts'

/** `POST /calls/provider/create`: starts a video call at the provider. */
export const createCall = operation({
  method: 'POST',
  path: '/calls/provider/create',
  summary: 'Create a video call',
  description:
    'Creates a call at the provider in the name of the caller, and returns its address. The caller must have ' +
    'authorized this before; `has_provider_token` in the registration says whether they have. If the provider ' +
    'rejects the authorization, the caller must repeat it.',
  access: 'user',
  params: { is_video_call: defaulted(boolean(), true, 'Whether cameras start enabled.') },
  reply: { url: { schema: STRING, description: 'The address at which users join the call.' } },
  errors: ['CALLS_NOT_CONFIGURED', 'PROVIDER_TOKEN_INVALID', 'PROVIDER_USER_UNKNOWN', 'CALL_FAILED'],
  events: ['has_provider_token'],
  async run({ user, params, services, fail }) {
    const { calls } = services
    if (!calls) throw fail('CALLS_NOT_CONFIGURED')
    try {
      const access = await calls.findAccess(user.id)
      if (access.kind === 'none') throw fail('PROVIDER_TOKEN_INVALID')
      const made =
        access.kind === 'refused'
          ? ({ kind: 'unauthorized' } as const)
          : await calls.makeCall(access.accessToken, params.is_video_call)
      if (made.kind === 'unknown_user') throw fail('PROVIDER_USER_UNKNOWN')
      if (made.kind === 'made') return { url: made.url }
      await forgetToken(services, user.id, access.tokenId)
    } catch (error) {
      if (!(error instanceof ProviderFailureError)) throw error
      services.onError(error)
      throw fail('CALL_FAILED')
    }
    throw fail('PROVIDER_TOKEN_INVALID')
  },
})

/** Removes a token that the provider rejected, unless another has replaced it. */
async function forgetToken(services: Services, userId: UserId, tokenId: string): Promise<void> {
  try {
    await submit(services, userId, decideProviderTokenRemoval, { tokenId })
  } catch (error) {
    if (!(error instanceof MissingProviderTokenError)) throw error
  }
}

/** `GET /calls/provider/register`: the address at which the caller authorizes calls in their name. */
export const registerProvider = operation({
  method: 'GET',
  path: '/calls/provider/register',
  summary: 'Authorize video calls at the provider',
  description:
    'Returns an address for the browser of the caller, valid once and for ten minutes. There the provider asks ' +
    'whether this server may start calls in their name. It then sends them back to a page of this server, ' +
    'where they confirm their account. Their clients then get a `has_provider_token` event.',
  access: 'user',
  params: {},
  reply: { url: { schema: STRING, description: 'The address of the provider to open in a browser.' } },
  errors: ['CALLS_NOT_CONFIGURED'],
  events: [],
  async run({ user, keyHash, services, fail }) {
    const { calls, publicUrl } = services
    if (!calls) throw fail('CALLS_NOT_CONFIGURED')
    const ticket = await createTicket(services, CALL_LOGIN, { userId: user.id, keyHash })
    return { url: calls.authorizationUrl(ticket, providerRedirectUrl(publicUrl)) }
  },
})

/** The purpose of an authorization's state, and its lifetime: a log-in at the provider, perhaps with a telephone. */
const CALL_LOGIN: TicketUse = { name: 'call login', seconds: 600 }
/** The path to which the provider sends users back; the operator registers it with the provider. */
export const CALL_LOGIN_PATH = '/calls/provider/complete'

/** The outcome of the return. */
export type CallLogin = 'connected' | 'expired' | 'refused' | 'failed'

/** The address to which the provider sends users back, as registered with it. */
function providerRedirectUrl(publicUrl: string): string {
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
