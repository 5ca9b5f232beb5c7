/** Notices in topics about moved messages, and about resolved topics. */

import type { MovePlan } from '../../../db/messages/message-moves.ts'
import type { Destination, Message, User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { findResolution } from '../../../packages/rules/topics.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Sending } from '../sending.ts'
import { linkTopic, mentionUser } from '../../decisions/notice-wording.ts'
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
  const who = mentionUser(actor)
  const resolution = channelId === from.channelId && findResolution(from.topic, topic)
  if (resolution) {
    const content = `${who} has marked this topic as ${resolution}.`
    const findUnreadFor = (scope: ServerScope) => findResolutionReaders(scope, { channelId, topic })
    return postNotice(services, actor.id, { channelId, topic, content, findUnreadFor })
  }
  const to: InChannel = { kind: 'channel', channelId, topic }
  if (topics.new) {
    const what = describeMoved(plan, `[A message](/#narrow/channel/${channelId}/near/${message.id})`)
    const content = `${what} moved here from ${describePlace(from, to, state)} by ${who}.`
    await postNotice(services, actor.id, { channelId, topic, content })
  }
  if (topics.old) {
    const content = `${describeLeft(plan)} to ${describePlace(to, from, state)} by ${who}.`
    await postNotice(services, actor.id, { channelId: from.channelId, topic: from.topic, content })
  }
}

function describeMoved({ isWhole, messages }: MovePlan, one: string): string {
  if (isWhole) return 'This topic was'
  return messages.length === 1 ? `${one} was` : `${messages.length} messages were`
}

function describeLeft({ isWhole, messages }: MovePlan): string {
  if (isWhole) return 'This topic was moved'
  const { length } = messages
  return `${length === 1 ? 'A message was' : `${length} messages were`} moved from this topic`
}

/** A topic, unless some readers of the notice may not know its channel. */
function describePlace(place: InChannel, readBy: InChannel, state: OrganizationState): string {
  const { channel } = state.getChannel(place.channelId)
  if (channel.isPrivate && place.channelId !== readBy.channelId) return 'another channel'
  return linkTopic(channel, place.topic)
}
