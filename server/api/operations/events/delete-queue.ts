/** `DELETE /events`: deletes an event queue. */

import type { QueueId } from '../../../domain/ids.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'

export const deleteQueue = operation({
  method: 'DELETE',
  path: '/events',
  summary: 'Delete an event queue',
  access: 'user',
  params: { queue_id: required(text({ lengthMax: 100 }), 'The id of the queue.') },
  reply: {},
  errors: ['QUEUE_UNKNOWN'],
  events: [],
  async run({ user, params, exchange, services: { queues }, fail }) {
    const queueId = params.queue_id as QueueId
    const session = await queues.find(queueId, user.id, exchange.key)
    if (!session) throw fail('QUEUE_UNKNOWN', { queueId })
    await queues.remove(session)
    return {}
  },
})
