/** Notices in topics about moved messages, and about resolved topics. */

import type { MovePlan } from '../../../db/messages/message-moves.ts'
import type { Destination, Message, User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { findResolution } from '../../../packages/rules/topics.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Sending } from '../sending.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { linkTopic, mentionUser, noticeTexts } from '../../decisions/notice-wording.ts'
import { findResolutionReaders } from '../../decisions/messages/notices.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import { postNotice } from './send-notice.ts'

type InChannel = Extract<Destination, { kind: 'channel' }>

/** A move that was committed. */
export interface Moved {
  readonly message: Pick<Message, 'id'>
  readonly from: InChannel
  readonly to: { readonly channelId: ChannelId; readonly topic: string }
  readonly plan: MovePlan
}

/** The topics that get a notice. */
export interface NotifiedTopics {
  readonly old: boolean
  readonly new: boolean
}

/** Sends the notices of a move, or of a resolved topic. For the user who did it they are already read. */
export async function notifyOfMove(
  services: Sending,
  actor: User,
  { message, from, to: { channelId, topic }, plan }: Moved,
  topics: NotifiedTopics,
): Promise<void> {
  const { state } = services
  const texts = noticeTexts(state)
  const { t } = texts
  const who = mentionUser(actor)
  const resolution = channelId === from.channelId && findResolution(from.topic, topic)
  if (resolution) {
    const content = t(
      resolution === 'resolved'
        ? '{who} has marked this topic as resolved.'
        : '{who} has marked this topic as unresolved.',
      { who },
    )
    const findUnreadFor = (scope: ServerScope) => findResolutionReaders(scope, { channelId, topic })
    return postNotice(services, actor.id, { channelId, topic, content, findUnreadFor })
  }
  const to: InChannel = { kind: 'channel', channelId, topic }
  if (topics.new) {
    const address = `/#narrow/channel/${channelId}/near/${message.id}`
    const content = wordMoved(texts, plan, { who, address, place: describePlace(texts, from, to, state) })
    await postNotice(services, actor.id, { channelId, topic, content })
  }
  if (topics.old) {
    const content = wordLeft(texts, plan, { who, place: describePlace(texts, to, from, state) })
    await postNotice(services, actor.id, { channelId: from.channelId, topic: from.topic, content })
  }
}

/** For the topic where the messages are now. */
function wordMoved(
  { t }: ServerTexts,
  { isWhole, messages: { length: count } }: MovePlan,
  { who, place, address }: { readonly who: string; readonly place: string; readonly address: string },
): string {
  if (isWhole) return t('This topic was moved here from {place} by {who}.', { place, who })
  if (count === 1)
    return t('[A message]({address}) was moved here from {place} by {who}.', { address, place, who })
  return t('{count, plural, one {# message was} other {# messages were}} moved here from {place} by {who}.', {
    count,
    place,
    who,
  })
}

/** For the topic that they left. */
function wordLeft(
  { t }: ServerTexts,
  { isWhole, messages: { length: count } }: MovePlan,
  { who, place }: { readonly who: string; readonly place: string },
): string {
  if (isWhole) return t('This topic was moved to {place} by {who}.', { place, who })
  return t(
    '{count, plural, =1 {A message was} other {# messages were}} moved from this topic to {place} by {who}.',
    { count, place, who },
  )
}

/** A topic, unless some readers of the notice may not know its channel. */
function describePlace(
  { t }: ServerTexts,
  place: InChannel,
  readBy: InChannel,
  state: OrganizationState,
): string {
  const { channel } = state.getChannel(place.channelId)
  if (channel.isPrivate && place.channelId !== readBy.channelId) return t('another channel')
  return linkTopic(channel, place.topic)
}
