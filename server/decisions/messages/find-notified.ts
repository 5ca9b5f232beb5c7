/** Finds the users whom a message notifies while they are away. */

import {
  decideNotifications,
  type NotifiedReader,
  type NotifyingMessage,
} from '../../../packages/rules/notifications.ts'
import type { Message } from '../../domain/entities.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import {
  isReadAtSending,
  type Mention,
  mentionFlagsOf,
  MESSAGE_FLAGS,
} from '../../domain/messages/message-flags.ts'
import {
  channelNotificationsOf,
  NO_OWN_SETTINGS,
  notificationSettingsOf,
  type OwnNotificationSettings,
} from '../../domain/personal/notification-settings.ts'
import {
  AWAY_WAYS,
  type AwayWay,
  type PendingNotification,
} from '../../domain/personal/pending-notifications.ts'
import { silenceOf } from '../../domain/personal/silence.ts'
import { Secret } from '../../domain/secret.ts'
import { isActivePerson } from '../../domain/users/user-access.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { findCalls } from './find-calls.ts'
import type { ServerScope } from '../scope.ts'

/** The part of a message that decides who is notified. */
export type JudgedMessage = Pick<
  MessageSent,
  'channelId' | 'userIds' | 'topic' | 'senderId' | 'readById' | 'unreadFor' | 'mentions' | 'isForAll'
>

/** The users and groups that its text names. */
export interface NamedInText {
  readonly userIds: readonly UserId[]
  readonly groupIds: readonly GroupId[]
}

/** The organization, and the time of the decision. */
type NotifiedScope = Pick<ServerScope, 'state' | 'now'>

const NOTHING: Pick<MessageSent, 'pending'> = {}
const NOBODY_NAMED: NamedInText = { userIds: [], groupIds: [] }

/** The part of the fact of a message: its notifications, if there are any. */
export function pendingOf(
  scope: NotifiedScope,
  message: JudgedMessage,
  named = NOBODY_NAMED,
): Pick<MessageSent, 'pending'> {
  const pending = [
    ...notificationsOf(scope, message, named),
    ...findCalls(scope.state, message, named.userIds),
  ]
  return pending.length === 0 ? NOTHING : { pending: new Secret(pending) }
}

function notificationsOf(
  scope: NotifiedScope,
  message: JudgedMessage,
  named: NamedInText,
): PendingNotification[] {
  const candidates = findCandidates(scope.state, message)
  if (candidates.size === 0) return []
  return candidates.toArray().flatMap((id) => notificationsFor(scope, message, named, id))
}

/** Notifications of an edited message that the former version did not cause: its readers know of the others. */
export function pendingOfEdit(
  scope: NotifiedScope,
  { before, after, named }: Record<'before' | 'after', JudgedMessage> & { readonly named: NamedInText },
): Pick<MessageSent, 'pending'> {
  if (after.channelId === null) return NOTHING
  const added = notificationsOf(scope, after, named)
  const isNew = ({ way, userId }: PendingNotification) =>
    !notificationsFor(scope, before, NOBODY_NAMED, userId).some((one) => one.way === way)
  const pending = added.filter(isNew)
  return pending.length === 0 ? NOTHING : { pending: new Secret(pending) }
}

/** Whether a stored message notifies a user by the present settings. */
export function stillNotifies(
  scope: NotifiedScope,
  { destination, senderId, readById, unreadFor, mentions, isForAll }: Message,
  userId: UserId,
  way: AwayWay,
): boolean {
  const place =
    destination.kind === 'direct'
      ? { channelId: null, topic: '', userIds: destination.userIds }
      : { channelId: destination.channelId, topic: destination.topic, userIds: null }
  const message = {
    ...place,
    senderId,
    readById,
    mentions,
    ...(unreadFor ? { unreadFor } : {}),
    ...(isForAll ? { isForAll } : {}),
  }
  return notificationsFor(scope, message, NOBODY_NAMED, userId).some((one) => one.way === way)
}

/**
 * The recipients who might want an email or a push. It reads a few sets, whose size is that of what people have asked for:
 * the other recipients cost nothing.
 */
