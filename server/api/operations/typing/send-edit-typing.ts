/** `POST /messages/{message_id}/typing`: tells others that the user began to edit a message of theirs, or ended. */

import { readReceivers } from '../../../../db/single-message.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { TypingPlace } from '../../../domain/events/presence.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { checkContentEdit } from '../../../decisions/messages/check-update.ts'
import { checkTypingIsTold, tellTyping } from '../../../decisions/typing/tell-typing.ts'
import { findMessage } from '../../../changes/messages/find-message.ts'
import { canReadMessage, isClosed, listenersOf } from '../../../decisions/messages/message-access.ts'
import { operation } from '../../operation.ts'
import { id, oneOf, required } from '../../params.ts'

export const sendEditTyping = operation({
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
  errors: [
    'MESSAGE_UNKNOWN',
    'EDITING_FORBIDDEN',
    'EDITING_DISABLED',
    'EDITING_TOO_LATE',
    'DIRECT_TYPING_DISABLED',
    'CHANNEL_TYPING_DISABLED',
  ],
  events: ['typing_edit_message/start', 'typing_edit_message/stop'],
  async run({ params, user, services, fail }) {
    const { sql, state, committer, clock } = services
    const triedAt = nowSeconds(clock)
    const found = await findMessage(params.message_id, user, services)
    if (!found || isClosed(found, state)) throw fail('MESSAGE_UNKNOWN')
    const { id: messageId, senderId, destination } = found.message
    const place: TypingPlace =
      destination.kind === 'direct' ? { kind: 'direct', userIds: destination.userIds } : destination
    // Asked for in an open channel as well: its past may be closed before this is decided.
    const receiverIds =
      place.kind === 'channel' ? await readReceivers(sql, place.channelId, messageId) : undefined
    const event = { type: `typing_edit_message/${params.op}`, senderId, messageId, place } as const
    return committer.submit({
      kind: 'structure',
      decide(now) {
        if (!canReadMessage(now.getUser(user.id), found, now) || isClosed(found, now))
          throw fail('MESSAGE_UNKNOWN')
        checkContentEdit(user, found.message, now, triedAt, fail)
        checkTypingIsTold(user.id, place.kind, now, fail)
        return { events: tellTyping(event, listenersOf(found, receiverIds, now), now), reply: () => ({}) }
      },
    })
  },
})
