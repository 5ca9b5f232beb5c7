/** Messages of the server's own bot. */

import { TOPIC_VISIBILITIES } from '../../../packages/rules/topics.ts'
import type { User } from '../../domain/entities.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { EventId, MessageId, UserId } from '../../domain/ids.ts'
import { ROLES } from '../../../packages/rules/roles.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { answering, type Decision } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { pendingOf } from './find-notified.ts'
import { USER_SETTINGS_DEFAULTS } from '../../domain/users/user-settings.ts'

/** The client name of the server's own messages. */
const NOTICE_CLIENT = 'Internal'

/** A text of the server, and its readers. */
export interface Notice
  extends Pick<MessageSent, 'channelId' | 'conversationId' | 'userIds' | 'topic' | 'content' | 'rendered'> {
  readonly botId: UserId
  /** The user who caused it: for them it is already read. */
  readonly actorId: UserId | null
  /** The users who get it as unread, ascending, as of the commit; left out for all. */
  readonly findUnreadFor?: ((scope: ServerScope) => readonly UserId[]) | undefined
  /** A second notice with the same mark is not sent. */
  readonly mark?: SendMark | undefined
}

/** Identifies a message among those of its sender, for as long as the log has it. */
export interface SendMark {
  readonly queueId: string
  readonly localId: string
}

/** Sends a notice, and answers its id. */
export function decideNotice(scope: ServerScope, notice: Notice): Decision<MessageId> {
  return {
    events: [createNotice(scope, notice)],
    reply: (id: EventId) => id as number as MessageId,
  }
}

/** The fact of a notice; a change may have several. */
export function createNotice(
  scope: ServerScope,
  { botId, actorId, findUnreadFor, mark, ...said }: Notice,
): MessageSent {
  const message: MessageSent = {
    type: 'message',
    ...said,
    senderId: botId,
    sentAt: scope.now,
    client: NOTICE_CLIENT,
    readById: actorId,
    queueId: mark?.queueId ?? null,
    localId: mark?.localId ?? null,
    ...(findUnreadFor ? { unreadFor: findUnreadFor(scope) } : {}),
  }
  return { ...message, ...pendingOf(scope, message) }
}

/** The server's own bot; it is made with its first notice. */
export function decideSystemBot({ state, now }: ServerScope, hostname: string): Decision<User> {
  const made = state.findSystemBot()
  if (made) return answering(made, [])
  let email = `notification-bot@${hostname}`
  while (state.findUserByEmail(email)) email = `server-${email}` // A user may have the address.
  const bot: User = {
    id: state.nextUserId,
    email,
    fullName: 'Notification Bot',
    role: ROLES.member,
    isActive: true,
    botType: 1,
    botOwnerId: null,
    timezone: '',
    joinedAt: now,
    avatarVersion: 1,
    isSystem: true,
  }
  const { defaultPictureSource: pictureSource } = state.settings
  return answering(bot, [
    { type: 'realm_user/add', user: bot, ...(pictureSource === null ? {} : { pictureSource }) },
    { type: 'api_keys_changed', userId: bot.id, keyHashes: [] }, // Nobody can log in as the bot.
  ])
}

/** The visibility of a topic that a user follows. */
const FOLLOWED = TOPIC_VISIBILITIES.followed

/** The subscribers who want it unread, ascending. They are few, so the notice names them. */
export function findResolutionReaders(
  { state }: ServerScope,
  { channelId, topic }: { readonly channelId: ChannelId; readonly topic: string },
): readonly UserId[] {
  const defaultPolicy = USER_SETTINGS_DEFAULTS.resolvedTopicNoticeAutoReadPolicy
  return state
    .getChannel(channelId)
    .subscribers.toArray()
    .filter((userId) => {
      const policy = state.userSettings.get(userId)?.resolvedTopicNoticeAutoReadPolicy ?? defaultPolicy
      if (policy !== 'except_followed') return policy === 'never'
      return state.topicVisibility(userId, channelId, topic) === FOLLOWED
    })
}
