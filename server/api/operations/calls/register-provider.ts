/** `GET /calls/provider/register`: the address at which the caller authorizes calls in their name. */

import { storeTicket } from '../../../../db/tickets.ts'
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
  async run({ user, keyHash, services: { calls, sql, clock, publicUrl }, fail }) {
    if (!calls) throw fail('CALLS_NOT_CONFIGURED')
    const nowMs = clock.nowMs()
    const ticket = createTicket(user.id, keyHash, nowMs, CALL_LOGIN)
    await storeTicket(sql, ticket, nowMs)
    return { url: calls.authorizationUrl(ticket.text, providerRedirectUrl(publicUrl)) }
  },
})
