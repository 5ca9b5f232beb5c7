/** `GET /calls/provider/register`: the address at which the caller authorizes calls in their name. */

import { CALL_LOGIN, providerRedirectUrl } from './complete-call-login.ts'
import { operation } from '../../operation.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { createTicket } from '../../tickets.ts'

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
