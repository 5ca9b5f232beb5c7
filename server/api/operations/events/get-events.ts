/** `GET /events`: waits for the next events, or returns those that already exist. */

import type { EventId, QueueId } from '../../../domain/ids.ts'
import { HeldReply } from '../../../actors/held-reply.ts'
import { ANY_EVENT } from '../../openapi-events.ts'
import { EncodedReply, operation } from '../../operation.ts'
import { boolean, defaulted, id, optional, required, text } from '../../params.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'

export const getEvents = operation({
  method: 'GET',
  path: '/events',
  summary: 'Get events from an event queue',
  description:
    'Returns the events after `last_event_id`, which acknowledges those before. Without events it waits for up ' +
    'to half a minute, and then returns a `heartbeat`. A second poll of a queue ends the first.',
  access: 'user',
  isUncounted: true,
  params: {
    queue_id: required(text({ lengthMax: 100 }), 'The id of the queue.'),
    last_event_id: optional(
      id<EventId>(),
      'The last event id of the client, a position in the log; -1 for none.',
    ),
    dont_block: defaulted(boolean(), false, 'Whether to return at once even without events.'),
  },
  reply: {
    events: { schema: arrayOf(ANY_EVENT), description: 'The events, in order.' },
    queue_id: { schema: STRING, description: 'The id of the queue.' },
  },
  errors: ['QUEUE_UNKNOWN', 'EVENT_PRUNED'],
  events: [],
  async run(call) {
    const { user, params, exchange, services, fail } = call
    const { queues } = services
    const queueId = params.queue_id as QueueId
    const session = await queues.find(queueId, user.id, exchange.key)
    if (!session) throw fail('QUEUE_UNKNOWN', { queueId })
    const answer = await queues.poll(
      session,
      params.last_event_id,
      !params.dont_block,
      () => call.signal.aborted,
    )
    if (typeof answer === 'string') return new EncodedReply(answer)
    if (answer instanceof HeldReply) return answer
    if (answer.kind === 'unknown') throw fail('QUEUE_UNKNOWN', { queueId })
    throw fail('EVENT_PRUNED', { id: params.last_event_id ?? -1 })
  },
})
