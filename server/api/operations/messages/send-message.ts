/** `POST /messages`: sends a message to a topic of a channel, or to people. */

import { findSentMessage } from '../../../../db/messages.ts'
import { hasMessages, hasTopic } from '../../../../db/topics.ts'
import type { Change } from '../../../actors/committer.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { NewEvent } from '../../../domain/events.ts'
import type { ChannelId, EventId, MessageId } from '../../../domain/ids.ts'
import { LOCAL_ID_LENGTH_MAX, MESSAGE_LENGTH_MAX } from '../../../domain/limits.ts'
import type { Mention } from '../../../domain/message-flags.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { findOpening } from '../../../domain/widgets.ts'
import { followBySending } from '../../../changes/topics/follow-topics.ts'
import { asksForStart } from '../../../decisions/topics/follow-topics.ts'
import { commitMessage } from '../../../changes/messages/commit-message.ts'
import { composeMessage } from '../../../changes/messages/compose-message.ts'
import {
  decideChannelMessage,
  decideDirectMessage,
  type MessageDraft,
} from '../../../decisions/messages/decide-send.ts'
import {
  checkTopicName,
  findRecipients,
  findTargetChannel,
  needsKnownConversation,
  needsKnownTopic,
  SEND_ERRORS,
  type SendFail,
} from '../../../decisions/messages/send-target.ts'
import { isReadingClient } from '../../../views/names.ts'
import { operation } from '../../operation.ts'
import { newTopicType, recipientsType } from './target-params.ts'
import type { Services } from '../../services.ts'
import { boolean, oneOf, optional, required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { ownText } from '../../../domain/own-text.ts'

export const sendMessage = operation({
  method: 'POST',
  path: '/messages',
  summary: 'Send a message',
  description:
    'Sends a message to a channel or to people. The answer comes when the message is stored for good. ' +
    'A retry with the same `queue_id` and `local_id` sends nothing new and answers the same id. ' +
    'Whom it mentions, by name, by group or by a word for all, is flagged so, if they receive it.',
  access: 'user',
  isForWebhooks: true,
  params: {
    type: required(
      oneOf('direct', 'channel', 'stream', 'private'),
      'Where it goes: `channel` (or `stream`), or `direct` (or `private`).',
    ),
    to: required(recipientsType, 'A channel by id or name; or people by ids or email addresses.'),
    topic: optional(newTopicType, 'The topic, needed for a channel; it may be empty.', {
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
  reply: {
    id: { schema: INTEGER, description: 'The id of the message.' },
    automatic_new_visibility_policy: {
      schema: { type: 'integer', enum: [2, 3] },
      description: 'Where sending it made the sender unmute (2) or follow (3) its topic.',
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
  events: ['message', 'user_topic', 'muted_topics', 'attachment/update'],
  async run({ params, user, client, services, fail }) {
    const content = ownText(params.content.trimEnd(), params.content)
    if (content.trim() === '') throw fail('MESSAGE_EMPTY')
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
    const isToChannel = params.type === 'channel' || params.type === 'stream'
    if (!isToChannel) return { id: await sendToPeople(draft, params.to, services, fail) }
    if (params.topic === undefined) throw fail('TOPIC_MISSING')
    const topic = parseTopic(params.topic)
    checkTopicName(topic, fail)
    return sendToChannel(draft, params.to, topic, services, fail)
  },
})

type To = Parameters<typeof findTargetChannel>[0]

async function sendToChannel(draft: MessageDraft, to: To, topic: string, services: Services, fail: SendFail) {
  const { state, channels } = services
  const sender = state.getUser(draft.senderId)
  const target = findTargetChannel(to, sender, state, fail)
  const channelId = target.channel.id
  let isKnown = false // Whoever loses the right to new topics from here on is refused any, until they send again.
  const compose = () => composeMessage(draft.content, sender, { kind: 'channel', channelId, topic }, services)
  const isStartOfInterest = asksForStart(state.settingsOf(sender.id))
  const composed =
    needsKnownTopic(sender, target, state) || isStartOfInterest
      ? isTopicKnown(services, channelId, topic).then((found) => {
          isKnown = found
          return compose()
        })
      : compose()
  let mentions: readonly Mention[] = []
  const id = await channels.orderOf(channelId).send(draft.senderId, composed, (first) =>
    commitMessage(services, first, compose, (message) =>
      messageChange(services, draft, (now) => {
        const decided = decideChannelMessage(draft, { channelId, topic, isKnown }, message, now, fail)
        mentions = decided.event.mentions ?? []
        return decided
      }),
    ),
  )
  const isStart = isStartOfInterest && !isKnown
  const visibility = await followBySending({ channelId, topic }, sender, { isStart, mentions }, services)
  return visibility === undefined ? { id } : { id, automatic_new_visibility_policy: visibility }
}

async function sendToPeople(draft: MessageDraft, to: To, services: Services, fail: SendFail) {
  const { state, sql, conversations } = services
  const recipients = findRecipients(to, draft.senderId, state, fail)
  const conversation = await conversations.open(recipients.map(({ id }) => id))
  const { id: conversationId, userIds } = conversation
  let isKnown = false
  const compose = () =>
    composeMessage(draft.content, state.getUser(draft.senderId), { kind: 'direct', userIds }, services)
  const composed = needsKnownConversation(recipients, draft.senderId, state)
    ? hasMessages(sql, conversationId).then((found) => {
        isKnown = found
        return compose()
      })
    : compose()
  return conversation.order.send(draft.senderId, composed, (first) =>
    commitMessage(services, first, compose, (message) =>
      messageChange(services, draft, (now) =>
        decideDirectMessage(draft, { id: conversationId, userIds, isKnown }, message, now, fail),
      ),
    ),
  )
}

/** Whether a topic is there: among the channel's newest messages, if they are in memory, or any. */
async function isTopicKnown({ channels, sql }: Services, channelId: ChannelId, topic: string) {
  return channels.hasRecentTopic(channelId, topic) || hasTopic(sql, channelId, topic)
}

function messageChange(
  { sql }: Services,
  { senderId, queueId, localId }: MessageDraft,
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
