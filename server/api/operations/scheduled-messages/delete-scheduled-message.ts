/** `DELETE /scheduled_messages/{scheduled_message_id}`: gives up a message before it is sent. */

import type { ScheduledId } from '../../../domain/ids.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { rewordScheduling } from './scheduled-params.ts'

export const deleteScheduledMessage = operation({
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message',
  access: 'user',
  params: { scheduled_message_id: required(id<ScheduledId>(), 'The scheduled message.') },
  reply: {},
  errors: ['SCHEDULED_UNKNOWN'],
  events: ['scheduled_messages/remove'],
  async run({ params, user, services }) {
    const { scheduled_message_id: scheduledId } = params
    try {
      await commitOwn(services, { type: 'scheduled_messages/remove', userId: user.id, scheduledId })
    } catch (error) {
      throw rewordScheduling(error)
    }
    return {}
  },
})
