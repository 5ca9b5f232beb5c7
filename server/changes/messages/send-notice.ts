/** Sends notices of the server's own bot, after their change is committed. */

import { findSentMessage } from '../../../db/messages/messages.ts'
import { OverloadError } from '../../actors/overload-error.ts'
import {
  decideNotice,
  decideSystemBot,
  type Notice,
  type SendMark,
} from '../../decisions/messages/notices.ts'
import { noticeTexts } from '../../decisions/notice-wording.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../domain/ids.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { renderNotice } from './compose-message.ts'

/**
 * Sends a notice to the channel's topic for notices, or to its only topic, if the organization wants notices. For the
 * user who caused it, here as below, the notice is already read.
 */
export async function postChannelEvent(
  services: Sending,
  actorId: UserId,
  channelId: ChannelId,
  content: string,
): Promise<void> {
  const { channel } = services.state.getChannel(channelId)
  if (!services.state.settings.sendsChannelEvents || channel.isArchived) return
  const { t } = noticeTexts(services.state)
  const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : t('channel events')
  await postNotice(services, actorId, { channelId, topic, content })
}

/** A notice for a topic. */
export interface TopicNotice extends Pick<Notice, 'topic' | 'content' | 'findUnreadFor'> {
  readonly channelId: ChannelId
}

/** Sends a message to a topic, even if other users may not send there. */
export async function postNotice(services: Sending, actorId: UserId, notice: TopicNotice): Promise<void> {
  await attempt(() => postOrThrow(services, actorId, notice))
}

/** The same without a preceding change: it fails if the message cannot be sent. */
export async function postOrThrow(services: Sending, actorId: UserId, notice: TopicNotice): Promise<void> {
  const { channelId, content } = notice
  const { id: botId } = await getSystemBot(services)
  await services.channels
    .orderOf(channelId)
    .send(botId, renderNotice(content, { kind: 'channel', channelId }, services), (rendered) =>
      submitNotice(services, {
        botId,
        actorId,
        conversationId: null,
        userIds: null,
        ...notice,
        rendered,
      }),
    )
}

/** Sends the same direct message to each of some users; it is unread for all if no user caused it. */
export async function sendNotice(
  services: Sending,
  actorId: UserId | null,
  userIds: readonly UserId[],
  content: string,
): Promise<void> {
  await attempt(async () => {
    const { id: botId } = await getSystemBot(services)
    const rendered = await renderNotice(content, { kind: 'direct', userIds }, services)
    await Promise.all(
      userIds.map((userId) => sendDirect(services, userId, { botId, actorId, content, rendered })),
    )
  })
}

/** Sends such a message to one user, unread, unless the log has one with the same mark. */
export async function sendNoticeOnce(
  services: Sending,
  userId: UserId,
  content: string,
  mark: SendMark,
): Promise<void> {
  await attempt(async () => {
    const { id: botId } = await getSystemBot(services)
    if ((await findSentMessage(services.sql, botId, mark.queueId, mark.localId)) !== undefined) return
    const rendered = await renderNotice(content, { kind: 'direct', userIds: [userId] }, services)
    await sendDirect(services, userId, { botId, actorId: null, content, rendered, mark })
  })
}

/** Sends such a message to a user who requests it; answers its id, and fails if it cannot be sent. */
export async function sendTestNotice(services: Sending, userId: UserId, content: string): Promise<MessageId> {
  const { id: botId } = await getSystemBot(services)
  const rendered = await renderNotice(content, { kind: 'direct', userIds: [userId] }, services)
  return sendDirect(services, userId, { botId, actorId: null, content, rendered })
}

/** Such a message for one user, to commit with other events; undefined if it cannot be sent. */
export async function composeNotice(
  services: Sending,
  userId: UserId,
  content: string,
): Promise<Notice | undefined> {
  let notice: Notice | undefined
  await attempt(async () => {
    const rendered = await renderNotice(content, { kind: 'direct', userIds: [userId] }, services)
    notice = await directNotice(services, userId, { content, rendered })
  })
  return notice
}

/** A direct message of the server's own bot to one user, unread. */
export async function directNotice(
  services: Sending,
  userId: UserId,
  text: Pick<Notice, 'content' | 'rendered'>,
): Promise<Notice> {
  const { id: botId } = await getSystemBot(services)
  const { id: conversationId, userIds } = await services.conversations.open([botId, userId])
  return { botId, actorId: null, channelId: null, conversationId, userIds, topic: '', ...text }
}

async function sendDirect(
  services: Sending,
  userId: UserId,
  notice: Pick<Notice, 'botId' | 'actorId' | 'content' | 'rendered' | 'mark'>,
): Promise<MessageId> {
  const { botId, rendered } = notice
  const { id: conversationId, userIds, order } = await services.conversations.open([botId, userId])
  return order.send(botId, rendered, () =>
    submitNotice(services, { ...notice, channelId: null, conversationId, userIds, topic: '' }),
  )
}

/** The notice's change is committed, so it does not fail when a busy server cannot send the notice. */
async function attempt(send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof OverloadError)) throw error
  }
}

function submitNotice(services: Sending, notice: Notice): Promise<MessageId> {
  const { botId, mark } = notice
  return submitForServer(services, (scope) => decideNotice(scope, notice), {
    kind: 'messages',
    async findEarlier() {
      if (!mark) return undefined
      return (await findSentMessage(services.sql, botId, mark.queueId, mark.localId)) as EventId | undefined
    },
  })
}

/** The server's own bot; it is made with its first notice. */
export async function getSystemBot(services: Sending): Promise<User> {
  const { hostname } = new URL(services.publicUrl)
  return (
    services.state.findSystemBot() ?? submitForServer(services, (scope) => decideSystemBot(scope, hostname))
  )
}
