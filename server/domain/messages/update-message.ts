/** Applies an edit, or a move within its channel, to a message. */

import type { Message, MessageEdit } from '../entities.ts'
import type { MessagesUpdated } from '../events/messages.ts'
import type { EventId } from '../ids.ts'
import { EDITS_SHOWN_MAX, EDITS_TEXT_LENGTH_MAX } from '../limits.ts'
import { findResolution } from '../../../packages/rules/topics.ts'

/** The message after the event; unchanged if the message was loaded with that edit already. */
export function updateMessage(message: Message, id: EventId, event: MessagesUpdated): Message {
  const { userId, editedAt, move } = event
  if (message.edits.some((edit) => edit.id >= id)) return message
  const content = message.id === event.messageId ? event.content : undefined
  const { destination } = message
  const moved = destination.kind === 'channel' && move ? { ...destination, topic: move.topic } : destination
  const edit: MessageEdit = {
    id,
    userId,
    editedAt,
    ...(content
      ? { content: { previous: content.previous, previousRendered: content.previousRendered } }
      : {}),
    ...(destination.kind === 'channel' && move
      ? { topic: { previous: destination.topic, now: move.topic } }
      : {}),
  }
  return {
    ...message,
    destination: moved,
    ...(content ? { content: content.content, rendered: content.rendered, editedAt } : {}),
    ...(content ? { mentions: event.mentions ?? [], isForAll: event.isForAll ?? false } : {}),
    ...(move
      ? { movedAt: findResolution(move.previousTopic, move.topic) ? (message.movedAt ?? 0) : editedAt }
      : {}),
    edits: shownOf([edit, ...message.edits]),
  }
}

/** The newest edits, as `editsOf` loads them. */
function shownOf(edits: readonly MessageEdit[]): readonly MessageEdit[] {
  let length = 0
  return edits.filter(({ content }, index) => {
    length += (content?.previous.length ?? 0) + (content?.previousRendered.length ?? 0)
    return index === 0 || (index < EDITS_SHOWN_MAX && length <= EDITS_TEXT_LENGTH_MAX)
  })
}
