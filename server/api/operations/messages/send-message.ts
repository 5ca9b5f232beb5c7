/** `POST /messages`: sends a message to a topic of a channel, or to people. */

import { findSentMessage } from '../../../../db/messages.ts'
import type { Change } from '../../../actors/committer.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { MessageSent, NewEvent } from '../../../domain/events.ts'
import type { EventId, MessageId } from '../../../domain/ids.ts'
import { LOCAL_ID_LENGTH_MAX, MESSAGE_LENGTH_MAX, TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { isReadingClient } from '../../names.ts'
import { operation, type Services } from '../../operation.ts'
import { boolean, oneOf, optional, required, text } from '../../params.ts'
import { INTEGER } from '../../reply-schemas.ts'
import {
  checkRecipients,
  findRecipients,
  findTargetChannel,
  recipientsType,
  type SendFail,
} from '../../send-target.ts'

export const sendMessage = operation({
  method: 'POST',
  path: '/messages',
  summary: 'Send a message',
  description:
    'Sends a message to a channel or to people. The answer comes when the message is stored for good. ' +
    'A retry with the same `queue_id` and `local_id` sends nothing new and answers the same id.',
  access: 'user',
  params: {
    type: required(
      oneOf('direct', 'channel', 'stream', 'private'),
      'Where it goes: `channel` (or `stream`), or `direct` (or `private`).',
    ),
    to: required(recipientsType, 'A channel by id or name; or people by ids or email addresses.'),
    topic: optional(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic, for channels.', {
      aliases: ['subject'],
    }),
    content: required(text({ lengthMax: MESSAGE_LENGTH_MAX }), 'The message, in Markdown.'),
    queue_id: optional(text({ lengthMax: 100 }), "The sender's event queue."),
    local_id: optional(
      text({ lengthMax: LOCAL_ID_LENGTH_MAX }),
      "The sender's own mark, told back to that queue.",
    ),
    read_by_sender: optional(
      boolean(),
      'Whether the sender has read it; by default where people read in the client.',
    ),
  },
  reply: { id: { schema: INTEGER, description: 'The id of the message.' } },
  errors: [
    'CHANNEL_NAMED_UNKNOWN',
    'CHANNEL_ID_UNKNOWN',
    'SINGLE_CHANNEL_EXPECTED',
    'RECIPIENTS_MISSING',
    'RECIPIENT_EMAIL_UNKNOWN',
    'RECIPIENT_ID_UNKNOWN',
    'RECIPIENT_DEACTIVATED',
    'TOO_MANY_RECIPIENTS',
    'MESSAGE_EMPTY',
    'MESSAGE_RENDERING_FAILED',
  ],
  events: ['message'],
  async run({ params, user, client, services, fail }) {
    const content = params.content.trimEnd()
    if (content.trim() === '') throw fail('MESSAGE_EMPTY')
    const draft = {
      senderId: user.id,
      content,
      sentAt: nowSeconds(services.clock),
      client,
      isReadBySender: params.read_by_sender ?? isReadingClient(client),
      queueId: params.local_id === undefined ? null : (params.queue_id ?? null),
      localId: params.queue_id === undefined ? null : (params.local_id ?? null),
    }
    const isToChannel = params.type === 'channel' || params.type === 'stream'
    const id = isToChannel
      ? await sendToChannel(draft, params.to, parseTopic(params.topic ?? ''), services, fail)
      : await sendToPeople(draft, params.to, services, fail)
    return { id }
  },
})

type Draft = Pick<
  MessageSent,
  'senderId' | 'content' | 'sentAt' | 'client' | 'isReadBySender' | 'queueId' | 'localId'
>
type To = Parameters<typeof findTargetChannel>[0]

async function sendToChannel(draft: Draft, to: To, topic: string, services: Services, fail: SendFail) {
  const { state, channels, committer, render } = services
  const sender = state.getUser(draft.senderId)
  const { channel } = findTargetChannel(to, sender, state, fail)
  return channels.orderOf(channel.id).send(draft.senderId, render(draft.content), (rendered) =>
    committer.submit(
      messageChange(services, draft, (now) => {
        findTargetChannel([channel.id], now.getUser(draft.senderId), now, fail) // Rights may have changed meanwhile.
        return {
          event: {
            type: 'message',
            channelId: channel.id,
            conversationId: null,
            userIds: null,
            topic,
            ...draft,
            rendered,
          },
          audience: { kind: 'subscribers', channelId: channel.id },
        }
      }),
    ),
  )
}

async function sendToPeople(draft: Draft, to: To, services: Services, fail: SendFail) {
  const { state, conversations, committer, render } = services
  const recipients = findRecipients(to, draft.senderId, state, fail)
  const conversation = await conversations.open(recipients.map(({ id }) => id))
  const { id: conversationId, userIds } = conversation
  return conversation.order.send(draft.senderId, render(draft.content), (rendered) =>
    committer.submit(
      messageChange(services, draft, (now) => {
        checkRecipients(
          userIds.map((id) => now.getUser(id)),
          draft.senderId,
          fail,
        )
        return {
          event: { type: 'message', channelId: null, conversationId, userIds, topic: '', ...draft, rendered },
          audience: { kind: 'users', users: UserSet.of(userIds) },
        }
      }),
    ),
  )
}

function messageChange(
  { sql }: Services,
  { senderId, queueId, localId }: Draft,
  decide: (state: Services['state']) => NewEvent,
): Change<MessageId> {
  return {
    kind: 'messages',
    decide: (state) => ({
      events: [decide(state)],
      reply: (id: EventId) => id as number as MessageId,
    }),
    async findEarlier() {
      return queueId === null || localId === null
        ? undefined
        : findSentMessage(sql, senderId, queueId, localId)
    },
  }
}
