/** `POST /messages/{message_id}/typing`: notifies readers that the sender edits their message. */

import { readReceivers } from '../../../../db/messages/single-message.ts'
import { findOpenMessage } from '../../../changes/messages/find-message.ts'
import { decideEditTyping, EDIT_TYPING_ERRORS } from '../../../decisions/typing/notify-typing.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, oneOf, required } from '../../params.ts'

export const sendEditTyping = change({
  method: 'POST',
  path: '/messages/{message_id}/typing',
  summary: 'Send a typing notification for an edit',
  description:
    'Notifies the readers of a message that its sender starts or stops to edit it. As with typing, this works only in ' +
    'channels with few subscribers.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    op: required(oneOf('start', 'stop'), 'Whether the user starts or stops the edit.'),
  },
  reply: {},
  errors: EDIT_TYPING_ERRORS,
  events: ['typing_edit_message/start', 'typing_edit_message/stop'],
  async prepare({ params, user, services, fail }) {
    const found = await findOpenMessage(services, { caller: user, fail }, params.message_id)
    const { id: messageId, destination } = found.message
    // Also checked in an open channel: its history may be hidden before the decision.
    const receiverIds =
      destination.kind === 'channel'
        ? await readReceivers(services.sql, destination.channelId, messageId)
        : undefined
    return { op: params.op, found, receiverIds }
  },
  decide: decideEditTyping,
})
