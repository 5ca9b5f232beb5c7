/** Renders a scheduled message, if its sender may send it now. */

import { hasMessages, hasTopic } from '../../../db/messages/topics.ts'
import type { SEND_ERRORS } from '../../decisions/messages/decide-send.ts'
import { findMentions } from '../../decisions/messages/find-mentions.ts'
import {
  checkTopic,
  findTargetChannel,
  needsKnownTopic,
  type SenderScope,
} from '../../decisions/messages/channel-target.ts'
import { findRecipients, needsKnownConversation } from '../../decisions/messages/recipients.ts'
import type { ScheduledContent, ScheduledTarget } from '../../domain/messages/scheduled-messages.ts'
import type { Sending } from '../sending.ts'
import { composeMessage } from '../messages/compose-message.ts'

/** The content to store, and its HTML; fails as a send would. */
export async function composeScheduled(
  services: Sending,
  sender: SenderScope<(typeof SEND_ERRORS)[number]>,
  content: string,
  target: ScheduledTarget,
): Promise<Pick<ScheduledContent, 'content' | 'rendered'>> {
  const { sql, conversations } = services
  const { caller, fail } = sender
  if (content === '') throw fail('MESSAGE_EMPTY')
  if (target.kind === 'channel') {
    const { channelId, topic } = target
    const channel = findTargetChannel(sender, channelId)
    const isKnown = !needsKnownTopic(sender, channel) || (await hasTopic(sql, channelId, topic))
    const composed = await composeMessage(content, caller, target, services)
    checkTopic(sender, channel, { topic, isKnown })
    findMentions(sender, composed, channel.subscribers)
    return { content, rendered: composed.rendered }
  }
  const recipients = findRecipients(sender, target.userIds)
  const userIds = recipients.map(({ id }) => id)
  if (needsKnownConversation(sender, recipients)) {
    const conversationId = await conversations.find(userIds)
    if (conversationId === undefined || !(await hasMessages(sql, conversationId)))
      throw fail('NEW_CONVERSATION_FORBIDDEN')
  }
  const { rendered } = await composeMessage(content, caller, { kind: 'direct', userIds }, services)
  return { content, rendered }
}
