/** Notices that the server itself sends, by a bot of its own, after the change they tell of is committed. */

import { OverloadError } from '../../actors/overload-error.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { Audience } from '../../domain/events.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../domain/ids.ts'
import { ROLES } from '../../domain/roles.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { ApiError } from '../../errors/api-error.ts'
import { renderNotice } from './compose-message.ts'
import type { NewMessage } from '../../decisions/messages/decide-send.ts'
import type { Sending } from '../sending.ts'

/** Where what happens to a channel is told. */
const CHANNEL_EVENTS_TOPIC = 'channel events'
/** The program that sends what the server itself has to say. */
const NOTICE_CLIENT = 'Internal'

/**
 * Tells in a channel's own topic for such, or in its only one, what happened to it, where the organization wants that.
 * To the one who did it, here as below, the notice is no news: it comes as read.
 */
export async function postChannelEvent(
  services: Sending,
  actorId: UserId,
  channelId: ChannelId,
  content: string,
): Promise<void> {
  const { channel } = services.state.getChannel(channelId)
  if (!services.state.settings.sendsChannelEvents || channel.isArchived) return
  const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : CHANNEL_EVENTS_TOPIC
  await postNotice(services, actorId, channelId, topic, content)
}

/** Sends a message to a topic, whoever else may send there. `findUnreadFor` says to whom alone it is news. */
export async function postNotice(
  services: Sending,
  actorId: UserId,
  channelId: ChannelId,
  topic: string,
  content: string,
  findUnreadFor?: FindUsers,
): Promise<void> {
  await attempt(() => postOrThrow(services, actorId, channelId, topic, content, findUnreadFor))
}

/** Finds users, ascending, in the state as it is when a notice is committed. */
type FindUsers = (state: OrganizationState) => readonly UserId[]

/** The same where nothing else was done: it fails if the message cannot be sent. */
export async function postOrThrow(
  services: Sending,
  actorId: UserId,
  channelId: ChannelId,
  topic: string,
  content: string,
  findUnreadFor?: FindUsers,
): Promise<void> {
  const destination = { channelId, conversationId: null, userIds: null, topic }
  const bot = await getSystemBot(services)
  await services.channels
    .orderOf(channelId)
    .send(bot.id, renderNotice(content, { kind: 'channel', channelId }, services), (rendered) =>
      submit(
        services,
        bot,
        actorId,
        { ...destination, content, rendered },
        { kind: 'subscribers', channelId },
        findUnreadFor,
      ),
    )
}

/** Sends the same direct message to each of some users; to all it is news where nobody did it. */
export async function sendNotice(
  services: Sending,
  actorId: UserId | null,
  userIds: readonly UserId[],
  content: string,
): Promise<void> {
  await attempt(async () => {
    const bot = await getSystemBot(services)
    const rendered = await renderNotice(content, { kind: 'direct', userIds }, services)
    await Promise.all(userIds.map((userId) => sendDirect(services, bot, actorId, userId, content, rendered)))
  })
}

/** Sends the same kind of message to a user who asks for it; answers its id, and fails if it cannot be sent. */
export async function sendTestNotice(services: Sending, userId: UserId, content: string): Promise<MessageId> {
  const bot = await getSystemBot(services)
  const rendered = await renderNotice(content, { kind: 'direct', userIds: [userId] }, services)
  return sendDirect(services, bot, null, userId, content, rendered)
}

/** Such a message for one user, for whoever commits it with something else; undefined where it cannot be told. */
export async function composeNotice(
  services: Sending,
  userId: UserId,
  content: string,
): Promise<NewMessage | undefined> {
  let message: NewMessage | undefined
  await attempt(async () => {
    const bot = await getSystemBot(services)
    const rendered = await renderNotice(content, { kind: 'direct', userIds: [userId] }, services)
    message = await directNotice(services, bot, userId, { content, rendered }, nowSeconds(services.clock))
  })
  return message
}

/** A direct message of the server's own bot to one user, which is news to them. */
export async function directNotice(
  { conversations }: Sending,
  bot: User,
  userId: UserId,
  text: Pick<MessageSent, 'content' | 'rendered'>,
  sentAt: number,
): Promise<NewMessage> {
  const { id: conversationId, userIds } = await conversations.open([bot.id, userId])
  const notice = { channelId: null, conversationId, userIds, topic: '', ...text }
  return {
    event: messageOf(bot, null, notice, sentAt),
    audience: { kind: 'users', users: UserSet.of(userIds) },
  }
}

async function sendDirect(
  services: Sending,
  bot: User,
  actorId: UserId | null,
  userId: UserId,
  content: string,
  rendered: string,
): Promise<MessageId> {
  const { id: conversationId, userIds, order } = await services.conversations.open([bot.id, userId])
  const notice = { channelId: null, conversationId, userIds, topic: '', content, rendered }
  return order.send(bot.id, rendered, () =>
    submit(services, bot, actorId, notice, { kind: 'users', users: UserSet.of(userIds) }),
  )
}

/** The change that a notice tells of is made, so it does not fail because a busy server cannot tell of it. */
async function attempt(send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof OverloadError)) throw error
  }
}

type Notice = Pick<MessageSent, 'channelId' | 'conversationId' | 'userIds' | 'topic' | 'content' | 'rendered'>

function submit(
  { committer, clock }: Sending,
  bot: User,
  actorId: UserId | null,
  notice: Notice,
  audience: Audience,
  findUnreadFor?: FindUsers,
): Promise<MessageId> {
  const event = messageOf(bot, actorId, notice, nowSeconds(clock))
  return committer.submit({
    kind: 'messages',
    decide: (state) => ({
      events: [{ event: findUnreadFor ? { ...event, unreadFor: findUnreadFor(state) } : event, audience }],
      reply: (id: EventId) => id as number as MessageId,
    }),
  })
}

function messageOf(bot: User, actorId: UserId | null, notice: Notice, sentAt: number): MessageSent {
  return {
    type: 'message',
    ...notice,
    senderId: bot.id,
    sentAt,
    client: NOTICE_CLIENT,
    readById: actorId,
    queueId: null,
    localId: null,
  }
}

/** The server's own bot; it comes to be with its first notice. */
export async function getSystemBot({ state, committer, publicUrl, clock }: Sending): Promise<User> {
  const known = state.findSystemBot()
  if (known) return known
  const joinedAt = nowSeconds(clock)
  return committer.submit({
    kind: 'structure',
    decide(now) {
      const made = now.findSystemBot()
      if (made) return { events: [], reply: () => made }
      let email = `notification-bot@${new URL(publicUrl).hostname}`
      while (now.findUserByEmail(email)) email = `server-${email}` // Somebody may have taken it.
      const bot: User = {
        id: now.nextUserId,
        email,
        fullName: 'Notification Bot',
        role: ROLES.member,
        isActive: true,
        botType: 1,
        botOwnerId: null,
        timezone: '',
        joinedAt,
        avatarVersion: 1,
        isSystem: true,
      }
      const audience = { kind: 'users', users: now.rights.activeUsers } as const
      const keys = { type: 'api_keys_changed', userId: bot.id, keyHashes: [] } as const // Nobody logs in as it.
      return {
        events: [
          { event: { type: 'realm_user/add', user: bot }, audience },
          { event: keys, audience: { kind: 'nobody' } },
        ],
        reply: () => bot,
      }
    },
  })
}