function findCandidates(state: OrganizationState, message: JudgedMessage): UserSet {
  const { channelId, userIds, topic, mentions = [], isForAll } = message
  const { watchers, canMail, listOwners } = state
  const reached = (users: UserSet) => (canMail ? users : users.intersection(listOwners.of('devices')))
  if (channelId === null) return reached(UserSet.of(userIds ?? []).difference(watchers.unreached))
  const { subscribers } = state.getChannel(channelId)
  const named = mentions.length === 0 ? UserSet.empty : UserSet.of(mentions.map(([id]: Mention) => id))
  return reached(
    UserSet.unionOf([
      (isForAll ? subscribers : named).difference(watchers.unreached),
      watchers.channels,
      watchers.ofChannel(channelId),
      state.followersOf(channelId, topic),
    ]).intersection(subscribers),
  )
}

function notificationsFor(
  scope: NotifiedScope,
  message: JudgedMessage,
  named: NamedInText,
  userId: UserId,
): PendingNotification[] {
  const { state } = scope
  const reader = readerFor(scope, message, userId)
  const notifications = decideNotifications(messageFor(message, named, userId), reader)
  return AWAY_WAYS.flatMap((way) => {
    const trigger = notifications[way]
    if (trigger === null || !canReach(state, userId, way)) return []
    const groupId = trigger === 'group_mention' ? findGroup(state, named, userId) : null
    const delaySeconds = way === 'mail' ? reader.settings.mailDelaySeconds : 0
    return [{ way, userId, trigger, groupId, delaySeconds }]
  })
}

/** Whether a way could reach a user: by a mail server, or by a device that they registered. */
function canReach({ listOwners, canMail }: OrganizationState, userId: UserId, way: AwayWay): boolean {
  return way === 'mail' ? canMail : listOwners.has('devices', userId)
}

/** A message as one of its recipients has it. */
function messageFor(message: JudgedMessage, named: NamedInText, userId: UserId): NotifyingMessage {
  const { channelId, senderId, readById, unreadFor, mentions = [], isForAll = false } = message
  const flags = mentionFlagsOf({ mentions, isForAll }, userId)
  const isMentioned = (flags & MESSAGE_FLAGS.mentioned) !== 0
  // Without a group the user is named: a stored message does not say how.
  const isByGroup = isMentioned && named.groupIds.length > 0 && !named.userIds.includes(userId)
  return {
    isDirect: channelId === null,
    isOwn: senderId === userId,
    isRead: isReadAtSending({ readById, unreadFor }, userId),
    isMentioned: isMentioned && !isByGroup,
    isGroupMentioned: isByGroup,
    isForTopic: (flags & MESSAGE_FLAGS.topic_wildcard_mentioned) !== 0,
    isForChannel: (flags & MESSAGE_FLAGS.stream_wildcard_mentioned) !== 0,
    hasAlertWord: (flags & MESSAGE_FLAGS.has_alert_word) !== 0,
  }
}

function readerFor(
  { state, now }: NotifiedScope,
  { channelId, topic, senderId }: JudgedMessage,
  userId: UserId,
): NotifiedReader & { readonly settings: OwnNotificationSettings } {
  const channel = channelId === null ? undefined : state.getChannel(channelId)
  const own = state.userSettings.get(userId) ?? NO_OWN_SETTINGS
  return {
    isActivePerson: isActivePerson(state.getUser(userId)),
    settings: notificationSettingsOf(own),
    isUndisturbed: silenceOf(own, now).isSilent,
    channel: channel?.subscribers.has(userId)
      ? channelNotificationsOf(channel.settings.get(userId))
      : undefined,
    topicVisibility: channelId === null ? 0 : state.topicVisibility(userId, channelId, topic),
    hasMutedSender: state.mutes.mutersOf.get(senderId)?.has(userId) ?? false,
  }
}

/** The smallest of the named groups that has the user: it says most about them. */
function findGroup({ groups }: OrganizationState, { groupIds }: NamedInText, userId: UserId): GroupId | null {
  const own = groupIds.filter((id) => groups.membersOf(id).has(userId))
  return own.sort((a, b) => groups.membersOf(a).size - groups.membersOf(b).size)[0] ?? null
}
