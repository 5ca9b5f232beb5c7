/** `DELETE /scheduled_messages/{scheduled_message_id}`: deletes a message before it is sent. */

import { decideUnscheduling } from '../../../decisions/scheduled-messages/change-scheduled.ts'
import type { ScheduledId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { explainGone } from './scheduled-params.ts'

export const deleteScheduledMessage = change({
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message',
  access: 'user',
  params: { scheduled_message_id: required(id<ScheduledId>(), 'The scheduled message.') },
  reply: {},
  errors: ['SCHEDULED_UNKNOWN'],
  events: ['scheduled_messages/remove'],
  prepare: ({ params }) => ({ scheduledId: params.scheduled_message_id }),
  decide: decideUnscheduling,
  explain: explainGone,
})
