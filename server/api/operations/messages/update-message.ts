/** `PATCH /messages/{message_id}`: edits a message, or moves it, alone or with others of its topic. */

import { notifyOfMove } from '../../../changes/messages/move-notices.ts'
import { updateMessage as commitUpdate } from '../../../changes/messages/update-message.ts'
import { moveUserTopics } from '../../../changes/topics/move-user-topics.ts'
import { UPDATE_ERRORS } from '../../../decisions/messages/check-update.ts'
import { MENTION_ERRORS } from '../../../decisions/messages/find-mentions.ts'
import { PROPAGATE_MODES } from '../../../domain/events/messages.ts'
import type { ChannelId, MessageId } from '../../../domain/ids.ts'
import { arrayOf } from '../../../domain/json-schema.ts'
import { MESSAGE_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { MESSAGES_MOVED_PER_CHANGE_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import { ATTACHMENT, viewAttachment } from '../../../views/attachment-view.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, oneOf, optional, required, text } from '../../params.ts'
import { newTopicType } from './target-params.ts'

/** The content of a message whose content is removed; its reactions and flags stay. */
const EMPTIED = '(deleted)'

export const updateMessage = operation({
  method: 'PATCH',
  path: '/messages/{message_id}',
  summary: 'Edit or move a message',
  description:
    'Edits the content of an own message, or moves messages to another topic or channel. A check mark and a space at ' +
    'the start of the name of a topic mark it as resolved. If a whole topic moves, the visibility policies of users ' +
    `move with it. More than ${MESSAGES_MOVED_PER_CHANGE_MAX} messages move in several ` +
    'changes with an event each, the message itself in the last: after a failure the same request moves the rest.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    content: optional(text({ lengthMax: MESSAGE_LENGTH_MAX, trim: 'end' }), 'The new content, in Markdown.'),
    prev_content_sha256: optional(
      text({ lengthMax: 64 }),
      'The SHA-256 hash, in hex, of the current content as the client knows it; if it differs, nothing changes.',
    ),
    topic: optional(newTopicType, 'The new topic.', {
      aliases: ['subject'],
    }),
    stream_id: optional(id<ChannelId>(), 'The new channel.'),
    propagate_mode: defaulted(
      oneOf(...PROPAGATE_MODES),
      'change_one',
      'Whether the later messages of its topic, or all of them, move along.',
    ),
    send_notification_to_old_thread: defaulted(
      boolean(),
      false,
      'Whether the old topic gets a message about the move.',
    ),
    send_notification_to_new_thread: defaulted(
      boolean(),
      true,
      'Whether the new topic gets a message about the move.',
    ),
  },
  reply: {
    detached_uploads: {
      schema: arrayOf(ATTACHMENT),
      description:
        'The files of the caller that no message links any more, because this edit removed the link.',
    },
  },
  errors: [...UPDATE_ERRORS, 'MESSAGE_RENDERING_FAILED', ...MENTION_ERRORS],
  events: [
    'update_message',
    'delete_message',
    'stream/update',
    'user_topic',
    'muted_topics',
    'message',
    'attachment/update',
  ],
  async run({ params, user, services, fail }) {
    const asked = {
      messageId: params.message_id,
      content: params.content === '' ? EMPTIED : params.content,
      contentHash: params.prev_content_sha256,
      topic: params.topic === undefined ? undefined : parseTopic(params.topic),
      channelId: params.stream_id,
      mode: params.propagate_mode,
    }
    const { message, move, detached } = await commitUpdate(services, { user, fail }, asked)
    const { destination } = message
    if (move && destination.kind === 'channel') {
      const { channelId, topic } = move
      if (move.isWhole) await moveUserTopics(services, destination, { channelId, topic })
      await notifyOfMove(
        services,
        user,
        { message, from: destination, to: { channelId, topic }, plan: move },
        {
          old: params.send_notification_to_old_thread,
          new: params.send_notification_to_new_thread,
        },
      )
    }
    return { detached_uploads: detached.map((upload) => viewAttachment(upload, upload.messages)) }
  },
})
