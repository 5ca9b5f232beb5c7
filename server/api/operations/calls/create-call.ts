/** `POST /calls/provider/create`: starts a video call at the provider. */

import { MissingProviderTokenError } from '../../../../db/accounts/provider-tokens.ts'
import type { UserId } from '../../../domain/ids.ts'
import { submit } from '../../../changes/submit.ts'
import { decideProviderTokenRemoval } from '../../../decisions/calls/change-provider-token.ts'
import { ProviderFailureError } from '../../../changes/calls/call-provider.ts'
import { operation } from '../../operation.ts'
import type { Services } from '../../services.ts'
import { boolean, defaulted } from '../../params.ts'
import { STRING } from '../../../domain/json-schema.ts'

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
