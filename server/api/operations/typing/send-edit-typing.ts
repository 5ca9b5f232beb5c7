/** `POST /messages/{message_id}/typing`: tells others that the user began to edit a message of theirs, or ended. */

import { readReceivers } from '../../../../db/single-message.ts'
import { findOpenMessage } from '../../../changes/messages/find-message.ts'
import { decideEditTyping, EDIT_TYPING_ERRORS } from '../../../decisions/typing/tell-typing.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, oneOf, required } from '../../params.ts'

export const sendEditTyping = change({
  method: 'POST',
  path: '/messages/{message_id}/typing',
  summary: 'Tell that one edits a message',
  description:
    'Tells those who read a message that its sender began to edit it, or ended; as with typing, in channels with few ' +
    'subscribers only.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    op: required(oneOf('start', 'stop'), 'Whether the user begins to edit it, or ends.'),
  },
  reply: {},
  errors: EDIT_TYPING_ERRORS,
  events: ['typing_edit_message/start', 'typing_edit_message/stop'],
  async prepare({ params, user, services, fail }) {
    const found = await findOpenMessage(services, { caller: user, fail }, params.message_id)
    const { id: messageId, destination } = found.message
    // Asked for in an open channel as well: its past may be closed before this is decided.
    const receiverIds =
      destination.kind === 'channel'
        ? await readReceivers(services.sql, destination.channelId, messageId)
        : undefined
    return { op: params.op, found, receiverIds }
  },
  decide: decideEditTyping,
})
