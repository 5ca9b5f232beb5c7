/** The notices that the server's own bot sends after channels were made and users subscribed. */

import type { Channel, User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { SUBSCRIPTION_NOTICES_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { SubscribeResult } from '../../decisions/channels/join-in-parts.ts'
import type { Sending } from '../sending.ts'
import { describePrivacy, linkChannel, listSome, mentionUser, quote } from '../../decisions/notice-wording.ts'
import { postChannelEvent, postNotice, sendNotice } from '../messages/send-notice.ts'

/** The place of announcements of new channels. */
const ANNOUNCEMENTS_TOPIC = 'new channels'
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
  const created = channels.filter(({ isNew }) => isNew).map(({ channel }) => channel)
  for (let index = 0; index < created.length; index += NOTICES_AT_ONCE_MAX) {
    const some = created.slice(index, index + NOTICES_AT_ONCE_MAX)
    await Promise.all(
      some.map((channel) =>
        postChannelEvent(services, caller.id, channel.id, describeCreation(caller, channel)),
      ),
    )
  }
  if (isAnnounced) await announce(services, caller, created)
}

function describeCreation(caller: User, channel: Channel): string {
  const sentence = `**${describePrivacy(channel)}** channel created by ${mentionUser(caller)}.`
  if (channel.description === '') return sentence
  return `${sentence} **Description:**\n\n${quote(channel.description)}`
}

async function announce(services: Sending, caller: User, created: readonly Channel[]): Promise<void> {
  const { announcementsChannelId } = services.state.settings
  const links = created.filter(({ isPrivate }) => !isPrivate).map(linkChannel)
  if (announcementsChannelId === null || links.length === 0) return
  if (services.state.getChannel(announcementsChannelId).channel.isArchived) return
  const what =
    links.length === 1 ? `a new channel ${links[0]}` : `the following channels: ${listSome(links).join(', ')}`
  const content = `${mentionUser(caller)} created ${what}.`
  await postNotice(services, caller.id, {
    channelId: announcementsChannelId,
    topic: ANNOUNCEMENTS_TOPIC,
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
  // Users who joined the same channels get the same text.
  const groups = Map.groupBy(people, (id) => {
    const names = existing.filter((one) => one.joined.has(id)).map(({ channel }) => linkChannel(channel))
    return names.length === 0 ? '' : describeSubscribing(caller, names)
  })
  for (const [content, userIds] of groups) {
    if (content !== '') await sendNotice(services, callerId, userIds, content)
  }
  return true
}

function describeSubscribing(caller: User, links: readonly string[]): string {
  const who = mentionUser(caller)
  if (links.length === 1) return `${who} subscribed you to the channel ${links[0]}.`
  const list = listSome(links).map((link) => `* ${link}`)
  return `${who} subscribed you to the following channels:\n\n${list.join('\n')}`
}
