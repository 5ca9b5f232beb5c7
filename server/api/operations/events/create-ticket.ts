/** `POST /events/ticket`: creates a ticket that opens one WebSocket. */

import { operation } from '../../operation.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { createTicket, STREAM_TICKET, TICKET_SECONDS } from '../../door/tickets.ts'

export const createStreamTicket = operation({
  method: 'POST',
  path: '/events/ticket',
  summary: 'Get a ticket for a WebSocket',
  description:
    'For clients that cannot set headers, such as browsers: `/api/v1/events/stream` accepts the ticket as its ' +
    'parameter `ticket` instead of the API key. It is valid for one connection, for half a minute, and no ' +
    'longer than the API key of this call.',
  access: 'user',
  params: {},
  reply: {
    ticket: { schema: STRING, description: 'The ticket, to be sent unchanged.' },
    expires_in_seconds: { schema: INTEGER, description: 'The lifetime of the ticket.' },
  },
  errors: [],
  events: [],
  async run({ user, keyHash, services }) {
    const ticket = await createTicket(services, STREAM_TICKET, { userId: user.id, keyHash })
    return { ticket, expires_in_seconds: TICKET_SECONDS }
  },
})
