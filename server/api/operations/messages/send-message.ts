/** `POST /messages`: sends a message to a topic of a channel, or to users. */

import { sendToChannel, sendToPeople } from '../../../changes/messages/send-message.ts'
import { SEND_ERRORS } from '../../../decisions/messages/decide-send.ts'
import { checkTopicName } from '../../../decisions/messages/channel-target.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { LOCAL_ID_LENGTH_MAX } from '../../../domain/limits.ts'
import { MESSAGE_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import { findOpening } from '../../../domain/messages/widgets.ts'
import { isReadingClient } from '../../../views/names.ts'
import { operation } from '../../operation.ts'
import { boolean, oneOf, optional, required, text } from '../../params.ts'
import { newTopicType, recipientsType } from './target-params.ts'

export const sendMessage = operation({
  method: 'POST',
  path: '/messages',
  summary: 'Send a message',
  description:
    'Sends a message to a channel or to users. The reply follows once the message is stored permanently. A ' +
    'retry with the same `queue_id` and `local_id` sends nothing new and returns the same id. Recipients who ' +
    'are mentioned, by name, by group or by a wildcard, get the `mentioned` flag.',
  access: 'user',
  isForWebhooks: true,
  params: {
    type: required(
      oneOf('direct', 'channel', 'stream', 'private'),
      'The kind of recipient: `channel` (or `stream`), or `direct` (or `private`).',
    ),
    to: required(recipientsType, 'A channel by id or name; or users by ids or email addresses.'),
    topic: optional(newTopicType, 'The topic, required for a channel; it may be empty.', {
      aliases: ['subject'],
    }),
    content: required(text({ lengthMax: MESSAGE_LENGTH_MAX, trim: 'end' }), 'The message, in Markdown.'),
    queue_id: optional(text({ lengthMax: 100 }), "The sender's event queue."),
    local_id: optional(
      text({ lengthMax: LOCAL_ID_LENGTH_MAX }),
      'The mark of the sender, sent back to that queue.',
    ),
    read_by_sender: optional(
      boolean(),
      'Whether the sender has read it; by default true for clients in which people read.',
    ),
  },
  reply: {
    id: { schema: INTEGER, description: 'The id of the message.' },
    automatic_new_visibility_policy: {
      schema: { type: 'integer', enum: [2, 3] },
      description: 'The new visibility of its topic if sending made the sender unmute (2) or follow (3) it.',
      isOptional: true,
    },
  },
  errors: [
    ...SEND_ERRORS,
    'TOPIC_MISSING',
    'CHANNEL_NAMED_UNKNOWN',
    'SINGLE_CHANNEL_EXPECTED',
    'RECIPIENT_EMAIL_UNKNOWN',
  ],
  events: ['message', 'user_topic', 'muted_topics', 'attachment/update', 'agent_wrote'],
  async run({ params, user, client, agent, services, fail }) {
    const { content } = params
    if (content === '') throw fail('MESSAGE_EMPTY')
    const submessage = findOpening(content)
    const draft = {
      senderId: user.id,
      content,
      ...(submessage === undefined ? {} : { submessage }),
      sentAt: nowSeconds(services.clock),
      client,
      readById: (params.read_by_sender ?? isReadingClient(client)) ? user.id : null,
      queueId: params.local_id === undefined ? null : (params.queue_id ?? null),
      localId: params.queue_id === undefined ? null : (params.local_id ?? null),
    }
    const sender = { state: services.state, caller: services.state.getUser(user.id), fail }
    const isToChannel = params.type === 'channel' || params.type === 'stream'
    if (!isToChannel) return { id: await sendToPeople(services, sender, { draft, agent, to: params.to }) }
    if (params.topic === undefined) throw fail('TOPIC_MISSING')
    const topic = parseTopic(params.topic)
    checkTopicName(sender, topic)
    const { id, visibility } = await sendToChannel(services, sender, { draft, agent, to: params.to, topic })
    return visibility === undefined ? { id } : { id, automatic_new_visibility_policy: visibility }
  },
})
