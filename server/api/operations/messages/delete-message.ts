/** `DELETE /messages/{message_id}`: deletes a message permanently. */

import { prepareDeletion } from '../../../changes/messages/delete-message.ts'
import { notifyChanged } from '../../../changes/uploads/notify-uploads.ts'
import { decideDeletion, DELETION_ERRORS } from '../../../decisions/messages/delete-messages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { turnOfMessage } from './turn-of-message.ts'

export const deleteMessage = change({
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Delete a message',
  description:
    'Deletes a message permanently. Users with the permission to delete any message can do so at any time. ' +
    'Others can delete their own messages and those of their bots, if permitted, within the time limit of the ' +
    'organization.',
  access: 'user',
  params: { message_id: required(id<MessageId>(), 'The message.') },
  reply: {},
  errors: ['MESSAGE_UNKNOWN', ...DELETION_ERRORS],
  events: ['delete_message', 'stream/update', 'attachment/update', 'attachment/remove'],
  prepare: (call) => prepareDeletion(call.services, scopeOfCall(call), call.params.message_id),
  decide: decideDeletion,
  turn: turnOfMessage,
  async answer(_, { services }, { uploads }) {
    await notifyChanged(uploads, services)
    return {}
  },
})
