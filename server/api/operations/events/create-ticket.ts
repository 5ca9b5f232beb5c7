/** `POST /events/ticket`: gives out a ticket that opens one WebSocket. */

import { storeTicket } from '../../../../db/tickets.ts'
import { operation } from '../../operation.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { createTicket, TICKET_SECONDS } from '../../tickets.ts'

export const createStreamTicket = operation({
  method: 'POST',
  path: '/events/ticket',
  summary: 'Get a ticket for a WebSocket',
  description:
    'For clients that can set no headers, such as browsers: `/api/v1/events/stream` takes the ticket as its ' +
    'parameter `ticket` in place of the API key. It is good for one connection, for half a minute, and no longer ' +
    'than the API key that it was made with.',
  access: 'user',
  params: {},
  reply: {
    ticket: { schema: STRING, description: 'The ticket, to be sent as it is.' },
    expires_in_seconds: { schema: INTEGER, description: 'For how long it is good.' },
  },
  errors: [],
  events: [],
  async run({ user, keyHash, services: { sql, clock } }) {
    const nowMs = clock.nowMs()
    const ticket = createTicket(user.id, keyHash, nowMs)
    await storeTicket(sql, ticket, nowMs)
    return { ticket: ticket.text, expires_in_seconds: TICKET_SECONDS }
  },
})
