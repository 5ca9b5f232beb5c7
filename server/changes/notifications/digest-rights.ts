/** Digests and the rights of their readers: who gets one, and which channels and topics it may name. */

import { canSeeChannel, readableHistory } from '../../../packages/rules/channels.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { DigestTopic } from '../../domain/personal/digests.ts'
import { isActivePerson } from '../../domain/users/user-access.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** Whether a user gets digests. They name channels and topics, so hidden texts hide them, too. */
export function wantsDigest(state: OrganizationState, user: User): boolean {
  const { digestEmailsEnabled, messageContentAllowedInEmailNotifications } = state.settings
  if (!digestEmailsEnabled || !messageContentAllowedInEmailNotifications || !isActivePerson(user))
    return false
  const own = state.settingsOf(user.id)
  return own.enableDigestEmails && own.messageContentInEmailNotifications && !own.hidesNotificationText
}

/** Whether a digest may name a topic: of a channel of the reader, unmuted, with a history that is open to them. */
export function mayListTopic(
  state: OrganizationState,
  user: User,
  { channelId, topic }: Pick<DigestTopic, 'channelId' | 'topic'>,
): boolean {
  const channel = state.channels.get(channelId)
  if (!channel || channel.channel.isArchived || !channel.subscribers.has(user.id)) return false
  // Part of a protected history may be from before the reader's time.
  if (readableHistory(user, channel, state.rights) !== 'all') return false
  return !state.isTopicMuted(user.id, channelId, topic)
}

/** Whether a digest may present a new channel: everybody may join it, and the reader has not yet. */
export function mayListChannel(state: OrganizationState, user: User, channelId: ChannelId): boolean {
  const channel = state.channels.get(channelId)
  if (!channel || channel.channel.isArchived || channel.channel.isPrivate) return false
  return !channel.subscribers.has(user.id) && canSeeChannel(user, channel, state.rights)
}
