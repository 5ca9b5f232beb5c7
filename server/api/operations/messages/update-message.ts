/** `PATCH /messages/{message_id}`: changes what a message says, or moves it, alone or with others of its topic. */

import { tellOfMove } from '../../../changes/messages/move-notices.ts'
import { updateMessage as commitUpdate } from '../../../changes/messages/update-message.ts'
import { moveUserTopics } from '../../../changes/topics/move-user-topics.ts'
import { UPDATE_ERRORS } from '../../../decisions/messages/check-update.ts'
import { MENTION_ERRORS } from '../../../decisions/messages/find-mentions.ts'
import { PROPAGATE_MODES } from '../../../domain/events/messages.ts'
import type { ChannelId, MessageId } from '../../../domain/ids.ts'
import { arrayOf } from '../../../domain/json-schema.ts'
import { MESSAGE_LENGTH_MAX, MESSAGES_MOVED_PER_CHANGE_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { ATTACHMENT, viewAttachment } from '../../../views/attachment-view.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, oneOf, optional, required, text } from '../../params.ts'
import { ownText } from '../../../domain/own-text.ts'
import { newTopicType } from './target-params.ts'

/** What is left of a message whose content is taken away; what hangs on it stays. */
const EMPTIED = '(deleted)'

export const updateMessage = operation({
  method: 'PATCH',
  path: '/messages/{message_id}',
  summary: 'Edit or move a message',
  description:
    "Changes the content of a message of one's own, or moves messages to another topic or channel. A topic whose name " +
    'only gains or loses a check mark and a space at its start is resolved, or no longer. What users have said of a ' +
    `topic goes with it when all of it is moved. More than ${MESSAGES_MOVED_PER_CHANGE_MAX} messages move in several ` +
    'changes with an event each, the message itself in the last: after a failure the same request moves the rest.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    content: optional(text({ lengthMax: MESSAGE_LENGTH_MAX }), 'What it says from now on, in Markdown.'),
    prev_content_sha256: optional(
      text({ lengthMax: 64 }),
      'The SHA-256 hash in hex of what it says now, as far as the client knows: else nothing is changed.',
    ),
    topic: optional(newTopicType, 'The topic it is moved to.', {
      aliases: ['subject'],
    }),
    stream_id: optional(id<ChannelId>(), 'The channel it is moved to.'),
    propagate_mode: defaulted(
      oneOf(...PROPAGATE_MODES),
      'change_one',
      'Whether the later messages of its topic, or all of them, are moved along.',
    ),
    send_notification_to_old_thread: defaulted(
      boolean(),
      false,
      'Whether the old topic is told of the move.',
    ),
    send_notification_to_new_thread: defaulted(boolean(), true, 'Whether the new topic is told of the move.'),
  },
  reply: {
    detached_uploads: {
      schema: arrayOf(ATTACHMENT),
      description:
        "The caller's uploaded files that no message links any more, since this one no longer does.",
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
    const given = params.content
    const content = given === undefined ? undefined : ownText(given.trimEnd(), given)
    const asked = {
      messageId: params.message_id,
      content: content?.trim() === '' ? EMPTIED : content,
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
      await tellOfMove(
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
