/** Sends a user's message: finds its place, renders it, and commits it in the order of its sender's messages. */

import { hasMessages, hasTopic } from '../../../db/messages/topics.ts'
import {
  decideChannelMessage,
  decideDirectMessage,
  type MessageDraft,
} from '../../decisions/messages/decide-send.ts'
import {
  findNamedChannel,
  type NAMED_CHANNEL_ERRORS,
  needsKnownTopic,
  type SenderScope,
} from '../../decisions/messages/channel-target.ts'
import {
  findNamedRecipients,
  type NAMED_RECIPIENT_ERRORS,
  needsKnownConversation,
} from '../../decisions/messages/recipients.ts'
import { asksForStart } from '../../decisions/topics/follow-topics.ts'
import type { AgentMark } from '../../domain/accounts/agent-mark.ts'
import type { TopicVisibility } from '../../domain/entities.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import type { Sending } from '../sending.ts'
import { followBySending } from '../topics/follow-topics.ts'
import { commitMessage } from './commit-message.ts'
import { composeMessage } from './compose-message.ts'

/** A message, and its place as the request has it. */
export interface OutgoingMessage {
  readonly draft: MessageDraft
  /** The agent that sends it in the name of its sender. */
  readonly agent?: AgentMark | undefined
  /** Ids, or names or addresses. */
  readonly to: readonly (string | number)[]
}

/** The answer for the sender of a message to a topic. */
export interface SentToChannel {
  readonly id: MessageId
  /** The sender's new policy for the topic, if sending changed it. */
  readonly visibility: TopicVisibility | undefined
}

/** Sends to a topic of a channel. */
export async function sendToChannel(
  services: Sending,
  sender: SenderScope<(typeof NAMED_CHANNEL_ERRORS)[number]>,
  { draft, agent, to, topic }: OutgoingMessage & { readonly topic: string },
): Promise<SentToChannel> {
  const { state, channels } = services
  const { caller } = sender
  const target = findNamedChannel(sender, to)
  const channelId = target.channel.id
  let isKnown = false // False also refuses known topics to a sender who just lost the right.
  const compose = () => composeMessage(draft.content, caller, { kind: 'channel', channelId, topic }, services)
  const isStartOfInterest = asksForStart(state.settingsOf(caller.id))
  const composed =
    needsKnownTopic(sender, target) || isStartOfInterest
      ? isTopicKnown(services, channelId, topic).then((found) => {
          isKnown = found
          return compose()
        })
      : compose()
  const { id, mentions } = await channels
    .orderOf(channelId)
    .send(caller.id, composed, (first) =>
      commitMessage(
        services,
        decideChannelMessage,
        { draft, agent, composed: first, channelId, topic, isKnown },
        compose,
      ),
    )
  const isStart = isStartOfInterest && !isKnown
  const visibility = await followBySending({ channelId, topic }, caller, { isStart, mentions }, services)
  return { id, visibility }
}

/** Sends to users. */
export async function sendToPeople(
  services: Sending,
  sender: SenderScope<(typeof NAMED_RECIPIENT_ERRORS)[number]>,
  { draft, agent, to }: OutgoingMessage,
): Promise<MessageId> {
  const { state, sql, conversations } = services
  const recipients = findNamedRecipients(sender, to)
  const { id: conversationId, userIds, order } = await conversations.open(recipients.map(({ id }) => id))
  let isKnown = false
  const author = state.getUser(draft.senderId)
  const compose = () => composeMessage(draft.content, author, { kind: 'direct', userIds }, services)
  const composed = needsKnownConversation({ state, caller: author }, recipients)
    ? hasMessages(sql, conversationId).then((found) => {
        isKnown = found
        return compose()
      })
    : compose()
  const { id } = await order.send(draft.senderId, composed, (first) =>
    commitMessage(
      services,
      decideDirectMessage,
      { draft, agent, composed: first, conversationId, userIds, isKnown },
      compose,
    ),
  )
  return id
}

/** Whether a topic exists: first among the channel's newest messages in memory, then in the database. */
async function isTopicKnown({ channels, sql }: Sending, channelId: ChannelId, topic: string) {
  return channels.hasRecentTopic(channelId, topic) || hasTopic(sql, channelId, topic)
}
