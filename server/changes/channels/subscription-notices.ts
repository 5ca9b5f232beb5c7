/** The notices that the server's own bot sends after channels were made and users subscribed. */

import type { Channel, User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { SUBSCRIPTION_NOTICES_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { SubscribeResult } from '../../decisions/channels/join-in-parts.ts'
import type { Sending } from '../sending.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import {
  describePrivacy,
  linkChannel,
  listSome,
  mentionUser,
  noticeTexts,
  quote,
} from '../../decisions/notice-wording.ts'
import { postChannelEvent, postNotice, sendNotice } from '../messages/send-notice.ts'

/** Notices in progress at once: rendering takes up to a millisecond each, in one turn of the event loop. */
const NOTICES_AT_ONCE_MAX = 8

/** Posts in each new channel who made it; announces the public ones to everyone if the request asks for it. */
export async function sendNewChannelNotices(
  services: Sending,
  callerId: UserId,
  { channels }: SubscribeResult,
  isAnnounced: boolean,
): Promise<void> {
  const caller = services.state.getUser(callerId)
  const texts = noticeTexts(services.state)
  const created = channels.filter(({ isNew }) => isNew).map(({ channel }) => channel)
  for (let index = 0; index < created.length; index += NOTICES_AT_ONCE_MAX) {
    const some = created.slice(index, index + NOTICES_AT_ONCE_MAX)
    await Promise.all(
      some.map((channel) =>
        postChannelEvent(services, caller.id, channel.id, describeCreation(texts, caller, channel)),
      ),
    )
  }
  if (isAnnounced) await announce(services, caller, created)
}

function describeCreation(texts: ServerTexts, caller: User, channel: Channel): string {
  const { t } = texts
  const privacy = describePrivacy(texts, channel)
  const sentence = t('**{privacy}** channel created by {actor}.', { privacy, actor: mentionUser(caller) })
  if (channel.description === '') return sentence
  return `${sentence} **${t('Description:')}**\n\n${quote(channel.description)}`
}

async function announce(services: Sending, caller: User, created: readonly Channel[]): Promise<void> {
  const { announcementsChannelId } = services.state.settings
  const links = created.filter(({ isPrivate }) => !isPrivate).map(linkChannel)
  if (announcementsChannelId === null || links.length === 0) return
  if (services.state.getChannel(announcementsChannelId).channel.isArchived) return
  const texts = noticeTexts(services.state)
  const { t } = texts
  const actor = mentionUser(caller)
  const [first = ''] = links
  const content =
    links.length === 1
      ? t('{actor} created a new channel {channel}.', { actor, channel: first })
      : t('{actor} created the following channels: {channels}.', {
          actor,
          channels: listSome(texts, links).join(', '),
        })
  await postNotice(services, caller.id, {
    channelId: announcementsChannelId,
    topic: t('new channels'),
    content,
  })
}

/**
 * Notifies users by direct message of channels that another user subscribed them to, except new channels.
 * Answers whether it does: not if one request subscribes very many.
 */
export async function sendSubscriptionNotices(
  services: Sending,
  callerId: UserId,
  { channels }: SubscribeResult,
): Promise<boolean> {
  const joined = channels.reduce((set, channel) => set.union(channel.joined), UserSet.empty)
  if (joined.size > SUBSCRIPTION_NOTICES_MAX) return false
  const caller = services.state.getUser(callerId)
  const existing = channels.filter(({ isNew }) => !isNew)
  const people = joined.difference(services.state.bots).without([callerId])
  // Users who joined the same channels, and have the same language, get the same text.
  const groups = Map.groupBy(people, (id) => {
    const names = existing.filter((one) => one.joined.has(id)).map(({ channel }) => linkChannel(channel))
    return names.length === 0 ? '' : describeSubscribing(noticeTexts(services.state, id), caller, names)
  })
  for (const [content, userIds] of groups) {
    if (content !== '') await sendNotice(services, callerId, userIds, content)
  }
  return true
}

function describeSubscribing(texts: ServerTexts, caller: User, links: readonly string[]): string {
  const { t } = texts
  const actor = mentionUser(caller)
  const [channel = ''] = links
  if (links.length === 1) return t('{actor} subscribed you to the channel {channel}.', { actor, channel })
  const list = listSome(texts, links).map((link) => `* ${link}`)
  return `${t('{actor} subscribed you to the following channels:', { actor })}\n\n${list.join('\n')}`
}
